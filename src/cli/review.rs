//! `regard review`: mails that no rule was sure about; the operator says what they mean, and that takes effect.

use jiff::Timestamp;
use serde::Serialize;

use super::args::{Args, ReviewArgs, ReviewVerb};
use super::context::Failure;
use super::list::clip;
use super::remembered::Remembered;
use super::rules::Ruleset;
use super::{Outcome, export, keys, output};
use crate::daemon::clock::now;
use crate::daemon::{Desk, Ruling, Story};
use crate::engine::Effect;
use crate::intake;
use crate::mail::Identity;
use crate::regression::{Regression, RegressionId};
use crate::store::{Review, Store, StoredMessage};
use crate::triage::{Finding, Label, Rules};

pub(super) fn run(args: &Args, review: &ReviewArgs) -> Result<Outcome, Failure> {
    match &review.verb {
        None if keys::wanted(args) => {
            let mut list = List::open(args)?;
            let mut desk = Desk::open(&args.config()?).map_err(Failure::Diagnostics)?;
            keys::work_through(&mut list, &mut desk, &review.operator)
        }
        None | Some(ReviewVerb::List) => tell(args, &mut List::open(args)?),
        Some(ReviewVerb::Show { id }) => show(args, &mut List::open(args)?, id),
        Some(ReviewVerb::Accept { ids }) => {
            let mut list = List::open(args)?;
            let rulings = ids.iter().map(|id| list.accepted(id, &review.operator));
            let rulings = rulings.collect::<Result<Vec<_>, Failure>>()?;
            carry_out(args, rulings)
        }
        Some(ReviewVerb::Correct { id, label, span, points_at }) => {
            let key = List::open(args)?.key_of(id)?;
            let ruling = Ruling {
                span: span.clone().unwrap_or_default(),
                points_at: points_at.clone(),
                ..ruling(*label, &review.operator)
            };
            carry_out(args, vec![(key, ruling)])
        }
        Some(ReviewVerb::Export) => export::run(&mut args.store()?),
    }
}

/// A mail on the list, with what triage makes of it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Item {
    /// Six characters that name it.
    pub(super) id: String,
    pub(super) message_id: String,
    pub(super) regression: Option<String>,
    pub(super) why: String,
    pub(super) from: Option<crate::mail::Address>,
    pub(super) received: Option<Timestamp>,
    pub(super) subject: String,
    pub(super) new_text: String,
    /// Most likely first.
    pub(super) guesses: Vec<Guess>,
}

/// What a mail may mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Guess {
    pub(super) label: Label,
    pub(super) weight: f32,
    pub(super) rule: String,
    pub(super) sentence: String,
    pub(super) points_at: Option<String>,
}

impl From<&Finding> for Guess {
    fn from(f: &Finding) -> Self {
        Self {
            label: f.label,
            weight: f.weight,
            rule: f.rule.clone(),
            sentence: f.evidence.text.clone(),
            points_at: f.points_at.clone(),
        }
    }
}

/// Six characters, the same every day.
pub(super) fn short(message: &str) -> String {
    RegressionId::derive(&format!("review/{message}")).as_str().chars().take(6).collect()
}

/// The review list of a store.
pub(super) struct List {
    store: Store,
    rules: Rules,
    identity: Identity,
}

impl List {
    fn open(args: &Args) -> Result<Self, Failure> {
        let store = args.store()?;
        Ok(Self { store, rules: Ruleset::current(args)?.compile()?, identity: args.identity(&[])? })
    }

    /// Everything that waits, oldest first.
    pub(super) fn items(&mut self) -> Result<Vec<Item>, Failure> {
        let found = self.store.look(|tx| {
            let mut found = Vec::new();
            for review in tx.reviews()? {
                let mail = tx.message(&review.message)?;
                let regression = match mail.as_ref().and_then(|m| m.regression.as_ref()) {
                    Some(id) => tx.regression(id)?,
                    None => None,
                };
                found.push((review, mail, regression));
            }
            Ok(found)
        })?;
        Ok(found.iter().map(|(r, m, of)| self.item(r, m.as_ref(), of.as_ref())).collect())
    }

