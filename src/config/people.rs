//! Who may ask for what, who must prove it, and who is left alone: `[commands]`, `[authentication]`, `[private_trees]`, `opt_out`.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::raw;
use super::resolve::Resolver;
use crate::engine::{Authentication, Policy};
use crate::mail::Address;
use crate::regression::Role;
use crate::report::{OptOut, PrivateTree};

type Text = Spanned<String>;

/// The roles by name, weakest first.
const ROLES: [(&str, Role); 6] = [
    ("other", Role::Other),
    ("reporter", Role::Reporter),
    ("author", Role::Author),
    ("maintainer", Role::Maintainer),
    ("robot", Role::Robot),
    ("operator", Role::Operator),
];

/// Puts all of it into the standing orders.
pub(super) fn people(r: &mut Resolver<'_>, raw: &raw::Raw, policy: &mut Policy) {
    for (verb, role) in &raw.commands {
        let role = self::role(r, role.get_ref(), role.span());
        if let Err(near) = policy.rights.set(verb.get_ref(), role.unwrap_or(Role::Operator)) {
            let what = format!("`{}` is no command", verb.get_ref());
            r.problem(verb.span(), what, suggestion(near, "docs/commands.md lists them"));
        }
    }
    policy.authentication = raw.authentication.as_ref().and_then(|a| authentication(r, a));
    policy.reach.private_trees = private(r, &raw.private_trees);
    policy.reach.opt_outs = raw.bot.get_ref().opt_out.iter().map(|text| opt_out(r, text)).collect();
}

fn role(r: &mut Resolver<'_>, name: &str, span: Range<usize>) -> Option<Role> {
    let wanted = name.trim().to_lowercase();
    let wanted = if wanted == "anybody" { "other" } else { &wanted };
    let found = ROLES.iter().find(|(name, _)| *name == wanted).map(|(_, role)| *role);
    if found.is_none() {
        let names: Vec<String> = ROLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let near = crate::triage::nearest(wanted, &names);
        let all = format!("write one of {}, or anybody", names.join(", "));
        r.problem(span, format!("`{name}` is no role"), suggestion(near, &all));
    }
    found
}

fn suggestion(near: Option<String>, otherwise: &str) -> String {
    near.map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"))
}

fn authentication(
    r: &mut Resolver<'_>,
    section: &Spanned<raw::Authentication>,
) -> Option<Authentication> {
    let raw = section.get_ref();
    let mut require: Vec<Role> = Vec::new();
    for text in &raw.require {
        // "operator commands" reads well, and means the same.
        let name = text.get_ref().trim().trim_end_matches("commands").trim().to_lowercase();
        if name.is_empty() || name == "all" {
            require.extend(ROLES.iter().map(|(_, role)| *role));
        } else {
            require.extend(role(r, &name, text.span()));
        }
    }
    if require.is_empty() && raw.require.is_empty() {
        let cure = "write require = [\"operator commands\"], or [\"commands\"] for everybody's";
        r.problem(section.span(), "[authentication] asks for no proof", cure);
    }
    let id = raw.authserv_id.get_ref().trim();
    if id.is_empty() || id.contains([' ', ';', '(', ')']) {
        let cure =
            "write what stands first in the Authentication-Results headers of your mail server";
        r.problem(raw.authserv_id.span(), format!("`{id}` is no authserv-id"), cure);
        return None;
    }
    Some(Authentication { authserv_id: id.to_owned(), require })
}

fn private(r: &mut Resolver<'_>, trees: &BTreeMap<Text, Text>) -> Vec<PrivateTree> {
    let mut private = Vec::new();
    for (tree, owner) in trees {
        if tree.get_ref().trim().is_empty() || tree.get_ref().starts_with('*') {
            let cure =
                "write the tree's name, NAME:BRANCH, or the beginning of either with * behind it";
            r.problem(tree.span(), format!("`{}` names no tree", tree.get_ref()), cure);
        }
        let owner = Address { name: String::new(), email: r.email(owner) };
        private.push(PrivateTree { tree: tree.get_ref().trim().to_owned(), owner });
    }
    private
}

/// `jo@example.org`, `*@example.org`, each perhaps with an area behind it: `jo@example.org drm`.
fn opt_out(r: &mut Resolver<'_>, text: &Text) -> OptOut {
    let (who, area) = text.get_ref().trim().split_once(' ').unwrap_or((text.get_ref().trim(), ""));
    let who = who.trim_start_matches('*');
    let fits = who.split_once('@').is_some_and(|(_, host)| !host.is_empty() && !host.contains('@'));
    if !fits {
        let cure = "write name@host or *@host; an area may stand behind it: \"name@host drm\"";
        r.problem(text.span(), format!("`{}` is not a mail address", text.get_ref()), cure);
    }
    let area = Some(area.trim().to_owned()).filter(|area| !area.is_empty());
    OptOut { who: who.to_owned(), area }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_a_name_and_they_are_in_order() {
        assert!(ROLES.windows(2).all(|w| w[0].1 < w[1].1));
        let serde = |role: Role| serde_json::to_string(&role).unwrap();
        assert!(ROLES.iter().all(|(name, role)| serde(*role) == format!("\"{name}\"")));
    }
}
