//! `[[private_tree]]` and `[[opt_out]]`: whom mail must not reach.

use toml::Spanned;

use super::raw;
use super::resolve::Resolver;
use crate::mail::Address;
use crate::report::{OptOut, PrivateTree, Reach};

/// Reads both into the standing orders.
pub(super) fn resolve(
    r: &mut Resolver<'_>,
    private_trees: &[Spanned<raw::PrivateTree>],
    opt_outs: &[Spanned<raw::OptOut>],
    reach: &mut Reach,
) {
    for section in private_trees {
        let private = section.get_ref();
        let tree = text(r, &private.tree, "write the tree as notifications call it: \"ada:*\"");
        let owner = Address { name: String::new(), email: r.email(&private.owner) };
        reach.private_trees.push(PrivateTree { tree, owner });
    }
    for section in opt_outs {
        let wish = section.get_ref();
        let who = match wish.who.get_ref().trim().strip_prefix('@') {
            Some(domain) if !domain.is_empty() && !domain.contains('@') => format!("@{domain}"),
            _ => r.email(&wish.who),
        };
        let cure = "write how subjects of its commits begin: \"drm\"; or leave it out";
        let area = wish.area.as_ref().map(|area| text(r, area, cure));
        reach.opt_outs.push(OptOut { who, area });
    }
}

fn text(r: &mut Resolver<'_>, text: &Spanned<String>, cure: &str) -> String {
    let trimmed = text.get_ref().trim();
    if trimmed.is_empty() || trimmed.contains(char::is_whitespace) {
        r.problem(text.span(), format!("`{trimmed}` is no name"), cure);
    }
    trimmed.to_owned()
}
