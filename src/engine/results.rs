//! A lab sent results: a report, a confirmation round, news of what is tracked, or nothing.

use jiff::Timestamp;

use super::event::MailRef;
use super::tick::follow_up;
use super::{Confirm, Draft, Effect, Letter, News, Policy, Recipient, RunRequest, Snapshot};
use crate::mail::{Address, MessageId};
use crate::regression::{Cause, Entry, Happening, Opening, Regression, RegressionId, State};
use crate::report::maintainers::Maintainers;
use crate::report::{Brief, Finding, GateFacts, Known, OptOut, Reach, addressed, recipients};
use crate::stats::{Overall, OverallKind};

pub(super) fn decide(
    mail: &MailRef,
    finding: &Finding,
    overall: &Overall,
    snapshot: &Snapshot,
    policy: &Policy,
    now: Timestamp,
) -> Vec<Effect> {
    let Some(lab) = mail.from.as_ref().filter(|from| policy.labs.contains(from)) else {
        let who = mail.from.as_ref().map_or("nobody", |a| &a.email);
        return vec![Effect::Nothing(format!("not-a-lab: {who} may not send results"))];
    };
    let results = Results { mail, lab, finding, overall, policy, now };
    if let Some(regression) = &snapshot.regression {
        return results.answer(regression);
    }
    if let Some(first) = &snapshot.first_round {
        return results.second_round(first, snapshot);
    }
    let weak = overall.kind == OverallKind::Suspicious;
    if !overall.kind.raises() && !weak {
        return vec![Effect::Nothing(overall.reason.clone())];
    }
    let confirm = match policy.confirm {
        Confirm::Never => false,
        Confirm::Lone => weak || overall.needs_confirmation,
        Confirm::Always => true,
    };
    match (confirm, weak) {
        (true, _) => results.ask_again(),
        (false, true) => vec![Effect::Nothing(overall.reason.clone())],
        (false, false) => results.report(snapshot),
    }
}

struct Results<'a> {
    mail: &'a MailRef,
    lab: &'a Address,
    finding: &'a Finding,
    overall: &'a Overall,
    policy: &'a Policy,
    now: Timestamp,
}

