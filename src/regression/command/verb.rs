//! What can be asked, under which names, in whose vocabulary.

use super::Marker;

/// How the value of a verb is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// None.
    Nothing,
    /// A text that must not be empty.
    Text,
    /// A text that may be missing.
    Reason,
    /// A commit, or a subject.
    Fix,
    /// A report: URL, Message-ID, title or our own id.
    Report,
    /// A commit or range, then perhaps a target.
    Range,
    /// A URL, then perhaps a text.
    Link,
    /// `^`, `/` or a URL.
    Target,
    /// Nothing, or a repository and a branch.
    Tree,
    /// A label with values.
    Label,
}

/// One verb.
#[derive(Debug)]
pub struct Verb {
    /// Its usual name.
    pub name: &'static str,
    /// Other names that people type.
    pub aliases: &'static [&'static str],
    pub(super) markers: &'static [Marker],
    pub(super) shape: Shape,
    /// What it does, for `help`.
    pub does: &'static str,
}

const REGARD: Marker = Marker::Regard;
const REGZBOT: Marker = Marker::Regzbot;
const SYZ: Marker = Marker::Syz;
const TRACKERS: &[Marker] = &[REGARD, REGZBOT];
const ALL: &[Marker] = &[REGARD, REGZBOT, SYZ];

macro_rules! verbs {
    ($($name:literal $aliases:expr, $markers:expr, $shape:ident, $does:literal;)+) => {
        /// Every verb.
        pub const VERBS: &[Verb] = &[$(Verb { name: $name, aliases: &$aliases, markers: $markers, shape: Shape::$shape, does: $does },)+];
    };
}

verbs! {
    "status" [], &[REGARD], Nothing, "answers how it stands";
    "help" ["?", "commands"], &[REGARD], Nothing, "answers with this list";
    "introduced" ["^introduced", "introduced^", "introduced-by", "introducedby", "^introduced-by"], TRACKERS, Range, "tracks the mail that this answers, or corrects the culprit: a commit or a range";
    "title" ["subject", "summary", "retitle"], TRACKERS, Text, "renames it";
    "fix" ["fixed-by", "fixedby", "fixed", "fixes", "fixed_by"], ALL, Fix, "names the commit or the subject that fixes it";
    "unfix" [], &[REGARD, SYZ], Nothing, "forgets the announced fix";
    "dup-of" ["dup", "dupe", "dupof", "duplicate", "duplicate-of", "dupe-of", "duplicateof"], ALL, Report, "it is the same as that one";
    "undup" ["undupe", "not-dup"], &[REGARD, SYZ], Nothing, "it is not the same after all";
    "invalid" ["notabug", "not-a-regression"], ALL, Reason, "there never was a regression";
    "resolve" ["resolved", "solved", "close", "closed"], TRACKERS, Reason, "it is done with";
    "inconclusive" [], TRACKERS, Reason, "it cannot be told";
    "expected" ["intended", "by-design"], &[REGARD], Reason, "it is intended, or unavoidable";
    "wont-fix" ["wontfix", "won't-fix", "accepted"], &[REGARD], Reason, "it is accepted, nobody will work on it";
    "reopen" ["re-open", "open", "unresolve", "uninvalid"], &[REGARD], Reason, "opens it again";
    "undo" ["revert"], &[REGARD], Nothing, "takes the last change back";
    "monitor" ["related", "^backmonitor", "backmonitor", "follow"], TRACKERS, Link, "follows that thread, too";
    "link" ["relatebrief", "links"], TRACKERS, Link, "shows that link";
    "unlink" ["unmonitor", "unrelated", "unfollow"], TRACKERS, Link, "removes a link, or stops following a thread";
    "snooze" ["later", "remind"], &[REGARD], Text, "no reminders until then: a date, or a number of days";
    "backburn" ["backburner", "back-burner", "back-burn"], TRACKERS, Reason, "low priority";
    "unbackburn" ["unbackburner", "un-backburn"], TRACKERS, Nothing, "normal priority again";
    "note" ["poke", "comment"], TRACKERS, Reason, "leaves a note in the history";
    "ignore-activity" ["activity-ignore", "ignore"], TRACKERS, Nothing, "this mail is no activity";
    "from" ["reporter", "reported-by"], TRACKERS, Text, "somebody else reported it";
    "use" ["report"], TRACKERS, Target, "the following commands act on that report";
    "not-me" ["notme", "wrong-person"], &[REGARD], Nothing, "tells that you are not the right person";
    "opt-out" ["optout", "uncc", "unsubscribe", "stop"], &[REGARD, SYZ], Nothing, "never mails you again, or, with `this` behind it, not about this one";
    "retest" ["rerun", "re-test", "rebisect"], &[REGARD], Nothing, "runs the benchmark again";
    "test" ["try"], &[REGARD, SYZ], Tree, "tests the attached patch, or a repository and a branch";
    "send" ["release", "report-now"], &[REGARD], Nothing, "sends the held report";
    "upstream" [], &[SYZ], Nothing, "goes to the next stage";
    "set" [], &[SYZ], Label, "sets a label";
    "unset" [], &[SYZ], Label, "removes a label";
    "regenerate" [], &[SYZ], Nothing, "makes the list again";
    "reject" [], &[SYZ], Nothing, "throws the held mail away";
    "unreject" [], &[SYZ], Nothing, "holds it again";
}

