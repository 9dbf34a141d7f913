//! In which role somebody writes, as far as the thread tells.

use crate::mail::{Address, BlockKind, Identity, Message, Trailer};
use crate::regression::Role;
use crate::regression::thread::About;
use crate::triage::Rules;

/// The role of a mail's author towards a report.
pub fn role(
    message: &Message,
    trailers: &[Trailer],
    about: Option<&About>,
    identity: &Identity,
    rules: &Rules,
) -> Role {
    let Some(from) = &message.from else { return Role::Other };
    let is = |address: &Option<Address>| {
        address.as_ref().is_some_and(|a| a.canonical() == from.canonical())
    };
    if identity.is_us(from) {
        return Role::Operator;
    }
    if identity.is_robot(from) {
        return Role::Robot;
    }
    let Some(about) = about else { return Role::Other };
    if is(&about.reporter) {
        return if about.by_robot { Role::Robot } else { Role::Reporter };
    }
    if is(&about.author) {
        return Role::Author;
    }
    if about.by_robot && speaks_for_robot(message, trailers, about, from, rules) {
        Role::Robot
    } else {
        Role::Other
    }
}

/// Whether somebody speaks for the robot's lab: under its name, with its tags, in its signature, or from its house and in
/// the way of those who run it (`words.toml`, `[lab]`).
fn speaks_for_robot(
    message: &Message,
    trailers: &[Trailer],
    about: &About,
    from: &Address,
    rules: &Rules,
) -> bool {
    let Some(robot) = &about.reporter else { return false };
    let name = robot.name.trim().to_lowercase();
    // "kernel test robot" writes from several addresses of its house.
    let named = name.contains(' ') && from.name.trim().to_lowercase() == name;
    let robot_email = robot.canonical();
    let gives_its_tags = trailers
        .iter()
        .any(|t| t.name.ends_with("ested-by") && t.value.to_lowercase().contains(&robot_email));
    if named || gives_its_tags {
        return true;
    }
    let domain = |a: &Address| a.canonical().rsplit_once('@').map(|(_, d)| d.to_owned());
    if domain(from) != domain(robot) {
        return false;
    }
    let text = message.new_text();
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).take(80).collect();
    let mut closing = lines.iter().rev().take(3).copied().collect::<Vec<_>>();
    closing.extend(signature(message));
    let closing = closing.join("\n");
    let opening = lines.first().copied().unwrap_or_default();
    let lab = rules.lab(opening, &lines.join(" "), &closing);
    let signs = lab.signs || name.contains(' ') && closing.to_lowercase().contains(&name);
    let greets = lab.greets && opening.len() <= 80;
    signs
        || greets && (begins_small(&lines) || lab.talk >= 1 || opening.len() > 30)
        || lab.talk >= 2
        || lab.talk >= 1 && !signature(message).is_empty()
}

/// The words after the greeting begin with a small letter: so do the mails of people who run robots.
fn begins_small(lines: &[&str]) -> bool {
    lines.get(1).and_then(|l| l.trim_start().chars().next()).is_some_and(char::is_lowercase)
}

fn signature(message: &Message) -> Vec<&str> {
    let blocks = message.blocks_of(BlockKind::Signature);
    blocks.flat_map(|block| message.text(block).lines()).take(10).collect()
}