    fn item(
        &self,
        review: &Review,
        mail: Option<&StoredMessage>,
        regression: Option<&Regression>,
    ) -> Item {
        let mut guesses = mail.map_or_else(Vec::new, |mail| self.guesses(mail, regression));
        // What was guessed when the mail was whole comes first.
        if let Some(label) = review.label.as_deref().and_then(|l| l.parse::<Label>().ok()) {
            match guesses.iter().position(|g| g.label == label) {
                Some(at) => guesses[..=at].rotate_right(1),
                None => guesses.insert(
                    0,
                    Guess {
                        label,
                        weight: 0.0,
                        rule: String::new(),
                        sentence: review.words.clone(),
                        points_at: None,
                    },
                ),
            }
            if !review.words.is_empty() {
                guesses[0].sentence.clone_from(&review.words);
            }
        }
        Item {
            id: short(&review.message),
            message_id: review.message.clone(),
            regression: review.regression.clone(),
            why: review.why.clone(),
            from: mail.and_then(|m| m.from.clone()),
            received: mail.map(|m| m.received),
            subject: mail.map_or_else(String::new, |m| m.subject.clone()),
            new_text: mail.map_or_else(|| review.words.clone(), |m| m.new_text.clone()),
            guesses,
        }
    }

    fn guesses(&self, mail: &StoredMessage, regression: Option<&Regression>) -> Vec<Guess> {
        let mail = Remembered::new(mail, regression);
        let read = intake::understand(&mail.message, &self.rules, &self.identity, &mail, false);
        let all = read.reading.findings.iter().chain(&read.reading.hints);
        all.filter(|f| !matches!(f.rule.as_str(), "no-verdict" | "no-words"))
            .map(Guess::from)
            .collect()
    }

    /// The one item that is meant: by its six characters, its Message-ID, or the beginning of either.
    fn find(&mut self, id: &str) -> Result<Item, Failure> {
        let wanted = id.trim().trim_start_matches('<').trim_end_matches('>');
        let mut items = self.items()?;
        items.retain(|i| i.id.starts_with(wanted) || i.message_id.starts_with(wanted));
        match (items.pop(), items.is_empty()) {
            (Some(item), true) => Ok(item),
            (Some(_), false) => {
                Err(Failure::Message(format!("`{id}` means several mails; write more of it")))
            }
            (None, _) => Err(Failure::Message(format!(
                "`{id}` is not on the list; `regard review` prints it"
            ))),
        }
    }

    /// The key of a mail that is on the list, or that was decided by a rule and is wrong.
    fn key_of(&mut self, id: &str) -> Result<String, Failure> {
        let key = id.trim().trim_start_matches('<').trim_end_matches('>').to_owned();
        if self.store.look(|tx| tx.knows_message(&key))? {
            return Ok(key);
        }
        Ok(self.find(id)?.message_id)
    }

    fn accepted(&mut self, id: &str, by: &str) -> Result<(String, Ruling), Failure> {
        let item = self.find(id)?;
        accept(&item, 0, by).map(|ruling| (item.message_id.clone(), ruling)).ok_or_else(|| {
            let id = &item.id;
            Failure::Message(format!(
                "{id}: there is no guess to accept; `regard review correct {id} LABEL`"
            ))
        })
    }
}

/// The ruling that a guess is right.
pub(super) fn accept(item: &Item, guess: usize, by: &str) -> Option<Ruling> {
    let guess = item.guesses.get(guess)?;
    Some(Ruling {
        span: guess.sentence.clone(),
        points_at: guess.points_at.clone(),
        accepted: true,
        ..ruling(guess.label, by)
    })
}

/// The ruling that a mail means this, whatever was guessed.
pub(super) fn ruling(label: Label, by: &str) -> Ruling {
    Ruling {
        label,
        span: String::new(),
        points_at: None,
        by: by.to_owned(),
        at: now(),
        accepted: false,
        was: None,
    }
}

/// Puts rulings into effect, one transaction each.
fn carry_out(args: &Args, rulings: Vec<(String, Ruling)>) -> Result<Outcome, Failure> {
    let mut desk = Desk::open(&args.config()?).map_err(Failure::Diagnostics)?;
    for (key, ruling) in &rulings {
        let told = settle(&mut desk, key, ruling)?;
        if args.json {
            output::json(&serde_json::json!({
                "id": short(key), "message_id": format!("<{key}>"), "label": ruling.label, "did": told,
            }))?;
        } else {
            output::print(&format!("{}: {}: {}\n", short(key), ruling.label, told.join("; ")))?;
        }
    }
    Ok(Outcome::Fine)
}

