//! A scene of the rehearsal, as people read it.

use jiff::Timestamp;

use super::list::clip;
use super::{output, show};
use crate::daemon::{Scene, Story, Understood};
use crate::engine::Effect;
use crate::mail::Address;
use crate::store::OutboxRow;

/// The paragraph that tells a scene, with an empty line behind it.
pub(super) fn scene(scene: &Scene) -> String {
    match scene {
        Scene::Mail { name, at, story } => {
            let mut lines = vec![format!("{}  mail in: {name}", time(*at))];
            lines.push(fact(
                "from",
                &format!("{}: {}", from(story.from.as_ref()), clip(&story.subject, 80)),
            ));
            if let Some(origin) = story.origin {
                lines.push(fact("is", &output::word(&origin)));
            }
            lines.extend(story.understood.iter().flat_map(understood));
            lines.extend(decided(story));
            paragraph(lines)
        }
        Scene::Tick { at, story } => {
            let mut lines = vec![format!("{}  time passes", time(*at))];
            lines.extend(decided(story));
            paragraph(lines)
        }
        Scene::Sent { at, row, file } => {
            let mut lines = vec![format!("{}  mail out: {}", time(*at), file.display())];
            lines.push(fact("subject", &clip(&row.subject, 90)));
            lines.push(fact("to", &recipients(row)));
            lines.push(fact("because", &row.reason));
            paragraph(lines)
        }
    }
}

fn paragraph(lines: Vec<String>) -> String {
    lines.join("\n") + "\n\n"
}

fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

fn fact(name: &str, text: &str) -> String {
    format!("    {name:<11} {text}")
}

fn from(address: Option<&Address>) -> String {
    address.map_or_else(
        || "nobody".to_owned(),
        |a| if a.name.is_empty() { a.email.clone() } else { a.name.clone() },
    )
}

fn recipients(row: &OutboxRow) -> String {
    row.recipients
        .iter()
        .map(|r| format!("{} ({})", r.address, r.why))
        .collect::<Vec<_>>()
        .join(", ")
}

fn understood(what: &Understood) -> Vec<String> {
    match what {
        Understood::Known => vec![fact("understood", "seen before: nothing is done twice")],
        Understood::Results { title, overall } => vec![
            fact("understood", title),
            fact("statistics", &format!("{}: {}", output::word(&overall.kind), overall.reason)),
        ],
        Understood::Malformed { part, problems } => {
            let mut lines = vec![fact(
                "understood",
                &format!("{part} cannot be read; the mail is kept in quarantine"),
            )];
            lines.extend(problems.iter().map(|p| fact("", p)));
            lines
        }
        Understood::Report { title } => {
            vec![fact("understood", &format!("somebody's report: {title}"))]
        }
        Understood::Reply(reading) => {
            if reading.findings.is_empty() {
                return vec![fact(
                    "understood",
                    "undecided: no rule is sure; on the operator's review list",
                )];
            }
            let line = |f: &crate::triage::Finding| {
                fact(
                    "understood",
                    &format!("{}: \"{}\" [{}]", f.label, clip(&f.evidence.text, 80), f.rule),
                )
            };
            reading.findings.iter().map(line).collect()
        }
        Understood::Echo { outbox } => {
            vec![fact(
                "understood",
                &format!("our own mail {outbox} came back over a list: delivered"),
            )]
        }
        Understood::Bounce { recipients } => recipients
            .iter()
            .map(|(who, why)| fact("understood", &format!("not delivered to {who}: {why}")))
            .collect(),
        Understood::Commit { tree, commit, subject } => {
            let short: String = commit.chars().take(12).collect();
            vec![fact("understood", &format!("commit {short} in {tree}: {subject}"))]
        }
        Understood::Quarantined { why } => {
            vec![fact("understood", &format!("put into quarantine: {why}"))]
        }
    }
}

fn decided(story: &Story) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for effect in &story.effects {
        match effect {
            Effect::Append(id, entry) => {
                lines.push(fact("decided", &format!("{id}: {}", show::happening(&entry.what))));
            }
            Effect::Send(draft) => {
                let hold = draft.hold.as_ref().map_or_else(String::new, |h| format!(", held: {h}"));
                lines.push(fact("decided", &format!("write {}{hold}", draft.key)));
            }
            Effect::Await { id, .. } => {
                lines.push(fact(
                    "decided",
                    &format!("nobody is written to yet; round two is awaited as {id}"),
                ));
            }
            Effect::Settle { id } => {
                lines.push(fact("decided", &format!("round two of {id} is here")))
            }
            Effect::Review { why, .. } => {
                lines.push(fact("decided", &format!("a person should look ({why})")))
            }
            Effect::Nothing(why) => lines.push(fact("decided", &format!("nothing to do ({why})"))),
            Effect::Release(id) => {
                lines.push(fact("decided", &format!("the held report of {id} may go out")))
            }
            Effect::Reject(id) => {
                lines.push(fact("decided", &format!("the held letters of {id} are thrown away")))
            }
            Effect::Unreject(id) => {
                lines.push(fact("decided", &format!("the letters of {id} are held again")))
            }
            Effect::OptOut { email } => {
                lines.push(fact("decided", &format!("{email} is never written to again")))
            }
            Effect::Join(..) | Effect::Leave(..) | Effect::Keep { .. } => {}
        }
    }
    if lines.is_empty() && story.origin.is_some() {
        lines.push(fact("decided", "nothing to do"));
    }
    lines
}
