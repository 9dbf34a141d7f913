//! What reading a thread needs to know of its report.

use crate::mail::{self, Identity, Message, Origin};
use crate::regression::thread::About;

/// Reads culprit, author and reporter of a report mail; `None` when the mail is no report.
///
/// Robots write to the author of the culprit and copy everybody else: the first recipient is taken for the author.
pub fn about(message: &Message, identity: &Identity) -> Option<About> {
    let origin = mail::origin(message, identity);
    // What we ourselves write into a thread is a follow-up; robots put reports below the patch that they tested.
    let heads = origin == Origin::Report || origin == Origin::Own && message.in_reply_to.is_empty();
    if !heads {
        return None;
    }
    let by_robot = origin == Origin::Own
        || message.header("auto-submitted").is_some_and(|v| !v.eq_ignore_ascii_case("no"))
        || message.from.as_ref().is_some_and(|f| identity.is_robot(f))
        || message.from.as_ref().is_some_and(|f| is_robot_name(&f.name));
    Some(About {
        culprit: culprit(message),
        author: message.to.first().filter(|_| by_robot).cloned(),
        reporter: message.from.clone(),
        by_robot,
    })
}

fn is_robot_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| matches!(w, "robot" | "bot" | "ci" | "syzbot" | "lkp"))
}

/// The commit that an answer is about, as far as it tells itself: named in its subject, or in the report that it quotes.
pub(super) fn blamed(message: &Message) -> Option<String> {
    let words = message.subject.split([' ', ':', '[', ']', '(', ')']);
    words.clone().find(|w| is_commit(w)).map(str::to_owned).or_else(|| {
        message.body.lines().take(80).find_map(|line| {
            let quoted = line.trim_start().starts_with('>');
            let rest = line.trim_start_matches(['>', ' ', '#']).strip_prefix("commit:")?;
            rest.split_whitespace().next().filter(|w| quoted && is_commit(w)).map(str::to_owned)
        })
    })
}

fn is_commit(word: &str) -> bool {
    (8..=40).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}

/// The commit that the subject names, else the first `commit:` line.
fn culprit(message: &Message) -> Option<String> {
    let body = message.body.lines().take(60).find_map(|line| {
        let rest = line.trim_start_matches(['>', ' ', '#']).strip_prefix("commit")?;
        rest.trim_start_matches([':', ' '])
            .split_whitespace()
            .next()
            .filter(|w| is_commit(w))
            .map(str::to_owned)
    });
    body.or_else(|| {
        message
            .subject
            .split([' ', ':', '[', ']', '(', ')'])
            .find(|w| is_commit(w))
            .map(str::to_owned)
    })
}
