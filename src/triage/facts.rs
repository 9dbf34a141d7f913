//! What is known of a mail besides its words, by name: rules ask with `has` and `lacks`.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

use super::figures::figures;
use super::lines::is_data;
use super::plain::{Thing, compile};
use super::sentence::Sentence;
use super::words::Words;
use crate::mail::{self, BlockKind, Message, MessageId, Origin, Trailer};
use crate::regression::Role;

/// Everything that triage is told about a mail.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The mail.
    pub message: &'a Message,
    /// Where it comes from.
    pub origin: Origin,
    /// In which role its author speaks.
    pub role: Role,
    /// Trailers of the author's own text.
    pub trailers: &'a [Trailer],
    /// The culprit, where the report names one: at least 8 hex digits.
    pub culprit: Option<String>,
    /// Message-IDs of the thread's report, and of other reports that are known to be the same.
    pub reports: Vec<MessageId>,
    /// Whether the mail has commands that were understood.
    pub commands: bool,
    /// Lines of the body that commands and their folded values take up: they are no prose.
    pub taken: Vec<Range<usize>>,
}

macro_rules! facts {
    ($($fact:ident $name:literal $what:literal,)+) => {
        /// Facts that a rule may ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fact {
            $(#[doc = $what] $fact,)+
        }

        impl Fact {
            /// Every fact with its name and meaning.
            pub const ALL: &'static [(Fact, &'static str, &'static str)] = &[$((Fact::$fact, $name, $what),)+];
        }
    };
}

facts! {
    Patch "patch" "The author posts a patch, inline or attached.",
    Attachment "attachment" "Something else than a patch or a signature is attached.",
    Posting "posting" "The mail is a patch posting of its own (`[PATCH ...]`).",
    Respin "respin" "It is a later version of a patch (`[PATCH v2 ...]`).",
    AnswersPatch "answers-patch" "The subject answers a patch posting (`Re: [PATCH ...]`).",
    LinksReport "links-report" "Closes, Link or a URL of the author's own text leads to this report.",
    Fixes "fixes" "A Fixes trailer.",
    FixesCulprit "fixes-culprit" "A Fixes trailer names the culprit.",
    Closes "closes" "A Closes or Link trailer.",
    TestedBy "tested-by" "The author gives a Tested-by.",
    ReviewedBy "reviewed-by" "The author gives a Reviewed-by or Acked-by.",
    ReportedBy "reported-by" "A Reported-by trailer.",
    NamesCommit "names-commit" "The author's words name a commit other than the culprit.",
    NamesCulprit "names-culprit" "The author's words name the culprit.",
    NamesSubject "names-subject" "The author's words name a commit subject.",
    NamesUrl "names-url" "The author's words hold a URL other than the report's.",
    NamesId "names-id" "The author's words hold a Message-ID other than the report's.",
    NamesReport "names-report" "The author's words point at another mail or report by URL or id.",
    QuotesPatch "quotes-patch" "A patch or its trailers are quoted.",
    QuotesRequest "quotes-request" "Somebody is quoted who asks to test something, or offers a patch.",
    QuotesDismissal "quotes-dismissal" "Somebody is quoted who dismisses the report.",
    FiguresAgree "figures-agree" "The author's own figures of both sides are the same.",
    FiguresDiffer "figures-differ" "The author's own figures of both sides differ.",
    Table "table" "The author shows figures of his own.",
    Words "words" "There are words of the author's own.",
    Trailers "trailers" "There are trailers of the author's own.",
    Command "command" "There are commands that were understood.",
    Robot "robot" "The author is a robot, or one of its operators.",
    CulpritAuthor "culprit-author" "The author wrote the culprit.",
    Quotes "quotes" "The mail quotes something.",
}

impl Fact {
    pub(super) fn parse(name: &str) -> Option<Fact> {
        Fact::ALL.iter().find(|(_, n, _)| *n == name).map(|(fact, ..)| *fact)
    }

    /// The name in rule files.
    pub fn name(self) -> &'static str {
        Fact::ALL.iter().find(|(fact, ..)| *fact == self).map_or("", |(_, name, _)| name)
    }
}

/// A set of facts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts(u64);

impl Facts {
    /// Whether it holds.
    pub fn has(self, fact: Fact) -> bool {
        self.0 & (1 << fact as u64) != 0
    }

    pub(super) fn add(&mut self, fact: Fact, holds: bool) {
        self.0 |= u64::from(holds) << fact as u64;
    }
}

/// Lines of the author's own that are looked at.
const OWN: usize = 2000;

static VERSION: LazyLock<Regex> =
    LazyLock::new(|| compile(r"(?i)^\s*\[[^\]]*PATCH[^\]]*\bv?([2-9]|\d\d)\b[^/\]]*(\d+/\d+)?\]"));

