//! In which role somebody writes, as far as the thread tells.

use crate::mail::{Address, BlockKind, Identity, Message, Trailer};
use crate::regression::Role;
use crate::regression::thread::About;

/// The role of a mail's author towards a report.
pub fn role(
    message: &Message,
    trailers: &[Trailer],
    about: Option<&About>,
    identity: &Identity,
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
    if about.by_robot && speaks_for_robot(message, trailers, about, from) {
        Role::Robot
    } else {
        Role::Other
    }
}

/// Whether somebody speaks for the robot's lab: gives its tags, or is of its house and talks as those do who run it.
fn speaks_for_robot(
    message: &Message,
    trailers: &[Trailer],
    about: &About,
    from: &Address,
) -> bool {
    let Some(robot) = &about.reporter else { return false };
    let robot_email = robot.canonical();
    if trailers
        .iter()
        .any(|t| t.name.ends_with("ested-by") && t.value.to_lowercase().contains(&robot_email))
    {
        return true;
    }
    let domain = |a: &Address| a.canonical().rsplit_once('@').map(|(_, d)| d.to_owned());
    if domain(from) != domain(robot) {
        return false;
    }
    let text = message.new_text();
    let talk = LAB.iter().filter(|words| text.to_lowercase().contains(**words)).count();
    greets(&text) && (begins_small(&text) || talk >= 1) || talk >= 2 || talk >= 1 && signs(message)
}

/// What people say who answer for test machines and reports.
const LAB: &[&str] = &[
    "our test",
    "our bot",
    "our robot",
    "our script",
    "our bisect",
    "our system",
    "our lab",
    "our side",
    "our platform",
    "our env",
    "the bot ",
    "the robot",
    "test box",
    "test machine",
    "test platform",
    "more platform",
    "0day",
    "lkp",
    "glad to test",
    "happy to test",
    "ready to test",
    "we tested",
    "we will test",
    "we rerun",
    "we reran",
    "we can rerun",
    "we will rerun",
    "we will try",
    "we double",
    "we applied",
    "we will run",
    "run more test",
    "if you post",
    "any further test",
    "just to update",
    "job.yaml",
    "attached is the output",
    "any news",
    "any thought",
    "any update",
    "the machine is shared",
    "a ping",
    "ping?",
    "this report",
    "the report",
    "sorry for the noise",
    "sorry for wasting",
    "wrong parent",
    "we confirmed",
    "fyi, we",
    "original report",
];

/// "hi Jo," in small letters: the people who run robots write so to whoever owes an answer.
fn greets(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.len() <= 60
        && ["hi ", "hi,", "hello, ", "hi all"].iter().any(|g| first.starts_with(g))
        && first.trim_end().ends_with([',', '.', '!'])
        || first.starts_with("hi all")
}

/// The words after the greeting begin with a small letter, too.
fn begins_small(text: &str) -> bool {
    let next = text.trim_start().lines().skip(1).find(|l| !l.trim().is_empty()).unwrap_or_default();
    next.chars().next().is_some_and(char::is_lowercase)
}

fn signs(message: &Message) -> bool {
    message.blocks.iter().any(|b| b.kind == BlockKind::Signature)
}
