//! The whole understanding of one mail.

use std::ops::Range;

use serde_json::{Value, json};

use super::report::{blamed, heads_thread};
use super::role::role;
use crate::mail::{self, Identity, Message, MessageId, Origin, Trailer};
use crate::regression::command::{self, Commands, Given};
use crate::regression::thread::{ThreadIndex, Via, link};
use crate::regression::{Role, State};
use crate::triage::{self, Context, Evidence, Explanation, Finding, Label, Reading, Rules};

/// Everything that is understood of one mail, except the report that it is or quotes (see `report::read`).
#[derive(Debug, Clone)]
pub struct Understood {
    /// Its Message-ID.
    pub id: Option<MessageId>,
    /// Where it comes from.
    pub origin: Origin,
    /// The report that it belongs to, and how that was found.
    pub report: Option<(MessageId, Via)>,
    /// In which role its author speaks.
    pub role: Role,
    /// What triage concludes; a command comes first.
    pub reading: Reading,
    /// Trailers of the author's own text and patches.
    pub trailers: Vec<Trailer>,
    /// Command lines; none for mail of our own.
    pub commands: Commands,
    /// The author's own words, without trailers' patches, quotes and signatures.
    pub new_text: String,
    /// What could not be understood.
    pub defects: Vec<String>,
    /// Why, where it was asked for.
    pub explanation: Option<Explanation>,
}

/// Understands a mail. `explain` asks for the trace of every rule.
pub fn understand(
    message: &Message,
    rules: &Rules,
    identity: &Identity,
    index: &dyn ThreadIndex,
    explain: bool,
) -> Understood {
    let mut origin = mail::origin(message, identity);
    let trailers = mail::trailers(message);
    if origin == Origin::AutoReply && is_reporter(message, &trailers, index) {
        // A robot's own mail in the thread of its report: data, not an absence note.
        origin = Origin::Reply;
    }
    let machine = origin.is_machine() || origin == Origin::Notification;
    // Bounces and list software answer us, not a thread; a report is the head of its own.
    let report = match origin {
        Origin::Bounce | Origin::Moderation | Origin::Notification => None,
        Origin::Report | Origin::Own => message
            .id
            .clone()
            .filter(|_| heads_thread(message, origin))
            .map(|id| (id, Via::References)),
        _ => link(message, &trailers, index),
    };
    let about = report.as_ref().and_then(|(id, _)| index.about(id));
    let role = role(message, &trailers, about.as_ref(), identity, rules);
    let commands = if machine { Commands::default() } else { command::parse(message) };
    let context = Context {
        message,
        origin,
        role,
        trailers: &trailers,
        culprit: match &about {
            Some(about) => about.culprit.clone(),
            None => blamed(message),
        },
        reports: report.iter().map(|(id, _)| id.clone()).collect(),
        commands: !commands.given.is_empty(),
        taken: taken(message, &commands),
    };
    let (mut reading, explanation) = if explain {
        let (reading, explanation) = triage::explain(rules, &context);
        (reading, Some(explanation))
    } else {
        (triage::read(rules, &context), None)
    };
    put_commands_first(&commands, &mut reading);
    let mut defects = message.defects.clone();
    defects.extend(commands.unclear.iter().map(|u| format!("{}: {}", u.line, u.why)));
    if commands.flood {
        defects.push("more than ten commands: none is carried out".to_owned());
    }
    Understood {
        id: message.id.clone(),
        origin,
        report,
        role,
        reading,
        trailers,
        commands,
        new_text: message.new_text(),
        defects,
        explanation,
    }
}

/// The lines that commands stand on, with those below them that their values were folded onto.
fn taken(message: &Message, commands: &Commands) -> Vec<Range<usize>> {
    if commands.given.is_empty() {
        return Vec::new();
    }
    let lines: Vec<&str> = message.body.lines().collect();
    let of = |given: &Given| {
        let at = given.at?;
        let folded = lines.get(at + 1..).unwrap_or_default().iter().take_while(|line| {
            let text = line.trim();
            !text.is_empty() && given.line.contains(text)
        });
        Some(at..at + 1 + folded.count())
    };
    commands.given.iter().filter_map(of).collect()
}

fn is_reporter(message: &Message, trailers: &[Trailer], index: &dyn ThreadIndex) -> bool {
    let about = link(message, trailers, index).and_then(|(id, _)| index.about(&id));
    let reporter = about.filter(|a| a.by_robot).and_then(|a| a.reporter);
    matches!((reporter, &message.from), (Some(reporter), Some(from)) if reporter.canonical() == from.canonical())
}

/// A command beats any verdict.
fn put_commands_first(commands: &Commands, reading: &mut Reading) {
    let moving = commands.given.iter().find(|g| g.command.moves_to().is_some());
    let Some(given) = moving.or(commands.given.first()) else { return };
    let to = given.command.moves_to();
    // Talk that found no verdict says nothing beside a command.
    reading
        .findings
        .retain(|f| !matches!(f.label, Label::NoAction | Label::RobotSelf | Label::QuoteOnly));
    reading.findings.insert(
        0,
        Finding {
            label: Label::Command,
            rule: "command".to_owned(),
            effect: to.map(|to| (Some(State::Open), to)),
            weight: 1.0,
            evidence: Evidence {
                text: given.line.clone(),
                line: given.at.unwrap_or(0),
                answers: None,
            },
            points_at: None,
        },
    );
}

impl Understood {
    /// The keys of `regard explain --json`, all but `file` and `report`.
    pub fn to_json(&self) -> Value {
        let primary = self.reading.primary();
        let effect = primary.and_then(|f| f.effect).map(
            |(from, to)| json!({ "from": from.map_or("any", State::as_str), "to": to.as_str() }),
        );
        let evidence = primary.map(|f| f.evidence.text.as_str()).filter(|t| !t.is_empty());
        json!({
            "message_id": self.id.as_ref().map(ToString::to_string),
            "origin": self.origin,
            "report_id": self.report.as_ref().map(|(id, _)| id.to_string()),
            "labels": self.reading.findings.iter().map(|f| f.label).collect::<Vec<_>>(),
            "effect": effect,
            "evidence": evidence,
            "reason": primary.map(|f| f.rule.as_str()),
            "tags": self.trailers.iter().map(|t| json!({ "name": t.name, "value": t.value })).collect::<Vec<_>>(),
            "commands": self.commands.given.iter().map(|g| g.line.as_str()).collect::<Vec<_>>(),
            "new_text": self.new_text,
            "defects": self.defects,
        })
    }
}
