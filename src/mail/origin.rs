//! Where a mail comes from, decided before any rule reads a word of it.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::identity::is_robot_name;
use super::{BlockKind, Identity, Message};

/// The sort of sender and purpose of a mail. Machine mail never moves a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Sent by ourselves and seen again (a list's echo confirms delivery; its commands are disarmed).
    Own,
    /// Vacation notes, ticket systems, anything with Auto-Submitted other than `no` that is not a known robot's report.
    AutoReply,
    /// Delivery status of something that somebody sent (RFC 3464, or an older shape).
    Bounce,
    /// List software asking or telling (held for approval, confirm subscription).
    Moderation,
    /// Carries benchmark results for us.
    Notification,
    /// Tells a list of a regression or improvement: another robot's or a person's report.
    Report,
    /// A person's mail in a thread.
    Reply,
    /// A patch posting (`[PATCH ...]`, or a commit mail).
    Patch,
    /// Everything else.
    Other,
}

impl Origin {
    /// Whether mail of this origin is written by a person who takes part in a thread.
    pub fn is_human(self) -> bool {
        matches!(self, Origin::Reply | Origin::Patch | Origin::Report | Origin::Other)
    }

    /// Whether a machine wrote it: nothing in it moves a state.
    pub fn is_machine(self) -> bool {
        matches!(self, Origin::Own | Origin::AutoReply | Origin::Bounce | Origin::Moderation)
    }
}

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("{error}"))
}

/// `Re:` in the languages of usual mail programs, repeated, numbered, or behind a list's tag.
static ANSWER: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)^\s*(\[[^\]]{1,40}\]\s*)?((re|aw|antw|sv|vs|res|odp|ynt|rif|ref|回复|回覆|答复|返信|fwd?|wg|tr|rv|转发|轉寄)(\[\d+\]|\^\d+)?\s*[:：]\s*)+",
    )
});

static UNDELIVERED: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)undeliver(ed|able)|delivery (status|failure|has failed|incomplete|delayed)|failure notice|returned (mail|to sender)|mail (delivery|system) (failed|failure|error)|could not be delivered|nicht zustellbar|unzustellbar|non remis|退信|系统退信",
    )
});

static AUTOMATIC: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)^\W*(out of (the )?office|automatic reply|auto(matic|mated)?[- ]?(reply|response|antwort)|automatische antwort|abwesenheits?(notiz|nachricht)?\b|réponse automatique|absence du bureau|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automaattinen vastaus|automatická odpověď|自动回复|自動回覆|自動応答|부재중|автоответ|vacation (reply|notice)|ooo\b|away:)|\[(ticket|case|request)\s?[#:]",
    )
});

static ADMINISTRIVIA: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)(awaits|requires|waiting for|pending) (moderator )?(approval|moderation)|moderator approval|^\s*confirm [0-9a-f]{8,}|your (subscription|message|post|mail) to .{1,80}(held|awaits|confirmation|rejected|has been)|confirm(ation)? (your|of|is required).{0,40}(subscription|post|message)|welcome to the .{1,60}(mailing list|group)|you are not (subscribed|allowed to post)|non-?member post|post by non-member|message (rejected|held)",
    )
});

static REPORTED: LazyLock<Regex> =
    LazyLock::new(|| compile(r"(?i)\b(regression|improvement|regressed|slowdown|degradation)s?\b"));

/// How robots put it.
static ROBOT_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"(?i)\bnoticed (a|an|the following) .{0,60}\b(regression|improvement|change|failure)|\bno primary kpi change\b|\bnoticed ".{1,200}" on\b|\bwe noticed .{1,200}\bdue to commit|\bwe noticed the following commit\b"#,
    )
});

/// The line that names the culprit.
static CULPRIT: LazyLock<Regex> =
    LazyLock::new(|| compile(r"(?im)^\W{0,4}commit:?\s+[0-9a-f]{8,40}\b"));

/// Whether the subject answers another mail (`Re:`, `AW:`, `回复:`, ...), or forwards it.
pub fn is_answer_subject(subject: &str) -> bool {
    ANSWER.is_match(subject)
}

/// The subject without `Re:`, `Fwd:` and the like, trimmed.
pub fn bare_subject(subject: &str) -> &str {
    let end = ANSWER.find(subject).map_or(0, |m| m.end());
    // A list's tag that stood before the `Re:` goes with it.
    subject[end..].trim()
}

