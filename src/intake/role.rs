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
    let words = own_words(message);
    let lab = [
        "our test",
        "our bot",
        "our robot",
        "the bot ",
        "the robot",
        "our bisect",
        "our system",
        "our lab",
        "our side",
        "our platform",
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
        "we test ",
        "we rerun",
        "we reran",
        "we will try",
        "we double",
        "we applied",
        "we bisect",
        "if you post",
        "let us know",
        "any further test",
        "need any test",
        "need more test",
        "run more test",
        "in our test",
        "just to update",
        "the bisection",
        "job.yaml",
        "attached is the output",
        "any news",
        "any thought",
        "any update",
        "the report",
        "the machine is shared",
        "a ping",
        "ping?",
        "ping.",
        "ping\n",
        "helps a little",
        "on top of ",
        "the parent",
        "the hunk",
        "sorry for the noise",
        "sorry for wasting",
        "we found that",
        "same case",
        "fyi, we",
    ];
    let greets = words.lines().next().is_some_and(|l| {
        let l = l.trim_start();
        // "hi Jo," in lower case: the people who run robots write to whoever owes an answer.
        l.starts_with("hi ") || l.starts_with("hi, ") || l.starts_with("hello, ")
    });
    let talk = lab.iter().filter(|l| words.contains(*l)).count();
    talk >= 2
        || talk >= 1 && (greets || signs(message))
        || greets && words.lines().skip(1).any(|l| l.starts_with("we "))
}

/// The author's own words in lower case, where the first word of a line keeps its greeting.
fn own_words(message: &Message) -> String {
    let text = message.new_text();
    let first: String = text.chars().take(3).collect();
    // "Hi" with a capital is everybody's; only the habit of lower case tells.
    if first.starts_with('H') { format!("-{}", text.to_lowercase()) } else { text.to_lowercase() }
}

fn signs(message: &Message) -> bool {
    message.blocks.iter().any(|b| b.kind == BlockKind::Signature)
}
