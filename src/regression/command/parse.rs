//! Command lines to [`Command`]s.

use super::lines::{Line, lines};
use super::value::{Reference, Target, is_placeholder, title, unquoted};
use super::verb::{Shape, Verb};
use super::{Command, Commands, Given, Marker, Unclear};
use crate::mail::Message;

/// Commands that one mail may hold.
const MOST: usize = 10;

/// Reads every command line of a mail. Whether the mail's author may give commands, and whether it is our own mail sent
/// back, is not decided here.
pub fn parse(message: &Message) -> Commands {
    let mut commands = Commands::default();
    let lines = lines(message);
    if lines.len() > super::lines::MOST {
        return Commands { given: Vec::new(), unclear: Vec::new(), flood: true };
    }
    for line in lines {
        if commands.given.len() + commands.unclear.len() >= MOST {
            return Commands { given: Vec::new(), unclear: Vec::new(), flood: true };
        }
        match read(&line) {
            Read::Given(given) => commands.given.push(given),
            Read::Unclear(unclear) => commands.unclear.push(unclear),
            Read::Nothing => {}
        }
    }
    // What is to be tested lies on top of what it was written for.
    for given in &mut commands.given {
        if let Command::Test { repository, branch } = &mut given.command
            && repository.is_empty()
            && let Some(base) = base_commit(message)
        {
            *branch = base;
        }
    }
    // What opens a regression comes first, what only notes comes last.
    commands.given.sort_by_key(|given| match given.command {
        Command::Introduced { .. } => 0,
        Command::Note(_) | Command::IgnoreActivity => 2,
        _ => 1,
    });
    commands
}

/// The commit that a posted patch lies on, as git format-patch writes it below: `base-commit: <40 hex digits>`, alone on its line.
fn base_commit(message: &Message) -> Option<String> {
    let attached = message.attachments.iter().filter(|a| a.content_type.starts_with("text/"));
    let attached = attached.filter_map(|a| std::str::from_utf8(&a.bytes).ok());
    let value = std::iter::once(message.body.as_str())
        .chain(attached)
        .flat_map(str::lines)
        .find_map(|line| line.strip_prefix("base-commit:"))?
        .trim();
    let whole = value.len() == 40 && value.bytes().all(|b| b.is_ascii_hexdigit());
    whole.then(|| value.to_ascii_lowercase())
}

/// Reads one line that stands alone, as the command line of a terminal gives it. `None` when it is no command at all.
pub fn parse_line(line: &str) -> Option<Result<Given, Unclear>> {
    let (marker, rest) = super::lines::marker_of(line)?;
    match read(&Line::alone(marker, rest)) {
        Read::Given(given) => Some(Ok(given)),
        Read::Unclear(unclear) => Some(Err(unclear)),
        Read::Nothing => None,
    }
}

enum Read {
    Given(Given),
    Unclear(Unclear),
    /// A template, or nothing behind the marker.
    Nothing,
}

fn read(line: &Line) -> Read {
    let mut line = line.clone();
    // The verb itself broken off onto the next line.
    if line.rest.trim().is_empty() {
        match line.below.first() {
            Some(next) if !next.trim().is_empty() => {
                line.rest = next.trim().to_owned();
                line.below.remove(0);
            }
            _ => return Read::Nothing,
        }
    }
    let rest = line.rest.trim();
    let (word, value) = verb_of(rest);
    let name = word.to_lowercase();
    let Some(verb) = Verb::named(line.marker, &name) else {
        return unknown(&line, &name, rest);
    };
    let value = fold(&line, verb.shape, value);
    if is_placeholder(&value) {
        return Read::Nothing;
    }
    match command(verb, &name, &value) {
        Ok(command) => {
            let target = match &command {
                Command::Introduced { target: Target::Parent, .. } if !value.contains('^') => "^",
                _ => "",
            };
            let spelled = verb.spelled(line.marker);
            let shown = shown(&command, &value);
            let text = if shown.is_empty() {
                format!("{} {target}{spelled}", line.marker.as_str())
            } else {
                format!("{} {target}{spelled}: {shown}", line.marker.as_str())
            };
            Read::Given(Given { marker: line.marker, command, line: text, at: line.at })
        }
        Err(why) => Read::Unclear(Unclear {
            line: typed(&line),
            why: why.to_owned(),
            did_you_mean: example(verb, line.marker),
        }),
    }
}

/// The verb and its value: parted by a colon, a blank, or both.
fn verb_of(rest: &str) -> (&str, &str) {
    let end = rest.find([':', ' ', '\t']).unwrap_or(rest.len());
    let value = rest[end..].trim_start().trim_start_matches(':').trim();
    (rest[..end].trim_end_matches([',', '.', '!']), value)
}

