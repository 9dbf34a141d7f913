//! Whatever a lab sends, a mail comes out that can be sent, in bounded time and size.

use std::sync::LazyLock;

use proptest::prelude::*;
use regard::engine::{Answer, Letter, Said};
use regard::render::{Frame, MOST_BYTES, Renderer, WIDTH, samples};
use regard::report::wrap::is_address;
use regard::report::{Brief, ReportKind};

/// It checks all samples when it is made: once is enough.
static RENDERER: LazyLock<Renderer> = LazyLock::new(|| Renderer::new(&[]).unwrap());

/// A letter of the samples whose lead is a full finding, with its frame.
fn sample() -> (Brief, Frame) {
    match samples().swap_remove(0) {
        (Letter::Report(brief), frame) => (*brief, frame),
        _ => panic!("the first sample is a report"),
    }
}

fn check(renderer: &Renderer, letter: &Letter, frame: &Frame) -> Result<(), TestCaseError> {
    let mail = renderer.letter(letter, frame).map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert!(mail.text.is_ascii());
    prop_assert!(mail.text.len() <= MOST_BYTES, "{} bytes", mail.text.len());
    prop_assert!(!mail.subject.contains(|c: char| c.is_control()), "{:?}", mail.subject);
    for line in mail.text.lines() {
        let free = line.starts_with("        ")
            || line.starts_with("| Reported-by:")
            || line.split(' ').any(is_address);
        prop_assert!(line.len() <= WIDTH || free, "{line}");
        prop_assert!(
            !line.starts_with("From ") && !line.contains(|c: char| c.is_control() && c != '\t'),
            "{line:?}"
        );
    }
    Ok(())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "\\PC{0,300}",
        Just("{{ lead }}{% if %}{# ".to_owned()),
        Just("From here\nFrom there\r\n\r\nSubject: x".to_owned()),
        Just("x".repeat(5000)),
        Just("\u{1f600}\u{202e}\u{0}".repeat(200)),
        Just("'\"\\ # | ".repeat(200)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_text_in_any_place(a in text(), b in text(), c in text(), kind in 0..6_usize) {
        let (mut brief, mut frame) = sample();
        let kinds = [ReportKind::Regression, ReportKind::Improvement, ReportKind::Change, ReportKind::Mixed,
            ReportKind::NoChange, ReportKind::Failure];
        brief.kind = kinds[kind];
        for finding in [&mut brief.lead, &mut brief.others[0]] {
            let n = &mut finding.notification;
            n.head.subject = Some(a.clone());
            n.tree.branch = b.clone();
            n.head.commit = c.clone();
            n.base.commit = b.clone();
            n.test.name = a.clone();
            n.test.description = Some(c.clone());
            n.test.parameters.insert(a.clone(), b.clone());
            n.environment.machine = c.clone();
            n.environment.other.insert(b.clone(), a.clone());
            n.reproduce.push(a.clone());
            n.attachments.push(format!("job{b}.yaml"));
            n.failures[0].name = b.clone();
            n.metrics[0].name = c.clone();
            n.metrics[0].unit = Some(a.clone());
            finding.changes[0].metric = c.clone();
            finding.changes[0].unit = Some(a.clone());
        }
        frame.recipients[0].address.name = a.clone();
        frame.recipients[0].why = b.clone();
        frame.bot.name = c.clone();
        frame.reason = a.clone();
        check(&RENDERER, &Letter::Report(Box::new(brief)), &frame)?;
        frame.answers_subject = Some(b.clone());
        check(&RENDERER, &Letter::Answer(Answer::Commands { lines: vec![(a.clone(), Said::Unclear { why: b.clone(), did_you_mean: Some(a.clone()) })] }), &frame)?;
        check(&RENDERER, &Letter::Answer(Answer::Malformed { part: a, problems: vec![b, c] }), &frame)?;
    }

    #[test]
    fn any_numbers(runs in prop::collection::vec(prop::option::of(any::<f64>()), 0..300), percent in any::<f64>()) {
        let (mut brief, frame) = sample();
        let lead = &mut brief.lead;
        lead.notification.metrics[0].base = runs.clone();
        lead.notification.metrics[0].head = runs.iter().rev().copied().collect();
        lead.notification.metrics[0].base_builds = Some(vec![u32::MAX; 3]);
        let change = &mut lead.changes[0];
        change.change_percent = Some(percent);
        change.mean_change_percent = runs.first().copied().flatten();
        change.ci95 = Some([percent, -percent]);
        change.p = Some(percent);
        change.t = runs.last().copied().flatten();
        change.cliff = Some(percent);
        change.build_noise = percent.abs();
        lead.history.iter_mut().for_each(|p| p.value = Some(percent));
        check(&RENDERER, &Letter::Report(Box::new(brief)), &frame)?;
    }
}

#[test]
fn a_flood_becomes_one_mail_of_bounded_size() {
    let (mut brief, frame) = sample();
    let long = |i: usize| format!("{}{i}", "long_name.".repeat(25));
    let mut finding = brief.others[0].clone();
    finding.notification.environment.machine = "another machine ".repeat(10);
    brief.others = vec![finding; 300];
    let n = &mut brief.lead.notification;
    n.test.parameters = (0..1000).map(|i| (long(i), long(i))).collect();
    n.environment.other = (0..1000).map(|i| (long(i), long(i))).collect();
    n.reproduce = (0..1000).map(|i| format!("command {} {i}", "--option ".repeat(40))).collect();
    let metrics: Vec<_> = (0..5000)
        .map(|i| {
            let mut metric = n.metrics[0].clone();
            metric.name = long(i);
            metric
        })
        .collect();
    n.metrics.extend(metrics);
    let changes: Vec<_> = (0..5000)
        .map(|i| {
            let mut change = brief.lead.changes[0].clone();
            change.metric = long(i);
            change
        })
        .collect();
    brief.lead.changes.extend(changes);
    check(&RENDERER, &Letter::Report(Box::new(brief)), &frame).unwrap();
}
