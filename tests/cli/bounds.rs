//! Mail that wants too much: time and memory stay bounded, and it shows.

use regard::mail::{self, MessageId};
use regard::regression::State;
use regard::regression::command;
use regard::regression::thread::{About, ThreadIndex, Threads};
use regard::store::StoreError;
use regard::triage;

use crate::house::{House, ID, REPORT, hour};

fn message(body: &str) -> mail::Message {
    mail::parse(format!("From: jo@example.org\nSubject: x\n\n{body}").as_bytes())
}

#[test]
fn ten_thousand_commands_are_a_flood_and_none_is_carried_out() {
    let lines = "#regard invalid\n".repeat(10_000);
    let on_one_line = "#regard invalid; ".repeat(10_000);
    let templates = "#syz fix: exact-commit-title\n".repeat(10_000);
    let unclear = "#regard banana\n".repeat(10_000);
    for body in [&lines, &on_one_line, &templates, &unclear] {
        let commands = command::parse(&message(body));
        assert!(commands.flood, "{}", &body[..40]);
        assert!(commands.given.is_empty() && commands.unclear.is_empty());
    }
    let mut house = House::build("");
    let story = house.reply("jo@example.net", &lines);
    assert_eq!(house.regression(ID).state, State::Open);
    let row = house.write(|tx| tx.outbox_row(*story.written.last().unwrap())).unwrap();
    assert!(String::from_utf8_lossy(&row.raw).contains("more than ten commands"));
}

#[test]
fn ten_commands_are_none() {
    let ten = (0..10).map(|n| format!("#regzbot link: https://bugs.example.org/{n}\n"));
    let commands = command::parse(&message(&ten.collect::<String>()));
    assert_eq!((commands.given.len(), commands.flood), (10, false));
}

#[test]
fn a_value_ends_and_a_line_without_end_is_one_value() {
    let long = format!("#regard title: {}", "x".repeat(5_000_000));
    assert_eq!(command::parse(&message(&long)).given.len(), 1);
    let folded = format!("#regard title: a\n{}", "  and on\n".repeat(100_000));
    let line = &command::parse(&message(&folded)).given[0].line;
    assert_eq!(line.matches("and on").count(), 6);
    let nested = format!("#regard fix: {}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(command::parse(&message(&nested)).given.len(), 1);
    let tags = format!("#regard fix: {}x", "[PATCH] ".repeat(100_000));
    assert_eq!(command::parse(&message(&tags)).given.len(), 1);
}

#[test]
fn a_reply_of_ten_megabytes_is_read_at_its_beginning() {
    let mut text = String::from("The drop is expected, this is by design.\n\n");
    while text.len() < 10 << 20 {
        text += "I looked at the numbers of the third table again, and wrote them all down here.\n";
    }
    let big = message(&text);
    assert_eq!(triage::sentences(&big).len(), 400);
    let mut house = House::build("");
    let story = house.reply("mira@example.org", &text);
    assert_eq!(house.regression(ID).state, State::Expected);
    let key = story.key.clone();
    let stored = house.write(|tx| tx.message(&key)).unwrap();
    assert!(stored.evidence.unwrap().starts_with("The drop is expected"));
}

#[test]
fn a_thread_of_ten_thousand_mails_in_memory() {
    let id = |n: usize| format!("{n}@example.org");
    let mail = |n: usize, parent: Option<usize>| {
        let parent = parent.map_or_else(String::new, |p| format!("In-Reply-To: <{}>\n", id(p)));
        mail::parse(format!("Message-ID: <{}>\n{parent}\nx\n", id(n)).as_bytes())
    };
    let mut threads = Threads::default();
    threads.add(&mail(0, None), Some(About::default()));
    for n in 1..10_000 {
        threads.add(&mail(n, Some(n - 1)), None);
    }
    let last = MessageId::clean(&id(9_999)).unwrap();
    assert_eq!(threads.report_of(&last).unwrap().as_str(), "0@example.org");
    // Beyond that nobody follows: a chain that long is none.
    for n in 10_000..10_010 {
        threads.add(&mail(n, Some(n - 1)), None);
    }
    assert_eq!(threads.report_of(&MessageId::clean(&id(10_009)).unwrap()), None);
}

#[test]
fn references_that_loop_lead_nowhere_and_end() {
    let mut threads = Threads::default();
    for n in 0..100 {
        let next = (n + 1) % 100;
        let raw = format!(
            "Message-ID: <{n}@x>\nIn-Reply-To: <{next}@x> <{n}@x>\nReferences: <{next}@x> <{n}@x>\n\nx\n"
        );
        threads.add(&mail::parse(raw.as_bytes()), None);
    }
    assert_eq!(threads.report_of(&MessageId::clean("5@x").unwrap()), None);
}

#[test]
fn a_reply_into_a_thread_of_ten_thousand_mails_finds_its_report() {
    let mut house = House::build("");
    house.write(|tx| {
        let id = regard::regression::RegressionId::parse(ID).unwrap();
        (0..10_000).try_for_each(|n| tx.join_thread(&format!("old-{n}@example.net"), &id))?;
        Ok::<_, StoreError>(())
    });
    let references: String = (0..10_000).map(|n| format!("<old-{n}@example.net>\n ")).collect();
    let header = format!(
        "From: mira@example.org\nTo: bot@example.org\nSubject: Re: x\nReferences: <{REPORT}>\n {references}<new@example.net>\n"
    );
    let story = house.mail(&header, "This is expected, it is by design.");
    assert_eq!(story.regression.unwrap().as_str(), ID);
    assert_eq!(house.regression(ID).state, State::Expected);
}

#[test]
fn a_reply_that_refers_to_itself_is_taken_once() {
    let mut house = House::build("");
    let raw = "Message-ID: <self@example.net>\nFrom: jo@example.net\nTo: bot@example.org\nSubject: Re: x\n\
               In-Reply-To: <self@example.net>\nReferences: <self@example.net>\n\n#regzbot introduced: v6.1..v6.2 ^\n";
    let story = house.take(raw.as_bytes(), hour(1));
    let id = story.regression.clone().unwrap();
    assert_eq!(house.entries(id.as_str()).len(), 1);
    let again = house.take(raw.as_bytes(), hour(2));
    assert!(again.effects.is_empty());
    assert_eq!(house.entries(id.as_str()).len(), 1);
}

#[test]
fn replies_whose_report_never_comes_are_forgotten_after_thirty_days() {
    let mut house = House::build("");
    let header = "From: jo@example.net\nSubject: Re: x\nIn-Reply-To: <never-seen@example.net>\n";
    house.mail(header, "Same here.");
    let waiting = |house: &mut House| house.desk.store.look(|tx| tx.orphan_count()).unwrap();
    assert_eq!(waiting(&mut house), 1);
    house.desk.tick(hour(24 * 30)).unwrap();
    assert_eq!(waiting(&mut house), 1);
    house.desk.tick(hour(24 * 30 + 2)).unwrap();
    assert_eq!(waiting(&mut house), 0);
}