/// Finds every fact of a mail.
pub(super) fn facts(context: &Context<'_>, sentences: &[Sentence], words: &Words) -> Facts {
    let message = context.message;
    let mut facts = Facts::default();
    let block = |kind: BlockKind| message.blocks.iter().any(|b| b.kind == kind);
    let quotes = quotes(message);
    let tag = |names: &[&str]| context.trailers.iter().any(|t| names.contains(&t.name.as_str()));
    let patch_subject = |subject: &str| {
        subject.trim_start().starts_with('[') && subject.to_ascii_uppercase().contains("PATCH")
    };
    let bare = mail::bare_subject(&message.subject);
    let posting = context.origin == Origin::Patch;

    facts.add(
        Fact::Patch,
        block(BlockKind::Patch) || message.attachments.iter().any(mail::is_patch),
    );
    facts.add(
        Fact::Attachment,
        message.attachments.iter().any(|a| {
            !mail::is_patch(a)
                && !a.content_type.contains("signature")
                && a.content_type != "message/rfc822"
        }),
    );
    facts.add(Fact::Posting, posting);
    facts.add(Fact::Respin, posting && VERSION.is_match(&message.subject));
    facts.add(Fact::AnswersPatch, !posting && patch_subject(bare));
    facts.add(Fact::Fixes, tag(&["Fixes"]));
    facts.add(Fact::Closes, tag(&["Closes", "Link"]));
    facts.add(Fact::TestedBy, tag(&["Tested-by", "Reported-and-tested-by"]));
    facts.add(Fact::ReviewedBy, tag(&["Reviewed-by", "Acked-by"]));
    facts.add(Fact::ReportedBy, tag(&["Reported-by", "Reported-and-tested-by"]));
    facts.add(Fact::Trailers, !context.trailers.is_empty());
    facts.add(Fact::Words, !sentences.is_empty());
    facts.add(Fact::Command, context.commands);
    facts.add(Fact::Robot, context.role == Role::Robot);
    facts.add(Fact::CulpritAuthor, context.role == Role::Author);
    facts.add(Fact::Quotes, quotes.any);
    facts.add(Fact::QuotesPatch, quotes.patch);
    for fact in words.facts_of(&human_sentences(&quotes.human)) {
        facts.add(fact, true);
    }
    let (agree, differ) = figures(message, sentences);
    facts.add(Fact::FiguresAgree, agree);
    facts.add(Fact::FiguresDiffer, differ);
    facts.add(Fact::Table, has_table(message));

    let culprit = |sha: &str| context.culprit.as_deref().is_some_and(|c| same_commit(c, sha));
    let fixes = context.trailers.iter().filter(|t| t.name == "Fixes");
    facts.add(
        Fact::FixesCulprit,
        fixes.filter_map(|t| t.value.split_whitespace().next()).any(culprit),
    );
    let is_report = |text: &str| context.reports.iter().any(|id| names_id(text, id));
    let mut links = context
        .trailers
        .iter()
        .filter(|t| matches!(t.name.as_str(), "Closes" | "Link"))
        .any(|t| is_report(&t.value));
    for found in sentences.iter().flat_map(|s| &s.plain.things) {
        match found.thing {
            Thing::Commit if culprit(&found.text) => facts.add(Fact::NamesCulprit, true),
            Thing::Commit => facts.add(Fact::NamesCommit, true),
            Thing::Subject => facts.add(Fact::NamesSubject, true),
            Thing::Url | Thing::Id if is_report(&found.text) => links = true,
            Thing::Url => facts.add(Fact::NamesUrl, true),
            Thing::Id => facts.add(Fact::NamesId, true),
            _ => {}
        }
    }
    for line in message.own_lines().take(OWN) {
        let text = line.trim();
        let word = text
            .strip_prefix("commit ")
            .unwrap_or(text)
            .split_whitespace()
            .next()
            .unwrap_or_default();
        let hex = (8..=40).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_hexdigit())
            && word.bytes().any(|b| b.is_ascii_digit());
        let reference = hex
            && (text.starts_with("commit ") || text[word.len()..].trim_start().starts_with("(\""));
        if reference {
            facts.add(if culprit(word) { Fact::NamesCulprit } else { Fact::NamesCommit }, true);
        }
        let url = text.contains("://") && !is_report(text);
        facts.add(Fact::NamesUrl, url && line.starts_with([' ', '\t']));
    }
    facts.add(Fact::LinksReport, links);
    facts.add(Fact::NamesReport, facts.has(Fact::NamesUrl) || facts.has(Fact::NamesId));
    facts
}

/// Whether two commit ids of any length mean the same commit.
pub(super) fn same_commit(a: &str, b: &str) -> bool {
    let shared = a.len().min(b.len());
    shared >= 7 && a.as_bytes()[..shared].eq_ignore_ascii_case(&b.as_bytes()[..shared])
}

/// Whether a URL or any text holds the Message-ID, its slashes and signs encoded or not.
pub(super) fn names_id(text: &str, id: &MessageId) -> bool {
    let id = id.as_str();
    if text.contains(id) {
        return true;
    }
    let decoded = text
        .replace("%2F", "/")
        .replace("%2f", "/")
        .replace("%40", "@")
        .replace("%2B", "+")
        .replace("%2b", "+")
        .replace("%3D", "=")
        .replace("%3d", "=")
        .replace("%25", "%");
    decoded.contains(id)
}