impl Results<'_> {
    fn entry(&self, id: &RegressionId, what: Happening) -> Effect {
        let cause =
            Cause::Results { message: self.mail.key.clone(), reason: self.overall.reason.clone() };
        Effect::Append(id.clone(), Box::new(Entry { at: self.now, cause, what }))
    }

    /// Asks the lab for a round on fresh builds before anybody is written to.
    fn ask_again(&self) -> Vec<Effect> {
        let id = RegressionId::derive(&self.mail.seed()).to_string();
        let mut request = self.request("confirm", &format!("run-request/{id}"));
        request.reason = format!("confirmation: {}", self.overall.reason);
        vec![
            Effect::Await {
                id,
                lab: self.lab.email.clone(),
                finding: Box::new(self.finding.clone()),
            },
            Effect::Send(Box::new(request)),
        ]
    }

    fn request(&self, purpose: &str, key: &str) -> Draft {
        let id = RegressionId::derive(&self.mail.seed());
        Draft {
            key: key.to_owned(),
            regression: Some(id),
            reason: purpose.to_owned(),
            hold: None,
            letter: Letter::RunRequest(Box::new(RunRequest {
                finding: self.finding.clone(),
                purpose: purpose.to_owned(),
                runs: self.policy.confirm_runs,
                fix: None,
            })),
            to: vec![Recipient { address: self.lab.clone(), why: "lab".to_owned() }],
            cc: Vec::new(),
            in_reply_to: self.mail.id.clone(),
            references: self.mail.references.clone(),
            answers_subject: Some(self.mail.subject.clone()),
        }
    }

    /// The awaited round: report when both agree, else let it rest.
    fn second_round(&self, first: &Finding, snapshot: &Snapshot) -> Vec<Effect> {
        let id = self.finding.notification.regression.clone().unwrap_or_default();
        let mut effects = vec![Effect::Settle { id }];
        let joined = crate::stats::confirm(first, self.finding);
        match joined {
            Ok(finding) => {
                let confirmed = Results { finding: &finding, ..*self };
                effects.extend(confirmed.report(snapshot));
            }
            Err(why) => effects.push(Effect::Nothing(format!("not-confirmed: {why}"))),
        }
        effects
    }

    /// A report of our own, or news in the thread of one that stands already.
    fn report(&self, snapshot: &Snapshot) -> Vec<Effect> {
        if self.overall.kind == OverallKind::Improvement && !self.policy.improvements {
            return vec![Effect::Nothing(
                "improvement-not-wanted: policy.improvements is off".to_owned(),
            )];
        }
        let ours = |r: &&Regression| r.about.ours && self.in_same_circle(r);
        if let Some(known) = snapshot.same_commit.iter().find(ours) {
            return self.more(known);
        }
        let Some(brief) = Brief::of(vec![self.finding.clone()]) else { return Vec::new() };
        let readers = self.readers(&brief, &self.reach(snapshot), snapshot);
        let about = self.opening(&brief, &readers);
        let id = about.id.clone();
        let root = about.report.as_deref().and_then(MessageId::clean);
        let draft = self.draft(brief, &id, readers, snapshot);
        let mut effects = vec![self.entry(&id, Happening::Opened(Box::new(about)))];
        effects.extend(root.map(|root| Effect::Join(id.clone(), root)));
        effects.push(Effect::Keep {
            id: id.clone(),
            lab: self.lab.email.clone(),
            finding: Box::new(self.finding.clone()),
        });
        effects.push(Effect::Send(Box::new(draft)));
        effects
    }

    /// The gate before the door.
    fn hold(&self, brief: &Brief, recipients: usize, snapshot: &Snapshot) -> Option<String> {
        let open = snapshot.same_commit.iter().chain(&snapshot.same_series);
        let facts = GateFacts {
            recipients,
            known: open.map(|r| known(r, snapshot)).collect(),
            written_today: snapshot.written_today,
            daily_limit: self.policy.daily_limit,
            body_bytes: None,
            body_limit: usize::MAX,
        };
        crate::report::gate(brief, &facts).err().map(|hold| hold.to_string())
    }

    /// What is known in somebody's private tree is no thread for a public one.
    fn in_same_circle(&self, known: &Regression) -> bool {
        let (tree, reach) = (&self.finding.notification.tree, &self.policy.reach);
        let of = |text: &Option<String>| text.clone().unwrap_or_default();
        let (name, branch) = (of(&known.about.tree), of(&known.about.branch));
        reach.private(&name, &branch) == reach.private(&tree.name, &tree.branch)
    }

    fn more(&self, known: &Regression) -> Vec<Effect> {
        if self.is_same_series(known) {
            // Sent again, or measured again: nobody asked, and the thread knows.
            return vec![self.measured(known, "seen-again")];
        }
        let mut effects = vec![self.measured(known, "more")];
        let news = News::More(vec![self.finding.clone()]);
        effects.extend(follow_up(known, news, "more", self.policy));
        effects
    }

    fn is_same_series(&self, known: &Regression) -> bool {
        let (n, about) = (&self.finding.notification, &known.about);
        about.test.as_deref() == Some(n.test.name.as_str())
            && about.machine.as_deref() == Some(n.environment.machine.as_str())
            && about.parameters == joined(&n.test.parameters)
            && about.metric.as_deref() == self.finding.headline().map(|c| c.metric.as_str())
    }

    /// The same news are told once, until there are others.
    fn news(&self, regression: &Regression, news: News, name: &str, moved: bool) -> Option<Effect> {
        let told = format!("follow-up/{}/{name}/", regression.id());
        let last = regression.letters.iter().rev().find(|key| key.starts_with("follow-up/"));
        if !moved && last.is_some_and(|key| key.starts_with(&told)) {
            return None;
        }
        follow_up(regression, news, name, self.policy)
    }

    fn measured(&self, regression: &Regression, outcome: &str) -> Effect {
        let summary = summary(self.finding);
        self.entry(regression.id(), Happening::Measured { outcome: outcome.to_owned(), summary })
    }

    /// Results that name a tracked regression: still there, fixed, or only more numbers.
    fn answer(&self, regression: &Regression) -> Vec<Effect> {
        let head = &self.finding.notification.head.commit;
        let culprit = regression.about.commit.as_deref();
        let on_culprit =
            culprit.is_some_and(|c| head.starts_with(c) || c.starts_with(head.as_str()));
        let worse = matches!(
            self.overall.kind,
            OverallKind::Regression | OverallKind::Mixed | OverallKind::Failure
        );
        let clean = matches!(self.overall.kind, OverallKind::Same | OverallKind::Improvement);
        let mut effects = Vec::new();
        if on_culprit && worse {
            effects.push(self.measured(regression, "confirmed"));
            let news = News::Confirmed(self.finding.clone());
            effects.extend(self.news(regression, news, "confirmed", false));
        } else if on_culprit && clean {
            effects.push(self.measured(regression, "not-confirmed"));
            let news = News::NotConfirmed(self.finding.clone());
            effects.extend(self.news(regression, news, "not-confirmed", false));
        } else if worse {
            effects.push(self.measured(regression, "still-there"));
            let moved = matches!(regression.state, State::Fixed | State::FixQueued);
            if moved {
                effects.push(self.entry(
                    regression.id(),
                    Happening::Moved { from: regression.state, to: State::Open },
                ));
            }
            let news = News::StillThere(self.finding.clone());
            effects.extend(self.news(regression, news, "still-there", moved));
        } else if clean {
            effects.push(self.measured(regression, "fixed"));
            if regression.state != State::Fixed {
                effects.push(self.entry(
                    regression.id(),
                    Happening::Moved { from: regression.state, to: State::Fixed },
                ));
                let fixed = Regression { state: State::Fixed, ..regression.clone() };
                effects.extend(follow_up(
                    &fixed,
                    News::Fixed(self.finding.clone()),
                    "fixed",
                    self.policy,
                ));
            }
        } else {
            effects.push(self.measured(regression, "unclear"));
        }
        effects
    }

    fn opening(&self, brief: &Brief, readers: &[Recipient]) -> Opening {
        let n = &self.finding.notification;
        let signs = ["signed-off-by", "reviewed-by", "acked-by", "maintainer"];
        let author = n.head.author.clone();
        let is_author =
            |a: &Address| author.as_ref().is_some_and(|b| b.canonical() == a.canonical());
        let mut maintainers: Vec<Address> = Vec::new();
        for p in
            n.head.people.iter().filter(|p| signs.contains(&p.role.to_ascii_lowercase().as_str()))
        {
            let address = Address { name: p.name.clone(), email: p.email.clone() };
            if !is_author(&address)
                && !maintainers.iter().any(|m| m.canonical() == address.canonical())
            {
                maintainers.push(address);
            }
        }
        let lead = self.finding.headline();
        let id = RegressionId::derive(&self.mail.seed());
        let report = MessageId::for_key(&format!("report/{id}"), self.policy.domain());
        Opening {
            kind: brief.kind,
            title: crate::report::title(brief),
            ours: true,
            report: Some(report.as_str().to_owned()),
            reporter: Some(self.policy.bot.clone()),
            by_robot: true,
            tree: Some(n.tree.name.clone()),
            branch: Some(n.tree.branch.clone()),
            base: Some(n.base.commit.clone()),
            commit: Some(n.head.commit.clone()),
            commit_subject: n.head.subject.clone(),
            author,
            maintainers,
            readers: readers.to_vec(),
            patch: n
                .head
                .message_id
                .as_deref()
                .and_then(MessageId::clean)
                .map(|i| i.as_str().to_owned()),
            test: Some(n.test.name.clone()),
            metric: lead.map(|c| c.metric.clone()),
            change_percent: lead.and_then(|c| c.change_percent),
            machine: Some(n.environment.machine.clone()),
            parameters: joined(&n.test.parameters),
            id,
        }
    }

    fn readers(&self, brief: &Brief, reach: &Reach, snapshot: &Snapshot) -> Vec<Recipient> {
        let none = Maintainers::default();
        let tree = &self.finding.notification.tree.name;
        let maintainers =
            self.policy.maintainers.iter().find(|(name, _)| name == tree).map_or(&none, |(_, m)| m);
        recipients(brief, maintainers, &snapshot.patch, reach)
    }

    /// What the operator wants, less those who asked the bot by mail to be left alone.
    fn reach(&self, snapshot: &Snapshot) -> Reach {
        let mut reach = self.policy.reach.clone();
        let unwilling =
            snapshot.unwilling.iter().map(|who| OptOut { who: who.clone(), area: None });
        reach.opt_outs.extend(unwilling);
        reach
    }

    fn draft(
        &self,
        brief: Brief,
        id: &RegressionId,
        readers: Vec<Recipient>,
        snapshot: &Snapshot,
    ) -> Draft {
        let n = &self.finding.notification;
        let patch = n.head.message_id.as_deref().and_then(MessageId::clean);
        let mut hold = self.hold(&brief, readers.len(), snapshot);
        if readers.is_empty() {
            let anybody = Reach { opt_outs: Vec::new(), ..self.policy.reach.clone() };
            let left_out = self.readers(&brief, &anybody, snapshot);
            let names: Vec<&str> = left_out.iter().map(|r| r.address.email.as_str()).collect();
            if !names.is_empty() {
                hold = Some(format!(
                    "opted-out: nobody is left, no mail is wanted by {}",
                    names.join(", ")
                ));
            }
        }
        let (to, cc) = addressed(readers);
        Draft {
            key: format!("report/{id}"),
            regression: Some(id.clone()),
            reason: self.overall.reason.clone(),
            hold,
            letter: Letter::Report(Box::new(brief)),
            to,
            cc,
            references: patch.iter().cloned().collect(),
            in_reply_to: patch,
            answers_subject: None,
        }
    }
}

