//! What syzbot's public parser tests pin, each as a case of our own: 27 about command lines, 28 about whole mails. The numbers
//! are those of the order in which they stand there. Each runs with LF and with CRLF.
//!
//! Where this bot differs on purpose: it carries out every command of a mail (07 of the lines stands for "only the first");
//! inner blanks of a value become one; its own pages and archives take the place of syzbot's.

use regard::mail::{self, Address, Identity, Message, MessageId, Origin};
use regard::regression::RegressionId;
use regard::regression::command::{self, Commands};
use regard::regression::thread::{About, Threads, Via, link};

fn both(text: &str, check: impl Fn(&Message, &str)) {
    for (ends, text) in [("LF", text.to_owned()), ("CRLF", text.replace('\n', "\r\n"))] {
        check(&mail::parse(text.as_bytes()), ends);
    }
}

fn told(commands: &Commands) -> Vec<String> {
    let given = commands.given.iter().map(|g| g.line.clone());
    let unclear = commands.unclear.iter().map(|u| {
        let near = u.did_you_mean.as_ref().map_or_else(String::new, |m| format!(" -> {m}"));
        format!("? {}{near}", u.line)
    });
    given.chain(unclear).collect()
}

/// A mail's text, and its commands as understood.
const LINES: [(&str, &[&str]); 27] = [
    // 1-2: blanks around verb and value, with and without a colon.
    ("Hi all,\n\nsee below\n#syz  fix:  mm: foo bar \t", &["#syz fix: mm: foo bar"]),
    ("Hi all,\n\nsee below\n#syz fix  foo \t bar\nlast line\n", &["#syz fix: foo bar"]),
    // 3: quoted.
    ("see below\n> #syz fix: foo   bar\nlast line\n", &[]),
    // 4-6: a dash or a colon behind the marker.
    ("#syz-fix: foo bar", &["#syz fix: foo bar"]),
    ("#syz-fix foo bar", &["#syz fix: foo bar"]),
    ("#syz: fix: foo bar", &["#syz fix: foo bar"]),
    // 7: the mailer broke the line.
    (
        "\n#syz test: git://git.example.org/pub/scm/linux/kernel/git/tree/tree.git\nsched/core\n",
        &["#syz test: git://git.example.org/pub/scm/linux/kernel/git/tree/tree.git sched/core"],
    ),
    // 8: no colon, no argument from the next line.
    ("\n#syz test\ngit://git.example.org/tree.git sched/core\n", &["#syz test"]),
    // 9: two words, whatever follows.
    (
        "\n#syz test:\ngit://git.example.org/tree.git\nsched/core\nsched/core\n",
        &["#syz test: git://git.example.org/tree.git sched/core"],
    ),
    // 10-11: blanks and tabs between the words.
    ("#syz test: tree \tcommit", &["#syz test: tree commit"]),
    ("#syz\ttest:\ttree\tcommit", &["#syz test: tree commit"]),
    // 12: a patch right below.
    ("#syz test\ndiff follows\n", &["#syz test"]),
    // 13: the words stand behind empty lines.
    (
        "\n#syz test:\n\n git://git.example.org/tree.git\n \nsched/core\nmore\n",
        &["#syz test: git://git.example.org/tree.git sched/core"],
    ),
    // 14: many blanks.
    ("#syz test: \ttree \t \tcommit \t more", &["#syz test: tree commit"]),
    // 15-17: the text ends behind the words, with no, one and several line ends.
    ("\n#syz test: tree\ncommit", &["#syz test: tree commit"]),
    ("\n#syz test: tree\ncommit\n", &["#syz test: tree commit"]),
    ("\n#syz test: tree\ncommit\n\n \n", &["#syz test: tree commit"]),
    // 18-19: a title stands on one line, the next one if this one is empty.
    ("\n#syz fix:\nfoo bar baz\nnot this\n \n", &["#syz fix: foo bar baz"]),
    ("\n#syz  fix: foo bar baz\nnot this \n", &["#syz fix: foo bar baz"]),
    // 20-21: the same for the title of another report.
    ("\n#syz dup: a title of old\nnot this\n", &["#syz dup: a title of old"]),
    (
        "\n#syz dup \na title on the next line  \nbut not this one\n",
        &["#syz dup: a title on the next line"],
    ),
    // 22: no such command.
    ("\n#syz frobnicate it\nnot this\n", &["? #syz frobnicate it"]),
    // 23-24: labels.
    ("\n#syz set subsystems: net, fs\n", &["#syz set: subsystems: net, fs"]),
    ("\n#syz unset some tag\n", &["#syz unset: some tag"]),
    // 25: two of them.
    (
        "\n#syz fix: first title\n#syz fix: second title\n",
        &["#syz fix: first title", "#syz fix: second title"],
    ),
    // 26-27.
    ("#syz reject", &["#syz reject"]),
    ("#syz unreject", &["#syz unreject"]),
];

