//! A notification that cannot be read: quarantined by the caller, answered once, never reported.

use super::event::MailRef;
use super::{Answer, Draft, Effect, Letter, Policy, Recipient, Snapshot};

/// Answers a day that one sender gets at most; a script that fails in a loop must not fill its owner's mailbox.
const ANSWERS_A_DAY: u32 = 3;

pub(super) fn decide(
    mail: &MailRef,
    part: &str,
    problems: &[String],
    snapshot: &Snapshot,
    policy: &Policy,
) -> Vec<Effect> {
    let nothing = |why: String| vec![Effect::Nothing(why)];
    let Some(from) = &mail.from else {
        return nothing("malformed-unanswered: no sender".to_owned());
    };
    if let Some(why) = &mail.no_answer {
        return nothing(format!("malformed-unanswered: {why}"));
    }
    if !policy.labs.contains(from) {
        return nothing(format!("malformed-unanswered: {} is not on the list of labs", from.email));
    }
    if snapshot.answered_today >= ANSWERS_A_DAY {
        return nothing(format!(
            "malformed-unanswered: {} got {ANSWERS_A_DAY} answers today",
            from.email
        ));
    }
    let answer = Answer::Malformed { part: part.to_owned(), problems: problems.to_vec() };
    vec![Effect::Send(Box::new(Draft::answer(mail, from, answer, "malformed-notification")))]
}

impl Draft {
    /// A short answer to the author of a mail, and to nobody else.
    pub(super) fn answer(
        mail: &MailRef,
        to: &crate::mail::Address,
        answer: Answer,
        reason: &str,
    ) -> Self {
        Self {
            key: format!("answer/{}", mail.key),
            regression: None,
            reason: reason.to_owned(),
            hold: None,
            letter: Letter::Answer(answer),
            to: vec![Recipient { address: to.clone(), why: "sender".to_owned() }],
            cc: Vec::new(),
            in_reply_to: mail.id.clone(),
            references: mail.references.clone(),
            answers_subject: Some(mail.subject.clone()),
        }
    }
}
