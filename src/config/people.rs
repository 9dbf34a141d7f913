//! Who may ask for what, and who must prove it: `[commands]`, `[authentication]`.

use std::ops::Range;

use toml::Spanned;

use super::raw;
use super::resolve::Resolver;
use crate::engine::{Authentication, Policy};
use crate::regression::Role;

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