#[test]
fn command_lines() {
    for (number, (body, expected)) in LINES.iter().enumerate() {
        both(&format!("From: jo@example.org\nSubject: x\n\n{body}"), |message, ends| {
            let found: Vec<String> = told(&command::parse(message))
                .iter()
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            assert_eq!(found, *expected, "{} {ends}", number + 1);
        });
    }
}

const REPORT: &str = "report-1@example.org";

/// The threads of two reports of ours, the second one only known by its id.
fn threads() -> Threads {
    let mut threads = Threads::default();
    for id in [REPORT, "report-2@example.org"] {
        let raw = format!("Message-ID: <{id}>\nFrom: bot@example.org\nSubject: a report\n\nx\n");
        threads.add(&mail::parse(raw.as_bytes()), Some(About::default()));
    }
    threads
}

fn token(report: &str) -> RegressionId {
    RegressionId::derive(report)
}

fn bot() -> Identity {
    let address = Address { name: String::new(), email: "bot@example.org".to_owned() };
    Identity { addresses: vec![address], ..Identity::default() }
}

fn commands(text: &str, expected: &[&str]) {
    both(text, |message, ends| {
        assert_eq!(told(&command::parse(message)), expected, "{ends}: {text}")
    });
}

fn linked(text: &str, expected: Option<(&str, Via)>) {
    both(text, |message, ends| {
        let found = link(message, &mail::trailers(message), &threads());
        let found = found.as_ref().map(|(id, via)| (id.as_str(), *via));
        assert_eq!(found, expected, "{ends}: {text}");
    });
}

const HEAD: &str = "Date: Sun, 7 May 2023 19:54:00 -0700\nMessage-ID: <123>\nSubject: a subject\nFrom: Bo <bo@example.com>\n";

#[test]
fn mail_01_a_command_above_a_lists_footer_with_the_bugs_token_in_our_address() {
    let to = token(REPORT);
    let text = format!(
        "{HEAD}To: bot <bot+{to}@example.org>\nContent-Type: text/plain; charset=\"UTF-8\"\n\nsome text\nmore\n\
         #syz fix: \t one two three\t\nlast line\n-- \nYou received this message because you are subscribed to the Google \
         Groups \"perf\" group.\nTo unsubscribe from this group and stop receiving emails from it, send an email to \
         perf+unsubscribe@lists.example.org.\n#syz invalid\n"
    );
    commands(&text, &["#syz fix: one two three"]);
    linked(&text, Some((REPORT, Via::Token)));
    both(&text, |m, _| {
        let from = m.from.as_ref().unwrap();
        assert_eq!((from.name.as_str(), from.email.as_str()), ("Bo", "bo@example.com"));
        assert_eq!(m.date.unwrap().to_string(), "2023-05-08T02:54:00Z");
        assert_eq!(m.id.as_ref().map(MessageId::as_str), Some("123"));
    });
}

#[test]
fn mail_02_a_footer_alone_is_no_command() {
    let text = format!(
        "{HEAD}To: bot@example.org\n\nsome title\n\n-- \nYou received this message because you are subscribed to the Google \
         Groups \"perf\" group.\nTo view this discussion visit https://lists.example.org/d/msgid/perf/67%40example.org.\n"
    );
    commands(&text, &[]);
    both(&text, |m, _| assert_eq!(m.new_text(), "some title"));
}

#[test]
fn mail_03_our_own_mail_is_ours_whatever_its_token() {
    let text = "Message-ID: <123>\nFrom: regard <bot+4564456@example.org>\nTo: Bo <bo@example.com>\n\n#syz invalid\n";
    both(text, |m, ends| assert_eq!(mail::origin(m, &bot()), Origin::Own, "{ends}"));
}

#[test]
fn mail_04_no_content_type_and_blanks_behind_the_verb() {
    let text = format!(
        "{HEAD}To: bot <bot@example.org>, Al <al@example.com>\n\n#syz  invalid   \t \ntext\nmore\n"
    );
    both(&text, |m, ends| {
        let commands = command::parse(m);
        assert_eq!(commands.given[0].command.verb(), "invalid", "{ends}");
        assert_eq!(m.to.len(), 2);
    });
}

#[test]
fn mail_05_an_unknown_command_without_a_line_end() {
    let text = format!(
        "{HEAD}To: bot@example.org\nContent-Type: text/plain\n\ntext\nlast line\n#syz frobnicate"
    );
    commands(&text, &["? #syz frobnicate"]);
}