/// `[PATCH ...]` or `[RFC PATCH ...]` at the front, not answered.
pub(super) fn is_patch_subject(subject: &str) -> bool {
    let subject = subject.trim_start();
    let tag = subject
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map(|(tag, _)| tag.to_ascii_uppercase());
    tag.is_some_and(|tag| {
        tag.split([' ', ',', ':']).any(|word| word == "PATCH" || word.starts_with("PATCH"))
    })
}

/// The title of a posted patch: what stands behind `[PATCH v2 1/3]`. `None` for other mail.
pub fn patch_title(subject: &str) -> Option<&str> {
    let mut rest = is_patch_subject(subject).then(|| subject.trim_start())?;
    while let Some((_, after)) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        rest = after.trim_start();
    }
    Some(rest.trim_end()).filter(|title| !title.is_empty())
}

/// Decides what sort of mail this is. Headers first, words last.
pub fn origin(message: &Message, identity: &Identity) -> Origin {
    let notification = is_notification(message);
    if is_own(message, identity, notification) {
        return Origin::Own;
    }
    if is_bounce(message) {
        return Origin::Bounce;
    }
    if is_moderation(message) {
        return Origin::Moderation;
    }
    if notification {
        return Origin::Notification;
    }
    let known = message.from.as_ref().is_some_and(|from| identity.is_robot(from));
    let robot = known || message.from.as_ref().is_some_and(|from| is_robot_name(&from.name));
    if !known && is_automatic(message) {
        return if is_report(message, robot) { Origin::Report } else { Origin::AutoReply };
    }
    if is_patch_subject(&message.subject) || is_commit_mail(message) {
        return Origin::Patch;
    }
    if is_report(message, robot) {
        return Origin::Report;
    }
    let threaded = !message.in_reply_to.is_empty() || !message.references.is_empty();
    let quotes = || {
        message
            .blocks
            .iter()
            .any(|b| matches!(b.kind, BlockKind::Quote(_) | BlockKind::Attribution))
    };
    if threaded || is_answer_subject(&message.subject) || quotes() {
        Origin::Reply
    } else {
        Origin::Other
    }
}

fn is_own(message: &Message, identity: &Identity, notification: bool) -> bool {
    let ours = |domain: &str| {
        !domain.is_empty() && domain.eq_ignore_ascii_case(&identity.message_id_domain)
    };
    let id_domain =
        message.id.as_ref().and_then(|id| id.as_str().rsplit_once('@')).map_or("", |(_, d)| d);
    let from_us = message.from.as_ref().is_some_and(|from| identity.is_us(from));
    let loops = message.header("x-loop").is_some_and(|value| {
        identity.addresses.iter().any(|a| value.to_ascii_lowercase().contains(&a.canonical()))
    });
    // A lab may submit results with our own mailbox; such a mail has no id of ours.
    ours(id_domain)
        || loops
        || message.header("x-regard-reason").is_some() && from_us
        || from_us && !notification
}

fn local_part(message: &Message) -> String {
    let email = message.from.as_ref().map_or("", |from| from.email.as_str());
    email.split('@').next().unwrap_or_default().to_ascii_lowercase()
}

fn is_bounce(message: &Message) -> bool {
    let has = |kind: &str| message.attachments.iter().any(|a| a.content_type == kind);
    if has("message/delivery-status") || has("message/global-delivery-status") {
        return true;
    }
    let daemon = matches!(
        local_part(message).as_str(),
        "mailer-daemon" | "postmaster" | "mail-daemon" | "maildaemon"
    );
    let nobody = message.header("return-path").is_some_and(|path| path.trim() == "<>");
    (daemon || nobody || message.header("x-failed-recipients").is_some())
        && UNDELIVERED.is_match(&message.subject)
}

fn is_moderation(message: &Message) -> bool {
    if message.header("x-list-administrivia").is_some_and(|v| v.eq_ignore_ascii_case("yes")) {
        return true;
    }
    let local = local_part(message);
    let software = ["-bounces", "-request", "-owner", "-confirm", "-leave", "-join", "-admin"]
        .iter()
        .any(|s| local.ends_with(s))
        || matches!(
            local.as_str(),
            "mailman"
                | "majordomo"
                | "listserv"
                | "sympa"
                | "mailman-owner"
                | "no-reply"
                | "noreply"
        );
    software && ADMINISTRIVIA.is_match(&message.subject)
}