/// The whole value, unfolded.
fn fold(line: &Line, shape: Shape, value: &str) -> String {
    let mut text = value.trim().to_owned();
    let below = line.below.iter().map(|l| l.as_str());
    match shape {
        // Two words, wherever they stand; without a colon only those of the line itself.
        Shape::Tree => {
            if !line.rest.trim_start().get(..5).is_some_and(|v| v.ends_with(':')) {
                return text;
            }
            // Behind an empty line anything may stand: a repository is known by its address, a branch is a word alone.
            let bare = text.is_empty() && line.below.is_empty();
            let fits = |l: &&str| match bare {
                true => l.contains("://"),
                false => !l.trim().contains([' ', ',']),
            };
            let further = line.further.iter().map(|l| l.as_str()).skip_while(|l| !fits(l));
            for word in below.chain(further).flat_map(str::split_whitespace) {
                if text.split_whitespace().count() >= 2 {
                    break;
                }
                text.push(' ');
                text.push_str(word);
            }
            text.trim().to_owned()
        }
        Shape::Nothing => text,
        _ => {
            let mut longest = line.rest.len() + line.marker.as_str().len() + 1;
            for next in below {
                let indented = next.starts_with([' ', '\t']);
                let wrapped = line.marker != Marker::Syz && longest >= 60 && !is_new_thought(next);
                if !(text.is_empty() || indented || wrapped) {
                    break;
                }
                // A dash at the end of a line joins without a blank.
                if !text.is_empty() && !text.ends_with('-') {
                    text.push(' ');
                }
                text.push_str(next.trim());
                longest = next.len();
                if line.marker == Marker::Syz {
                    break;
                }
            }
            text
        }
    }
}

/// A line that does not go on with the value above it: thanks, a name, a trailer.
fn is_new_thought(line: &str) -> bool {
    let text = line.trim();
    let lower = text.to_lowercase();
    let closing = ["thanks", "thank you", "cheers", "best", "regards", "ciao", "hth", "--"]
        .iter()
        .any(|c| lower.starts_with(c));
    let name =
        text.split_whitespace().count() <= 2 && text.chars().next().is_some_and(char::is_uppercase);
    let trailer = text
        .split_once(':')
        .is_some_and(|(n, _)| n.ends_with("-by") || n == "Link" || n == "Closes" || n == "Fixes");
    closing || name || trailer
}

fn command(verb: &Verb, typed: &str, value: &str) -> Result<Command, &'static str> {
    let text = unquoted(value).to_owned();
    let reference = || Reference::read(value);
    match verb.shape {
        Shape::Text if text.is_empty() => return Err("a text is missing"),
        Shape::Fix if text.chars().count() < 3 => return Err("a commit or its subject is missing"),
        Shape::Report if text.is_empty() => {
            return Err("the other report is missing: a URL, a Message-ID or its title");
        }
        Shape::Link if !value.contains("://") => return Err("a URL is missing"),
        Shape::Range if text.is_empty() => return Err("a commit or a range of commits is missing"),
        Shape::Label if text.is_empty() => return Err("a label is missing"),
        _ => {}
    }
    Ok(match verb.name {
        "status" => Command::Status,
        "help" => Command::Help,
        "title" => Command::Title(text),
        "introduced" => introduced(typed, value)?,
        "fix" => Command::Fix(reference().ok_or("a commit or its subject is missing")?),
        "unfix" => Command::Unfix,
        "dup-of" => Command::DupOf(reference().ok_or("the other report is missing")?),
        "undup" => Command::Undup,
        "invalid" => Command::Invalid(text),
        "resolve" => Command::Resolve(text),
        "inconclusive" => Command::Inconclusive(text),
        "expected" => Command::Expected(text),
        "wont-fix" => Command::WontFix(text),
        "reopen" => Command::Reopen(text),
        "undo" => Command::Undo,
        "monitor" | "link" | "unlink" => {
            let (url, label) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
            let (url, label) = (url.trim_matches(['<', '>']).to_owned(), label.trim().to_owned());
            match verb.name {
                "monitor" => Command::Monitor(url, label),
                "link" => Command::Link(url, label),
                _ => Command::Unlink(url),
            }
        }
        "snooze" => Command::Snooze(text),
        "backburn" => Command::Backburn(text),
        "unbackburn" => Command::Unbackburn,
        "note" => Command::Note(text),
        "ignore-activity" => Command::IgnoreActivity,
        "from" => Command::From(text),
        "use" => Command::Use(Target::read(value).ok_or("`^`, `/` or a URL is missing")?),
        "not-me" => Command::NotMe,
        "opt-out" => {
            let this = ["this", "here", "thread"].iter().any(|w| text.starts_with(w));
            Command::OptOut { all: typed != "uncc" && !this }
        }
        "retest" => Command::Retest,
        "test" => {
            let mut words = value.split_whitespace();
            let (repository, branch) =
                (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            if !repository.is_empty() && branch.is_empty() {
                return Err("a branch or commit is missing behind the repository");
            }
            Command::Test { repository: repository.to_owned(), branch: branch.to_owned() }
        }
        "send" => Command::Send,
        "upstream" => Command::Upstream,
        "set" => {
            let (label, values) = value.split_once([':', ' ']).unwrap_or((value, ""));
            let values = values
                .trim_start_matches([':', ' '])
                .split([',', ' '])
                .map(str::trim)
                .filter(|v| !v.is_empty());
            Command::Set(label.trim().to_owned(), values.map(str::to_owned).collect())
        }
        "unset" => Command::Unset(text),
        "reject" => Command::Reject,
        "unreject" => Command::Unreject,
        "regenerate" => Command::Regenerate,
        _ => return Err("this verb is not known"),
    })
}