/// Puts one ruling into effect; what that did, in words.
pub(super) fn settle(desk: &mut Desk, key: &str, ruling: &Ruling) -> Result<Vec<String>, Failure> {
    if !can_be_ruled(ruling.label) {
        return Err(Failure::Message(format!(
            "`{}` is nothing that words can mean; give a command in a mail instead",
            ruling.label
        )));
    }
    let before = desk.store.look(|tx| tx.message(key))?;
    let mut ruling = ruling.clone();
    ruling.was = before.as_ref().and_then(|m| Some((m.labels.first()?.clone(), m.rule.clone()?)));
    if ruling.span.is_empty() {
        ruling.span = before.map_or_else(String::new, |m| words(&m.new_text));
    }
    let story =
        desk.rule(key, &ruling)?.ok_or_else(|| format!("<{key}>: no such mail is stored"))?;
    Ok(did(&story))
}

/// Words of the rules, not of machines or explicit commands.
fn can_be_ruled(label: Label) -> bool {
    use Label::{AutoReply, Bounce, Command, Inconclusive, Invalid, Moderation};
    !matches!(label, AutoReply | Bounce | Command | Inconclusive | Invalid | Moderation)
}

/// The whole of a short mail, the beginning of a long one.
fn words(text: &str) -> String {
    clip(text, 400)
}

fn did(story: &Story) -> Vec<String> {
    let mut did: Vec<String> = Vec::new();
    for effect in &story.effects {
        match effect {
            Effect::Append(id, entry) => {
                did.push(format!("{id}: {}", super::show::happening(&entry.what)));
            }
            Effect::Nothing(why) => did.push(format!("nothing moves ({why})")),
            _ => {}
        }
    }
    if did.is_empty() {
        did.push("nothing moves".to_owned());
    }
    did
}

fn tell(args: &Args, list: &mut List) -> Result<Outcome, Failure> {
    let items = list.items()?;
    if args.json {
        for item in &items {
            output::json(item)?;
        }
        return Ok(Outcome::Fine);
    }
    if items.is_empty() {
        output::print("nothing waits for you\n")?;
        return Ok(Outcome::Fine);
    }
    let head = ["id", "since", "regression", "from", "why", "guess", "words"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(items.iter().map(|i| {
        let guess = i.guesses.first();
        let words = guess.map(|g| g.sentence.as_str()).filter(|s| !s.is_empty());
        vec![
            i.id.clone(),
            i.received.map_or_else(String::new, |at| at.strftime("%Y-%m-%d").to_string()),
            i.regression.clone().unwrap_or_default(),
            author(i),
            i.why.clone(),
            guess.map_or_else(String::new, |g| g.label.to_string()),
            clip(words.unwrap_or(&i.new_text), 60),
        ]
    }));
    output::print(&output::columns(&rows))?;
    Ok(Outcome::Fine)
}

fn author(item: &Item) -> String {
    item.from
        .as_ref()
        .map_or("?", |a| if a.name.is_empty() { &a.email } else { &a.name })
        .to_owned()
}

fn show(args: &Args, list: &mut List, id: &str) -> Result<Outcome, Failure> {
    let item = list.find(id)?;
    if args.json {
        output::json(&item)?;
    } else {
        output::print(&text(&item))?;
    }
    Ok(Outcome::Fine)
}

/// One item as people read it.
pub(super) fn text(item: &Item) -> String {
    let mut out = format!("{}  <{}>\n", item.id, item.message_id);
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            out += &format!("    {name:<10} {value}\n");
        }
    };
    fact("from", &item.from.as_ref().map_or_else(String::new, ToString::to_string));
    fact("subject", &item.subject);
    fact("regression", item.regression.as_deref().unwrap_or(""));
    fact("why", &item.why);
    for (number, guess) in item.guesses.iter().take(9).enumerate() {
        let by = if guess.rule.is_empty() {
            String::new()
        } else {
            format!(" [{}, weight {:.2}]", guess.rule, guess.weight)
        };
        let words = clip(&guess.sentence, 100);
        fact(&format!("guess {}", number + 1), &format!("{}: \"{words}\"{by}", guess.label));
    }
    out.push('\n');
    for line in item.new_text.lines().take(100) {
        out += &format!("    {line}\n");
    }
    out
}