/// What is quoted.
#[derive(Debug, Default)]
struct Quotes {
    any: bool,
    /// A patch, or its trailers.
    patch: bool,
    /// What of it a person may have written, without quote marks: a robot's report goes on at its depth until a shallower quote
    /// begins.
    human: String,
}

/// Bytes of all quotes that are looked at.
const QUOTED: usize = 20_000;

fn quotes(message: &Message) -> Quotes {
    let mut quotes = Quotes::default();
    let mut robot: Option<usize> = None;
    let mut left = QUOTED;
    for block in
        message.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Quote(_) | BlockKind::History))
    {
        let mut text = message.text(block);
        if text.len() > left {
            // Up to the end of a line.
            let end = text.as_bytes()[..left].iter().rposition(|b| *b == b'\n');
            text = &text[..end.map_or(0, |end| end + 1)];
        }
        left -= text.len();
        quotes.any |= !text.is_empty();
        let (patch, openings) = marks(text);
        quotes.patch |= patch;
        let mut openings = openings.into_iter().peekable();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let is_mark = |byte: &u8| matches!(byte, b'>' | b' ' | b'|');
            let (marks, words) = line.split_at(line.bytes().take_while(is_mark).count());
            let depth = marks.bytes().filter(|byte| *byte != b' ').count();
            start += line.len();
            if openings.next_if(|opening| *opening < start).is_some() {
                robot = Some(robot.map_or(depth, |other| other.min(depth)));
            } else if robot.is_some_and(|other| depth < other) && !words.trim().is_empty() {
                robot = None;
            }
            if robot != Some(depth) {
                quotes.human.push_str(words);
            }
        }
    }
    quotes
}

/// Marks in quoted text: whether there are any of a patch, and where robots begin their reports, one offset for each such line.
fn marks(text: &str) -> (bool, Vec<usize>) {
    let (mut patch, mut openings) = (false, Vec::new());
    let mut end = 0;
    let Some(marks) = MARKS.as_ref() else { return (patch, openings) };
    for hit in marks.find_iter(text) {
        if hit.pattern().as_usize() < PATCH {
            patch = true;
            continue;
        }
        if hit.start() < end {
            continue;
        }
        let start = text[..hit.start()].rfind('\n').map_or(0, |at| at + 1);
        end = text[hit.end()..].find('\n').map_or(text.len(), |at| hit.end() + at);
        if REPORTS.is_match(text[start..end].trim_start_matches(['>', ' ', '|'])) {
            openings.push(hit.start());
        }
    }
    (patch, openings)
}

/// How many of [`MARKS`] are those of a patch.
const PATCH: usize = 3;

/// Marks of a patch, and what each of [`REPORTS`] says and hardly any other line.
static MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let marks = ["Signed-off-by:", "diff --git ", "@@ -", "noticed", "Noticed", "NOTICED"];
    AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(marks).ok()
});

static REPORTS: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"(?i)\bnoticed (?:an? |the following )?.{0,60}\b(?:regression|improvement|change|failure|commit)|\brobot noticed\b|\bnoticed ".{1,200}" on\b"#,
    )
});

/// The quoted sentences that a person may have written, in normal form. A robot's own offers ("kindly add following
/// tags") and its parameters are none.
fn human_sentences(quotes: &str) -> Vec<String> {
    let robot = |line: &&str| TEMPLATE.as_ref().is_some_and(|t| t.is_match(line)) || is_data(line);
    let mut text = String::new();
    for line in quotes.lines().filter(|l| l.trim().is_empty() || !robot(l)).take(300) {
        // An empty line ends a sentence that has no stop.
        text.push_str(if line.trim().is_empty() { ". " } else { line });
        text.push(' ');
    }
    let pieces = text
        .split_inclusive(['.', '?', '!'])
        .filter(|s| s.len() < 600 && s.chars().any(char::is_alphabetic));
    pieces.take(120).map(|s| super::plain(s.trim()).text).collect()
}

/// Words of the lines that robots write and people do not.
static TEMPLATE: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::new([
        "Reported-by:",
        "Closes:",
        "tags",
        "trailers",
        "separate",
        "credit",
        "kindly",
        "resolves this",
        "not count",
        "reproduce",
        "noticed a",
        "testcase",
        "test machine",
        "parameters",
        "commit:",
        "cpufreq_governor",
        "Numbers are from",
        "may behave differently",
    ])
    .ok()
});

/// At least two lines of the author's own with figures in columns.
fn has_table(message: &Message) -> bool {
    let is_row =
        |line: &&str| line.contains("  ") && line.starts_with([' ', '\t']) || line.contains("   ");
    let is_figure = |word: &str| {
        word.trim_start_matches(['+', '-', '±', '~']).starts_with(|c: char| c.is_ascii_digit())
    };
    let rows = message.own_lines().take(OWN).filter(is_row);
    rows.filter(|line| line.split_whitespace().any(is_figure)).nth(1).is_some()
}
