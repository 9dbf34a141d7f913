//! A lab that measures commits and mails what it found to a desk, with a simulated clock.

use jiff::Timestamp;
use regard::bench::Notification;
use regard::config::Mode;
use regard::daemon::{Desk, Incoming, Mind, Post, Story, Understood};
use regard::engine::{Circle, Confirm, Effect, Policy};
use regard::mail::Address;
use regard::regression::Regression;
use regard::render::{Letterhead, Renderer};
use regard::stats::OverallKind;
use regard::store::{OutboxRow, Store};

use crate::{Dice, at, metric, notification};

pub(crate) const LAB: &str = "lab@example.org";

/// A lab that measures every commit, and the desk that it mails to.
pub(crate) struct Lab {
    pub(crate) desk: Desk,
    pub(crate) dice: Dice,
    hour: i64,
}

impl Lab {
    pub(crate) fn new(confirm: Confirm) -> Self {
        let address = |email: &str| Address { name: String::new(), email: email.to_owned() };
        let mut policy = Policy::new(address("bot@example.org"));
        policy.labs = Circle::new([LAB]).expect("an address");
        policy.confirm = confirm;
        policy.reach.lists = vec![address("perf@example.org")];
        let letterhead = Letterhead {
            bot: policy.bot.clone(),
            archive: None,
            help: None,
            opt_out: None,
            ascii: true,
        };
        let renderer = Renderer::new(&[]).expect("built in");
        let desk = Desk {
            store: Store::in_memory().expect("memory"),
            mind: Mind::new(policy.clone(), &[]).expect("built in"),
            post: Post { policy, mode: Mode::Live, renderer, letterhead },
        };
        Self { desk, dice: Dice(9), hour: 0 }
    }

    /// Mails results, an hour after the last.
    pub(crate) fn send(&mut self, from: &str, n: &Notification) -> Story {
        self.hour += 1;
        let now = at(self.hour);
        let json = serde_json::to_string(n).expect("plain");
        let raw = format!(
            "From: {from}\nTo: bot@example.org\nSubject: results\nMessage-ID: <m{}@example.org>\nDate: {}\n\
             Content-Type: application/json\n\n{json}\n",
            self.hour,
            date(now)
        );
        self.take(raw.into_bytes())
    }

    /// Mails files as attachments, an hour after the last mail.
    pub(crate) fn attach(&mut self, files: &[(&str, Vec<u8>)]) -> Story {
        use base64::Engine as _;
        self.hour += 1;
        let now = at(self.hour);
        let mut raw = format!(
            "From: {LAB}\nTo: bot@example.org\nSubject: results\nMessage-ID: <m{}@example.org>\nDate: {}\n\
             MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=cut\n\n",
            self.hour,
            date(now)
        );
        for (name, bytes) in files {
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            raw += &format!(
                "--cut\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"{name}\"\n\
                 Content-Transfer-Encoding: base64\n\n"
            );
            for line in text.as_bytes().chunks(76) {
                raw += &String::from_utf8_lossy(line);
                raw.push('\n');
            }
            raw.push('\n');
        }
        raw += "--cut--\n";
        self.take(raw.into_bytes())
    }

    /// The desk gets a mail now.
    pub(crate) fn take(&mut self, raw: Vec<u8>) -> Story {
        let now = at(self.hour);
        let mail = Incoming { raw, received: Some(now), place: None, cut: false };
        self.desk.receive(&[mail], None, now).expect("received").remove(0)
    }

    /// Measures the n-th commit: rate and bandwidth agree, a monitor has a life of its own.
    pub(crate) fn measure(&mut self, n: usize, level: f64) -> Story {
        let results = self.results(n, level);
        self.send(LAB, &results)
    }

    pub(crate) fn results(&mut self, n: usize, level: f64) -> Notification {
        let mut monitor = metric("vmstat.cs", Vec::new(), self.dice.runs(5000.0, 0.05));
        monitor.kpi = Some(false);
        let rate = metric("pipes.rate", Vec::new(), self.dice.runs(level, 0.01));
        let wide = metric("pipes.bandwidth", Vec::new(), self.dice.runs(level / 7.0, 0.01));
        notification(0, n, vec![rate, wide, monitor])
    }

    pub(crate) fn quiet(&mut self, commits: std::ops::Range<usize>, level: f64) {
        for n in commits {
            self.measure(n, level);
        }
    }

    pub(crate) fn outbox(&mut self, key: &str) -> Vec<OutboxRow> {
        let rows = self.desk.store.look(|tx| tx.outbox(None)).expect("read");
        rows.into_iter().filter(|row| row.key.starts_with(key)).collect()
    }

    pub(crate) fn regressions(&mut self) -> Vec<Regression> {
        self.desk.store.look(|tx| tx.regressions(true)).expect("read")
    }
}

pub(crate) fn date(now: Timestamp) -> String {
    now.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

pub(crate) fn verdict(story: &Story) -> (OverallKind, String) {
    match story.understood.as_slice() {
        [Understood::Results { overall, .. }] => (overall.kind, overall.reason.clone()),
        other => panic!("{other:?} {:?}", story.defects),
    }
}

/// The mail with every run of blanks as one: where lines break is the renderer's matter.
pub(crate) fn text(row: &OutboxRow) -> String {
    let raw = String::from_utf8(row.raw.clone()).expect("ASCII");
    raw.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The id under which the lab is asked for another round.
pub(crate) fn requested(story: &Story) -> String {
    let asked = story.effects.iter().find_map(|e| match e {
        Effect::Await { id, .. } => Some(id.clone()),
        _ => None,
    });
    asked.unwrap_or_else(|| panic!("nobody was asked: {:?}", story.effects))
}