#[test]
fn mail_06_a_quoted_command_beside_an_attached_patch() {
    let patch =
        "ZGlmZiAtLWdpdCBhL3guYyBiL3guYwotLS0gYS94LmMKKysrIGIveC5jCkBAIC0xICsxIEBACi1hCitiCg==";
    let text = format!(
        "{HEAD}To: bot@example.org\nContent-Type: multipart/mixed; boundary=\"cut\"\n\n--cut\nContent-Type: text/plain\n\n\
         some text\n>#syz test\n\n--cut\nContent-Type: text/x-patch; name=\"x.patch\"\nContent-Disposition: attachment; \
         filename=\"x.patch\"\nContent-Transfer-Encoding: base64\n\n{patch}\n--cut--\n"
    );
    commands(&text, &[]);
    both(&text, |m, _| {
        assert!(m.attachments[0].bytes.starts_with(b"diff --git a/x.c b/x.c\n"));
    });
}

#[test]
fn mail_07_plain_text_beside_html_with_a_patch_in_line() {
    let text = format!(
        "{HEAD}To: bot@example.org\nContent-Type: multipart/alternative; boundary=\"cut\"\n\n--cut\nContent-Type: \
         text/plain; charset=\"UTF-8\"\n\nOn Mon, May 8, 2023 at 6:47 PM, Bo wrote:\n> some text\n\n#syz test\n\n\
         diff --git a/fs/x.c b/fs/x.c\nindex 3d8574..a25787 100644\n--- a/fs/x.c\n+++ b/fs/x.c\n@@ -1,2 +1,1 @@\n- if (!x)\n \
         return 0;\n\n--cut\nContent-Type: text/html; charset=\"UTF-8\"\n\n<div>#syz test<br>#syz invalid</div>\n--cut--\n"
    );
    commands(&text, &["#syz test"]);
}

#[test]
fn mail_08_a_title_broken_by_quoted_printable_below_a_quote() {
    let text = "Subject: Re: slower in\n sock_poll\nTo: bot@example.org\nFrom: bo <bo@example.com>\nMessage-ID: <a@b>\n\
                Content-Type: text/plain; charset=\"UTF-8\"\nContent-Transfer-Encoding: quoted-printable\n\n\
                On 2023/06/10 4:57, bot wrote:\n> Hello,\n>=20\n> the tree is https://example.org/x?x=3D118\n\n\
                #syz dup: slower: unable to handle page fault in corrupte=\nd\n";
    commands(text, &["#syz dup: slower: unable to handle page fault in corrupted"]);
    both(text, |m, _| assert_eq!(m.subject, "Re: slower in sock_poll"));
}

#[test]
fn mail_09_and_10_no_subject_no_date_no_id_and_the_title_on_the_next_line() {
    let head = "Sender: list@example.org\nTo: bot@example.org\nFrom: bo@example.com\n\n";
    commands(
        &format!("{head}#syz dup:\nslower: unable to handle it\n"),
        &["#syz dup: slower: unable to handle it"],
    );
    let title = "When a lock is part of a linked list already, make sure to";
    commands(&format!("{head}#syz fix:\n{title}\n"), &[format!("#syz fix: {title}").as_str()]);
}

#[test]
fn mail_11_a_command_in_the_subject() {
    let text = "Message-ID: <123>\nSubject: #syz test: git://git.example.org/tree.git master\nFrom: bo@example.com\n\
                To: bot@example.org\n\nnothing to see here\n";
    commands(text, &["#syz test: git://git.example.org/tree.git master"]);
}

#[test]
fn mail_12_to_14_who_wrote_it_behind_a_list() {
    let author = |head: &str| {
        let text =
            format!("Date: Sun, 7 May 2023 19:54:00 -0700\nMessage-ID: <123>\n{head}\n\nnothing\n");
        mail::parse(text.as_bytes()).from.unwrap().email
    };
    let sender = "Sender: list@example.org\nFrom: bo@example.com\nTo: list@example.org";
    assert_eq!(author(sender), "bo@example.com");
    let original = "From: 'Bo' via list <list@example.org>\nX-Original-From: bo@example.com\nTo: al@example.com";
    assert_eq!(author(original), "bo@example.com");
    assert_eq!(author("From: list@example.org\nTo: al@example.com"), "list@example.org");
}

#[test]
fn mail_15_marker_and_verb_on_two_lines() {
    let text = "Subject: Re: x\nTo: bot@example.org\nFrom: bo@example.com\nMessage-ID: <a@b>\nContent-Type: text/plain\n\
                Content-Transfer-Encoding: quoted-printable\n\n#syz=20\ntest: https://git.example.org/linux.git 7b5bb460de=\n\
                fa107dd2e82f950fddb9ea6bdb5e39\n";
    commands(
        text,
        &["#syz test: https://git.example.org/linux.git 7b5bb460defa107dd2e82f950fddb9ea6bdb5e39"],
    );
}