/// Something automatic, by its headers (RFC 3834 and the older habits) or by its subject.
pub(super) fn is_automatic(message: &Message) -> bool {
    let submitted = message.header("auto-submitted").is_some_and(|v| {
        !v.split([';', ' ']).next().unwrap_or_default().eq_ignore_ascii_case("no")
    });
    let precedence = message.header("precedence").map(str::to_ascii_lowercase).unwrap_or_default();
    submitted
        || ["x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply-from", "x-vacation"]
            .iter()
            .any(|h| message.header(h).is_some())
        || matches!(precedence.as_str(), "auto_reply" | "junk")
        || message.content_type == "multipart/report"
        || AUTOMATIC.is_match(&message.subject)
}

/// Results for us: an attachment or a body in our JSON, attachments named `base-*` and `head-*` or in folders of these names,
/// or an LKP `job.yaml` beside its results.
fn is_notification(message: &Message) -> bool {
    let parts = || {
        let names = message.attachments.iter().map(|a| a.name.to_ascii_lowercase());
        names.map(|name| name.split(['/', '\\']).map(str::to_owned).collect::<Vec<_>>())
    };
    let named = |side: &str| {
        parts().any(|parts| {
            let (last, folders) =
                parts.split_last().map_or(("", &[][..]), |(l, f)| (l.as_str(), f));
            folders.iter().any(|folder| folder == side)
                || last.strip_prefix(side).is_some_and(|rest| rest.starts_with(['-', '_']))
        })
    };
    let file = |wanted: &str| {
        parts().any(|parts| parts.last().is_some_and(|last| last.trim_end_matches(".gz") == wanted))
    };
    let json = |bytes: &[u8]| {
        let head = &bytes[..bytes.len().min(4096)];
        head.trim_ascii_start().starts_with(b"{") && head.windows(8).any(|w| w == b"\"regard\"")
    };
    named("base") && named("head")
        || file("job.yaml") && (file("matrix.json") || file("stats.json"))
        || message.attachments.iter().any(|a| json(&a.bytes))
        || json(message.body.as_bytes())
}

/// What bots of patch queues send: a commit was merged, with its diff.
fn is_commit_mail(message: &Message) -> bool {
    message.body.starts_with("The following commit has been merged into")
        || message
            .body
            .starts_with("This is a note to let you know that I've just added the patch titled")
}

/// `[tree] [area] 1d7bb6093f: metric 12.3% regression`, as robots title their reports.
pub fn is_report_subject(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let word =
        ["regression", "improvement", "regressed", "slowdown"].iter().any(|w| lower.contains(w));
    let commit = subject.split([' ', ':', ']', '[']).any(|w| {
        (8..=40).contains(&w.len())
            && w.bytes().all(|b| b.is_ascii_hexdigit())
            && w.bytes().any(|b| b.is_ascii_digit())
    });
    word && (commit || lower.contains('%')) || commit && subject.starts_with('[')
}

/// Whether a robot's report begins here, in the thread of a posted patch too: its opening sentence and the commit stand in the
/// author's own text. What answers a report is none.
pub fn is_robot_report(message: &Message) -> bool {
    let bare = bare_subject(&message.subject);
    let answers = is_answer_subject(&message.subject) && !is_patch_subject(bare);
    !answers && ROBOT_WORDS.is_match(&first_own(message, 30)) && {
        CULPRIT.is_match(&first_own(message, 80))
    }
}

fn is_report(message: &Message, robot: bool) -> bool {
    if robot && is_robot_report(message) {
        return true;
    }
    let threaded = !message.in_reply_to.is_empty() || !message.references.is_empty();
    if threaded || is_answer_subject(&message.subject) {
        return false;
    }
    if message.header("x-regression").is_some() {
        return true;
    }
    let titled = !is_patch_subject(&message.subject) && REPORTED.is_match(&message.subject);
    titled || ROBOT_WORDS.is_match(&first_own(message, 30))
}

/// The author's own first lines.
fn first_own(message: &Message, most: usize) -> String {
    let mut text = String::new();
    for line in message.own_lines().take(most) {
        text.push_str(line.get(..400).unwrap_or(line));
        text.push('\n');
    }
    text
}
