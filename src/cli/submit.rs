//! `regard submit`: results as a notification mail, so that a lab's script needs one line.

use serde_json::json;

use super::args::{Args, SubmitArgs};
use super::context::Failure;
use super::files;
use super::{Outcome, output};
use crate::bench;
use crate::daemon::clock::now;
use crate::daemon::edges;
use crate::mail::{Address, Attachment, MessageId};
use crate::smtp::{self, Auto, Composed, Fate, Outgoing, Parcel};

pub(super) fn run(args: &Args, submit: &SubmitArgs) -> Result<Outcome, Failure> {
    let mut files = files::read(&submit.files)?;
    files.extend(frame(submit)?);
    let subject = subject(&files, submit.format.as_deref())?;
    let composed = compose(submit, files, subject)?;
    if submit.print {
        output::print(&String::from_utf8_lossy(&composed.raw))?;
        return Ok(Outcome::Fine);
    }
    send(args, submit, composed)
}

/// What `--commits` and its company say, as the notification without metrics that the bot looks for beside results.
fn frame(submit: &SubmitArgs) -> Result<Option<bench::File>, Failure> {
    let (Some(commits), Some(tree), Some(test), Some(machine)) =
        (&submit.commits, &submit.tree, &submit.test, &submit.machine)
    else {
        return Ok(None);
    };
    let (base, head) = match commits.split_once("..") {
        Some((base, head)) => (Some(base), head),
        None => (None, commits.as_str()),
    };
    let (name, branch) = tree.split_once('/').unwrap_or((tree, "master"));
    let mut parameters = serde_json::Map::new();
    for pair in &submit.parameter {
        let Some((key, value)) = pair.split_once('=') else {
            let what = format!("--parameter {pair}: give it as KEY=VALUE");
            return Err(Failure::Message(what));
        };
        parameters.insert(key.to_owned(), value.into());
    }
    let mut frame = json!({
        "regard": 1,
        "tree": {"name": name, "branch": branch},
        "head": {"commit": head},
        "test": {"name": test, "parameters": parameters},
        "environment": {"machine": machine},
        "metrics": [],
    });
    if let Some(base) = base {
        frame["base"] = json!({"commit": base});
    }
    Ok(Some(("regard.json".to_owned(), format!("{frame:#}\n").into_bytes())))
}

/// What the bot will read is read here first: a mail that it could not use is not sent.
fn subject(files: &[bench::File], format: Option<&str>) -> Result<String, Failure> {
    if let Some(format) = format.filter(|f| *f != "auto")
        && bench::by_id(format).is_none()
    {
        let names: Vec<&str> = bench::FORMATS.iter().map(|f| f.id).collect();
        return Err(Failure::Message(format!(
            "unknown format `{format}`; one of auto, {}",
            names.join(", ")
        )));
    }
    let inputs = bench::load(files).map_err(|problems| {
        let mut lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        if problems.iter().any(|p| p.reason == "no-identity") {
            let cure = "or say it here: --commits BASE..HEAD --tree NAME/BRANCH --test NAME --machine NAME";
            lines.push(cure.to_owned());
        }
        Failure::Message(lines.join("\n"))
    })?;
    let first = inputs.into_iter().next().map(bench::Input::into_notification);
    let n = first.ok_or_else(|| Failure::Message("these files hold no results".to_owned()))?;
    let short = |c: &str| c.chars().take(10).collect::<String>();
    Ok(format!(
        "results: {} on {}, {}..{}",
        n.test.name,
        n.environment.machine,
        short(&n.base.commit),
        short(&n.head.commit)
    ))
}

fn compose(
    submit: &SubmitArgs,
    files: Vec<bench::File>,
    subject: String,
) -> Result<Composed, Failure> {
    let address = |email: &str| Address { name: String::new(), email: email.to_owned() };
    let domain = submit.from.rsplit_once('@').map_or("localhost", |(_, d)| d);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let text =
        format!("Benchmark results, {} files attached:\n\n  {}\n", names.len(), names.join("\n  "));
    let date = now();
    let mut key = format!("{date} {}", submit.from);
    for (name, bytes) in &files {
        key += &format!(" {name} {}", bytes.len());
    }
    let attachments = files.into_iter().map(|(name, bytes)| Attachment {
        content_type: if name.ends_with(".json") {
            "application/json"
        } else {
            "application/octet-stream"
        }
        .to_owned(),
        name,
        bytes,
    });
    let outgoing = Outgoing {
        message_id: MessageId::for_key(&key, domain),
        date,
        from: address(&submit.from),
        reply_to: Vec::new(),
        to: submit.to.iter().map(|t| address(t)).collect(),
        cc: Vec::new(),
        subject: submit.subject.clone().unwrap_or(subject),
        in_reply_to: None,
        references: Vec::new(),
        auto: Auto::Generated,
        headers: Vec::new(),
        text,
        attachments: attachments.collect(),
    };
    smtp::compose(&outgoing).map_err(|e| Failure::Message(e.to_string()))
}

fn send(args: &Args, submit: &SubmitArgs, composed: Composed) -> Result<Outcome, Failure> {
    let config = args.ready_config()?;
    let relay = config.smtp.as_ref().ok_or_else(|| {
        let file = config.file.display();
        format!(
            "{file}: no [smtp] section to send with; add one, or use --print and your own mailer"
        )
    })?;
    let parcel = Parcel {
        id: String::new(),
        from: composed.envelope_from,
        to: composed.rcpts,
        raw: composed.raw,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let deliveries = runtime.block_on(smtp::deliver(&edges::relay(relay), &[parcel]));
    let outcome = deliveries.into_iter().next().map(|d| d.outcome);
    match outcome {
        Some(smtp::Outcome::Answered(fates)) => {
            let failed: Vec<String> = fates
                .iter()
                .filter(|(_, fate)| !matches!(fate, Fate::Accepted { .. }))
                .map(|(to, fate)| format!("{to}: {fate:?}"))
                .collect();
            if !failed.is_empty() {
                return Err(Failure::Message(format!("not sent: {}", failed.join("; "))));
            }
            output::print(&format!("sent to {}\n", submit.to.join(", ")))?;
            Ok(Outcome::Fine)
        }
        Some(smtp::Outcome::NotTried(trouble)) => {
            Err(Failure::Message(format!("not sent: {trouble}; {}", trouble.cure())))
        }
        None => Err(Failure::Message("not sent".to_owned())),
    }
}