/// `v6.1..v6.2 ^`, `1d7bb6093f ("mm: x")`, `<range> <url>`.
fn introduced(typed: &str, value: &str) -> Result<Command, &'static str> {
    let mut words = value.split_whitespace();
    let range = words.next().unwrap_or_default().trim_matches(['"', '\'']).to_owned();
    let named = words.next().unwrap_or_default();
    let target = match Target::read(named) {
        Some(Target::This) | None if typed.contains('^') => Target::Parent,
        Some(target) => target,
        None => Target::This,
    };
    let commitish = range.contains("..")
        || range.starts_with('v')
        || super::value::is_commit(&range)
        || range.contains('-')
        || range.contains('/');
    if commitish {
        Ok(Command::Introduced { range, target })
    } else {
        Err("a commit or a range of commits is missing")
    }
}

/// The value as it is shown in the line as understood.
fn shown(command: &Command, value: &str) -> String {
    match command {
        Command::Set(label, values) if values.is_empty() => label.clone(),
        Command::Set(label, values) => format!("{label}: {}", values.join(", ")),
        Command::Test { repository, branch } => format!("{repository} {branch}").trim().to_owned(),
        Command::Fix(Reference::Subject(_)) | Command::DupOf(Reference::Subject(_)) => {
            title(value).to_owned()
        }
        Command::Status
        | Command::Help
        | Command::Unfix
        | Command::Undup
        | Command::Undo
        | Command::NotMe
        | Command::Regenerate
        | Command::Retest
        | Command::Send
        | Command::Upstream
        | Command::Reject
        | Command::Unreject
        | Command::Unbackburn
        | Command::IgnoreActivity => String::new(),
        _ => value.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn typed(line: &Line) -> String {
    format!("{} {}", line.marker.as_str(), line.rest.trim())
}

/// No verb of that name: is one meant?
fn unknown(line: &Line, name: &str, rest: &str) -> Read {
    let marker = line.marker.as_str();
    // `#syz set-subsystems: mm`, `#syz set: subsystems mm`.
    if let Some(label) = name.strip_prefix("set-").filter(|_| line.marker == Marker::Syz) {
        let (_, value) = verb_of(rest);
        let fixed = Line { rest: format!("set {label}: {value}"), ..line.clone() };
        return read(&fixed);
    }
    if is_placeholder(rest) {
        return Read::Nothing;
    }
    let value = verb_of(rest).1;
    let near = crate::triage::nearest(name, &Verb::names(line.marker))
        .and_then(|near| Verb::named(line.marker, &near));
    // `#syz mm: cap the batch`, `#regzbot 1d7bb6093f ("x")`: the verb was forgotten before a title or commit.
    let titled = rest
        .split_once(": ")
        .is_some_and(|(area, words)| area.len() <= 30 && words.split_whitespace().count() >= 2);
    let commit = super::value::is_commit(name);
    let (why, did_you_mean) = match near {
        Some(verb) if !commit => {
            let value = if value.is_empty() { String::new() } else { format!(": {value}") };
            (
                format!("`{name}` is no command"),
                Some(format!("{marker} {}{value}", verb.spelled(line.marker))),
            )
        }
        _ if titled || commit => {
            ("the verb is missing".to_owned(), Some(format!("{marker} fix: {rest}")))
        }
        _ => (format!("`{name}` is no command"), None),
    };
    Read::Unclear(Unclear { line: typed(line), why, did_you_mean })
}

fn example(verb: &Verb, marker: Marker) -> Option<String> {
    let value = match verb.shape {
        Shape::Fix => ": <commit or its subject>",
        Shape::Report => ": <URL of the other report>",
        Shape::Range => ": <commit or range>",
        Shape::Link => ": <URL>",
        Shape::Tree => ": <repository> <branch>",
        Shape::Label => " <label>: <values>",
        Shape::Text => ": <text>",
        _ => "",
    };
    Some(format!("{} {}{value}", marker.as_str(), verb.spelled(marker)))
}