impl Verb {
    /// The verb of that name in a vocabulary. Every verb of the others works with `#regard`, too.
    pub(super) fn named(marker: Marker, name: &str) -> Option<&'static Verb> {
        VERBS
            .iter()
            .find(|verb| verb.speaks(marker) && (verb.name == name || verb.aliases.contains(&name)))
    }

    fn speaks(&self, marker: Marker) -> bool {
        self.markers.contains(&marker) || marker == REGARD
    }

    /// The verb of that name in any vocabulary.
    pub fn any(name: &str) -> Option<&'static Verb> {
        Verb::named(REGARD, &name.to_lowercase())
    }

    /// Every name of every verb.
    pub fn every_name() -> Vec<String> {
        Verb::names(REGARD)
    }

    /// What stands behind it, in words; empty when nothing does.
    pub fn value(&self) -> &'static str {
        match self.shape {
            Shape::Nothing => "",
            Shape::Text => "a text",
            Shape::Reason => "a reason, or nothing",
            Shape::Fix => "a commit, its subject, or the URL or Message-ID of a patch",
            Shape::Report => "a URL, Message-ID, title or id",
            Shape::Range => {
                "a commit or a range; then perhaps `^` (the mail that this answers), `/` (the first of the thread) or a URL"
            }
            Shape::Link => "a URL; then perhaps a text",
            Shape::Target => "`^`, `/` or a URL",
            Shape::Tree => "nothing (the attached patch), or a repository and a branch",
            Shape::Label => "a label; then perhaps a colon and values",
        }
    }

    /// The vocabularies that have it; `#regard` has all of them.
    pub fn markers(&self) -> Vec<Marker> {
        [REGARD, REGZBOT, SYZ].into_iter().filter(|m| self.speaks(*m)).collect()
    }

    /// How it is written in a vocabulary: syzbot knows `dup`, regzbot `dup-of`.
    pub(super) fn spelled(&self, marker: Marker) -> &'static str {
        match (marker, self.name) {
            (Marker::Syz, "dup-of") => "dup",
            (Marker::Syz, "opt-out") => "uncc",
            (_, name) => name,
        }
    }

    /// Every name that works with a marker.
    pub(super) fn names(marker: Marker) -> Vec<String> {
        let verbs = VERBS.iter().filter(|verb| verb.speaks(marker));
        verbs
            .flat_map(|verb| {
                std::iter::once(verb.spelled(marker)).chain(verb.aliases.iter().copied())
            })
            .map(str::to_owned)
            .collect()
    }
}