const PATCH: &str = "Subject: [PATCH] sched: a fix\nTo: someone@example.com\nFrom: bo <bo@example.com>\n\
                     Message-ID: <p@example.com>\nContent-Type: text/plain\n\nWords.\n\n";

#[test]
fn mail_16_credit_for_our_token() {
    let token = token(REPORT);
    linked(
        &format!("{PATCH}Reported-by: regard <bot+{token}@example.org>\n"),
        Some((REPORT, Via::Token)),
    );
}

#[test]
fn mail_17_a_link_to_a_page_that_has_its_name() {
    let token = token(REPORT);
    linked(
        &format!("{PATCH}Link: https://example.org/page?id={token}\n"),
        Some((REPORT, Via::Trailer)),
    );
    linked(
        &format!("{PATCH}Link: https://lists.example.org/r/{REPORT}\n"),
        Some((REPORT, Via::Trailer)),
    );
    linked(&format!("{PATCH}Link: https://example.org/page?id=zzzzzzzz\n"), None);
}

#[test]
fn mail_18_credit_for_two_tokens_is_for_the_first_that_is_known() {
    let (one, two) = (token(REPORT), token("report-2@example.org"));
    let text = format!(
        "{PATCH}Reported-by: regard <bot+{one}@example.org>\nReported-by: regard <bot+{two}@example.org>\n"
    );
    linked(&text, Some((REPORT, Via::Token)));
    both(&text, |m, _| assert_eq!(mail::trailers(m).len(), 2));
}

#[test]
fn mail_19_the_address_comes_before_the_text() {
    let (one, two) = (token(REPORT), token("report-2@example.org"));
    let text =
        format!("To: bot+{two}@example.org\n{PATCH}Reported-by: regard <bot+{one}@example.org>\n");
    linked(&text, Some(("report-2@example.org", Via::Token)));
}

#[test]
fn mail_20_two_ids_in_in_reply_to_of_a_lists_mail() {
    let text = format!(
        "Subject: Some talk\nFrom: bo@example.com\nMessage-ID: <a@b>\nIn-Reply-To: <{REPORT}>\n <never-seen@example.org>\n\
         Precedence: bulk\nList-ID: <perf.example.org>\nX-Mailing-List: perf@example.org\n\nSome words\n"
    );
    linked(&text, Some((REPORT, Via::References)));
}

#[test]
fn mail_21_two_commands() {
    let text = "Subject: Re: x\nFrom: bo@example.com\n\n#syz test: aaa bbb\n#syz test: ccc ddd\n";
    commands(text, &["#syz test: aaa bbb", "#syz test: ccc ddd"]);
}

#[test]
fn mail_22_a_long_encoded_subject() {
    let text = "Subject: [PATCH] =?UTF-8?q?Add=20a=20new=20test=20'migrate=5Fafter'?= =?UTF-8?q?=20that=20checks=20pa?= \
                =?UTF-8?q?ges;?=\nFrom: bo@example.com\nMessage-ID: <a@b>\n\nBody\n";
    both(text, |m, _| {
        assert_eq!(m.subject, "[PATCH] Add a new test 'migrate_after' that checks pages;")
    });
}

#[test]
fn mail_23_to_27_what_a_patch_lies_on() {
    let id = "f8f97927abf7c12382dddc93a144fc9df7919b77";
    let base = |line: &str| {
        let text = format!("Subject: [PATCH] x\nFrom: bo@example.com\n\n#syz test\n\n{line}\n");
        let commands = command::parse(&mail::parse(text.as_bytes()));
        match &commands.given[0].command {
            command::Command::Test { branch, .. } => branch.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(base(&format!("base-commit-of-another-name: {id}")), "");
    assert_eq!(base("base-commit: f8f97927brokenhash"), "");
    assert_eq!(base(&format!("base-commit: {id}")), id);
    assert_eq!(base("base-commit: \n\nOops, no hash."), "");
    assert_eq!(base(&format!("base-commit: {id} words behind it")), "");
}

#[test]
fn mail_28_the_headers_of_a_stable_review() {
    let text = "Date: Fri, 24 Apr 2026 15:30:39 +0200\nMessage-ID: <s@example.org>\nSubject: [PATCH 6.18 00/55] 6.18.25-rc1 \
                review\nFrom: Gus <gus@example.org>\nTo: stable@example.org\nX-stable: review\nX-KernelTest-Branch: \
                linux-6.18.y\n\nThis is the start of the review for the 6.18.25 release.\n";
    both(text, |m, _| {
        assert_eq!(m.header("x-stable"), Some("review"));
        assert_eq!(m.header("x-kerneltest-branch"), Some("linux-6.18.y"));
        assert_eq!(mail::origin(m, &bot()), Origin::Patch);
        assert!(command::parse(m).is_empty());
    });
}
