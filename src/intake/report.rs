//! What reading a thread needs to know of its report.

use crate::mail::{self, Identity, Message, Origin};
use crate::regression::thread::About;

/// Reads culprit, author and reporter of a report mail; `None` when the mail is no report.
///
/// Robots write to the author of the culprit and copy everybody else: the first recipient is taken for the author.
pub fn about(message: &Message, identity: &Identity) -> Option<About> {
    let origin = mail::origin(message, identity);
    if !heads_thread(message, origin) {
        return None;
    }
    let by_robot = origin == Origin::Own
        || message.header("auto-submitted").is_some_and(|v| !v.eq_ignore_ascii_case("no"))
        || message.from.as_ref().is_some_and(|f| identity.is_robot(f))
        || message.from.as_ref().is_some_and(|f| mail::is_robot_name(&f.name));
    Some(About {
        culprit: culprit(message),
        author: message.to.first().filter(|_| by_robot).cloned(),
        reporter: message.from.clone(),
        by_robot,
    })
}

/// Whether a report begins here. Our own follow-ups answer theirs; what we or a robot answer a posted patch with begins anew.
pub fn heads_thread(message: &Message, origin: Origin) -> bool {
    match origin {
        Origin::Report => true,
        Origin::Own => message.in_reply_to.is_empty() || mail::is_robot_report(message),
        _ => false,
    }
}

/// The commit that the subject names, else the first `commit:` line.
fn culprit(message: &Message) -> Option<String> {
    let is_commit = |word: &&str| {
        (8..=40).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_hexdigit())
            && word.bytes().any(|b| b.is_ascii_digit())
    };
    let body = message.body.lines().take(60).find_map(|line| {
        let rest = line.trim_start_matches(['>', ' ', '#']).strip_prefix("commit")?;
        rest.trim_start_matches([':', ' '])
            .split_whitespace()
            .next()
            .filter(is_commit)
            .map(str::to_owned)
    });
    body.or_else(|| {
        message.subject.split([' ', ':', '[', ']', '(', ')']).find(is_commit).map(str::to_owned)
    })
}