/// What the gate must know of a tracked regression.
fn known(r: &Regression, snapshot: &Snapshot) -> Known {
    let about = &r.about;
    Known {
        id: r.id().to_string(),
        commit: about.commit.clone(),
        base: about.base.clone(),
        overlaps: snapshot.overlapping.contains(r.id()),
        tree: about.tree.clone(),
        test: about.test.clone(),
        machine: about.machine.clone(),
        parameters: about.parameters.clone(),
        metric: about.metric.clone(),
    }
}

fn joined(parameters: &std::collections::BTreeMap<String, String>) -> String {
    parameters.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join("/")
}

/// `hackbench.throughput -9.8% (p 0.0001), 6+6 runs`.
fn summary(finding: &Finding) -> String {
    let Some(lead) = finding.headline().or(finding.changes.first()) else {
        return "no metrics".to_owned();
    };
    let percent = lead.change_percent.map_or_else(|| "n/a".to_owned(), |p| format!("{p:+.1}%"));
    format!(
        "{} {percent} on {}, {}+{} runs",
        lead.metric, finding.notification.head.commit, lead.base.n, lead.head.n
    )
}

/// Asks the lab that found a regression to run it again; `None` when no lab of ours did.
pub(super) fn request_for(
    snapshot: &Snapshot,
    mail: &MailRef,
    purpose: &str,
    fix: Option<String>,
    policy: &Policy,
) -> Option<Draft> {
    let (lab, finding) = snapshot.opened_by.as_ref()?;
    let regression = snapshot.regression.as_ref()?;
    let root = regression.about.report.as_deref().and_then(MessageId::clean);
    Some(Draft {
        key: format!("run-request/{}/{}", regression.id(), mail.key),
        regression: Some(regression.id().clone()),
        reason: purpose.to_owned(),
        hold: None,
        letter: Letter::RunRequest(Box::new(RunRequest {
            finding: (**finding).clone(),
            purpose: purpose.to_owned(),
            runs: policy.confirm_runs,
            fix,
        })),
        to: vec![Recipient {
            address: Address { name: String::new(), email: lab.clone() },
            why: "lab".to_owned(),
        }],
        cc: Vec::new(),
        references: root.iter().cloned().collect(),
        in_reply_to: root,
        answers_subject: None,
    })
}
