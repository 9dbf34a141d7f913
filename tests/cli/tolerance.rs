//! Command lines as they are really typed: meant although malformed, and not meant although they look like it.

use regard::mail;
use regard::regression::command;

/// Understood lines, then what was meant but not understood, with what is suggested.
fn read(body: &str) -> Vec<String> {
    let raw = format!("From: jo@example.org\nSubject: Re: slower\n\n{body}\n");
    let message = mail::parse(raw.as_bytes());
    let commands = command::parse(&message);
    let given = commands.given.iter().map(|g| g.line.clone());
    let unclear = commands
        .unclear
        .iter()
        .map(|u| format!("? {} => {}", u.line, u.did_you_mean.as_deref().unwrap_or("nothing")));
    given.chain(unclear).collect()
}

fn is(body: &str, expected: &[&str]) {
    assert_eq!(read(body), expected, "{body}");
    assert_eq!(read(&body.replace('\n', "\r\n")), expected, "CRLF: {body}");
}

#[test]
fn a_colon_behind_the_marker() {
    is("#regzbot: title: slower wakeups", &["#regzbot title: slower wakeups"]);
    is("#regard: status", &["#regard status"]);
}

#[test]
fn no_blank_line_before_the_block() {
    is("Thanks for the report.\n#regzbot fix: 1d7bb6093f0c", &["#regzbot fix: 1d7bb6093f0c"]);
}

#[test]
fn up_to_three_blanks_in_front_but_no_code() {
    is(" #regard status", &["#regard status"]);
    is("   #regard status", &["#regard status"]);
    is("    #regard status", &[]);
    is("\t#regard status", &[]);
}

#[test]
fn values_on_several_lines() {
    is(
        "#regzbot introduced: 1d7bb6093f0c\n  (\"sched/fair: a long subject that goes on\n  and on\")",
        &["#regzbot introduced: 1d7bb6093f0c (\"sched/fair: a long subject that goes on and on\")"],
    );
    is(
        "#regard fix: sched/fair: a subject so long that the mail program broke it at the\nseventy-second column\n\nThanks",
        &[
            "#regard fix: sched/fair: a subject so long that the mail program broke it at the seventy-second column",
        ],
    );
    is("#regzbot title:\n  slower wakeups", &["#regzbot title: slower wakeups"]);
}

#[test]
fn several_a_mail_and_several_a_line() {
    is(
        "#regzbot title: a\n#regzbot link: https://bugs.example.org/1",
        &["#regzbot title: a", "#regzbot link: https://bugs.example.org/1"],
    );
    is(
        "#regzbot title: a; #regzbot link: https://bugs.example.org/1",
        &["#regzbot title: a", "#regzbot link: https://bugs.example.org/1"],
    );
    is(
        "#regzbot note: last\n#regzbot title: a\n#regzbot introduced: v6.1..v6.2",
        &["#regzbot introduced: v6.1..v6.2", "#regzbot title: a", "#regzbot note: last"],
    );
}

#[test]
fn other_spellings() {
    is("#syz dupe: an older title", &["#syz dup: an older title"]);
    is("#syzbot test", &["#syz test"]);
    is("#Regzbot Fix: 1d7bb6093f0c", &["#regzbot fix: 1d7bb6093f0c"]);
    is("#syz set-subsystems: mm", &["#syz set: subsystems: mm"]);
    is("#syz set: subsystems mm", &["#syz set: subsystems: mm"]);
    is("#syz fix: \"mm: cap the batch\"", &["#syz fix: mm: cap the batch"]);
    is("#syz dup: Re: [perf] an older title", &["#syz dup: an older title"]);
    is(
        "#syz fix: 1d7bb6093f0c (\"mm: cap the batch\")",
        &["#syz fix: 1d7bb6093f0c (\"mm: cap the batch\")"],
    );
    is("#syz fix:\nmm: cap the batch", &["#syz fix: mm: cap the batch"]);
}

#[test]
fn did_you_mean() {
    is(
        "#regzbot introducd: 1d7bb6093f0c",
        &["? #regzbot introducd: 1d7bb6093f0c => #regzbot introduced: 1d7bb6093f0c"],
    );
    is("#syz mm: cap the batch", &["? #syz mm: cap the batch => #syz fix: mm: cap the batch"]);
    is("#regard statsu", &["? #regard statsu => #regard status"]);
    is("#regard fix", &["? #regard fix => #regard fix: <commit or its subject>"]);
    is("#regzbot link: bugs", &["? #regzbot link: bugs => #regzbot link: <URL>"]);
    is("#regard banana", &["? #regard banana => nothing"]);
}

#[test]
fn what_is_not_meant() {
    is("> #regard invalid\n>> #regzbot invalid: x\n| #syz invalid", &[]);
    is("Jo wrote:\n> hello\n> #syz invalid\n\nNo, not that.", &[]);
    is("You can write #regard invalid to close it.", &[]);
    is("`#regard invalid` closes it.", &[]);
    is("```\n#regard invalid\n```", &[]);
    is("To close it:\n\n    #regard invalid", &[]);
    is("#syz fix: exact-commit-title\n#regzbot introduced: <sha>", &[]);
    is("Words.\n-- \nJo\n#regard invalid", &[]);
    is("#regardless of that\n#syzygy fix: x\n#regzbots invalid", &[]);
    is(
        "-----Original Message-----\nFrom: Jo\nSent: Monday\nTo: bot\nSubject: x\n\n#regard invalid",
        &[],
    );
}

#[test]
fn a_patch_holds_no_commands() {
    is(
        "Words.\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n #syz invalid\n-a\n+#regard invalid\n",
        &[],
    );
}
