//! `regard report`: the mail that notifications would become, on stdout.

use serde_json::json;

use super::args::{Args, ReportArgs};
use super::context::Failure;
use super::judge::judge;
use super::{Outcome, earlier, files, output};
use crate::bench::{self, Notification};
use crate::config::Config;
use crate::daemon::{Commits, keepers, minds};
use crate::engine::{Draft, Letter, Policy};
use crate::mail::{Address, MessageId};
use crate::regression::RegressionId;
use crate::render::{Frame, Letterhead, Rendered, Renderer};
use crate::report::maintainers::Maintainers;
use crate::report::{Brief, GateFacts, addressed, recipients, word_of};
use crate::stats::Past;

/// Who writes, and with which words.
struct Desk {
    policy: Policy,
    letterhead: Letterhead,
    renderer: Renderer,
    commits: Commits,
}

pub(super) fn run(args: &Args, report: &ReportArgs) -> Result<Outcome, Failure> {
    let inputs = bench::load(&files::read(&report.files)?).map_err(earlier::problems)?;
    let past = match report.history.as_slice() {
        [] => Past::default(),
        paths => earlier::past(paths)?,
    };
    let knowledge = args.knowledge()?;
    let desk = desk(args)?;
    let mut notifications: Vec<Notification> =
        inputs.into_iter().map(bench::Input::into_notification).collect();
    one_head(&notifications)?;
    notifications.iter_mut().for_each(|n| desk.commits.complete(n));
    let patch = notifications.first().map(|n| desk.commits.patch(n)).unwrap_or_default();
    let mut findings = Vec::new();
    let mut reason = None;
    for (mut finding, overall) in judge(notifications, &past, &knowledge) {
        if let Some(lead) = finding.headline() {
            let head = &finding.notification.head.commit;
            finding.history = past.line(&lead.metric, Some(head), 60);
        }
        reason.get_or_insert(overall.reason);
        findings.push(finding);
    }
    let brief = Brief::of(findings)
        .ok_or_else(|| Failure::Message("these files hold no results".to_owned()))?;
    let reason = reason.unwrap_or_default();
    let (draft, hold) = draft(brief, reason, &patch, &desk.policy);
    let rendered = render(&desk, &draft)?;
    tell(args, &draft, &rendered, hold)
}

/// One mail is about one commit.
fn one_head(notifications: &[Notification]) -> Result<(), Failure> {
    let mut heads: Vec<&str> = notifications.iter().map(|n| n.head.commit.as_str()).collect();
    heads.dedup();
    match heads.as_slice() {
        [_] => Ok(()),
        [] => Err(Failure::Message("these files hold no results".to_owned())),
        several => Err(Failure::Message(format!(
            "one mail is about one commit; these files are about {}",
            several.join(", ")
        ))),
    }
}

/// As the configuration says, where there is one.
fn desk(args: &Args) -> Result<Desk, Failure> {
    if args.config.exists() {
        let config: Config = args.config()?;
        let (mut mind, post) = minds(&config).map_err(Failure::Diagnostics)?;
        keepers(&config, &mut mind);
        let (letterhead, renderer) = (post.letterhead, post.renderer);
        return Ok(Desk { policy: mind.policy, letterhead, renderer, commits: mind.commits });
    }
    let bot = Address { name: "regard".to_owned(), email: "bot@example.org".to_owned() };
    let renderer = Renderer::new(&[]).map_err(|e| format!("built-in template: {e:?}"))?;
    let letterhead =
        Letterhead { bot: bot.clone(), archive: None, help: None, opt_out: None, ascii: true };
    Ok(Desk { policy: Policy::new(bot), letterhead, renderer, commits: Commits::default() })
}

/// The letter, and why the gate would hold it.
fn draft(brief: Brief, reason: String, patch: &str, policy: &Policy) -> (Draft, Option<String>) {
    let n = &brief.lead.notification;
    let none = Maintainers::default();
    let tree = &n.tree.name;
    let maintainers =
        policy.maintainers.iter().find(|(name, _)| name == tree).map_or(&none, |(_, m)| m);
    let recipients = recipients(&brief, maintainers, patch, &policy.reach);
    let facts = GateFacts {
        recipients: recipients.len(),
        daily_limit: policy.daily_limit,
        body_limit: usize::MAX,
        ..GateFacts::default()
    };
    let hold = crate::report::gate(&brief, &facts).err().map(|hold| hold.to_string());
    let id = RegressionId::derive(&format!("{} {}", n.head.commit, n.test.name));
    let (to, cc) = addressed(recipients);
    let in_reply_to = n.head.message_id.as_deref().and_then(MessageId::clean);
    let draft = Draft {
        key: format!("report/{id}"),
        regression: Some(id),
        reason,
        hold: None,
        to,
        cc,
        references: in_reply_to.iter().cloned().collect(),
        in_reply_to,
        answers_subject: None,
        letter: Letter::Report(Box::new(brief)),
    };
    (draft, hold)
}

fn render(desk: &Desk, draft: &Draft) -> Result<Rendered, Failure> {
    let id = MessageId::for_key(&draft.key, desk.policy.domain());
    let frame = Frame::new(&desk.letterhead, draft, Some(id));
    desk.renderer.letter(&draft.letter, &frame).map_err(|e| Failure::Message(e.to_string()))
}

fn tell(
    args: &Args,
    draft: &Draft,
    rendered: &Rendered,
    hold: Option<String>,
) -> Result<Outcome, Failure> {
    if args.json {
        let people = draft.to.iter().chain(&draft.cc);
        let recipients: Vec<_> =
            people.map(|r| json!({"address": r.address.email, "why": r.why})).collect();
        let kind = match &draft.letter {
            Letter::Report(brief) => word_of(brief.kind),
            _ => "",
        };
        output::json(&json!({
            "subject": rendered.subject,
            "text": rendered.text,
            "kind": kind,
            "reason": draft.reason,
            "recipients": recipients,
            "hold": hold,
        }))?;
    } else {
        if let Some(hold) = hold {
            tracing::warn!("the gate would hold this mail: {hold}");
        }
        output::print(&format!("Subject: {}\n\n{}", rendered.subject, rendered.text))?;
    }
    Ok(Outcome::Fine)
}
