//! Message-IDs in all the spellings of archives.

use regard::mail::{commit_trailers, linked_ids};

fn names(text: &str, id: &str) -> bool {
    linked_ids(text).iter().any(|found| found.as_str() == id)
}

#[test]
fn every_archive_spells_them_its_own_way() {
    let id = "CAH=k-w+i_1$x@mail.example.org";
    for text in [
        "https://lore.example.org/r/CAH=k-w+i_1$x@mail.example.org",
        "https://lore.example.org/r/CAH=k-w+i_1$x@mail.example.org/",
        "https://lore.example.org/all/CAH=k-w+i_1$x@mail.example.org/T/#u",
        "https://lore.example.org/all/CAH%3Dk-w%2Bi_1%24x%40mail.example.org/t.mbox.gz",
        "http://lists.example.net/list/CAH%253Dk-w%252Bi_1%2524x%2540mail.example.org/raw",
        "https://patch.example.org/project/linux-pm/patch/CAH=k-w+i_1$x@mail.example.org/ [1]",
        "https://marc.example.com/?i=CAH=k-w+i_1$x@mail.example.org",
        "https://marc.example.com/?l=linux-mm&i=%3CCAH%3Dk-w%2Bi_1%24x%40mail.example.org%3E",
        "https://search.example.com/?q=m:CAH=k-w%2Bi_1$x@mail.example.org",
        "(https://lore.example.org/r/CAH=k-w+i_1$x@mail.example.org).",
        "lore.example.org/r/CAH=k-w+i_1$x@mail.example.org",
        "<CAH=k-w+i_1$x@mail.example.org>",
        "CAH=k-w+i_1$x@mail.example.org",
        "mid:CAH=k-w+i_1$x@mail.example.org",
        "[the report](https://lore.example.org/r/CAH=k-w+i_1$x@mail.example.org), and",
        "[https://lore.example.org/r/CAH=k-w+i_1$x@mail.example.org]",
        "a@example.org,CAH=k-w+i_1$x@mail.example.org;b@example.org",
        "[1] <https://lore.example.org/r/CAH=k-w+i_1$x@mail.example.org>",
    ] {
        assert!(names(text, id), "{text}: {:?}", linked_ids(text));
    }
}

#[test]
fn a_slash_in_an_id_may_be_encoded_or_not() {
    let id = "2026/03/x.y@mail.example.org";
    for text in [
        "https://lore.example.org/r/2026%2F03%2Fx.y@mail.example.org/",
        "https://lore.example.org/r/2026%252f03%252fx.y%2540mail.example.org/",
        "https://lore.example.org/r/2026/03/x.y@mail.example.org/T/#t",
    ] {
        assert!(names(text, id), "{text}: {:?}", linked_ids(text));
    }
}

#[test]
fn ids_without_an_at_sign_are_tried_last() {
    assert!(names("https://lore.example.org/r/tip-0123456789ab-cover/", "tip-0123456789ab-cover"));
    assert!(!names("https://lore.example.org/r/x@example.org/some-page", "some-page"));
}

#[test]
fn what_names_none_gives_none_and_floods_are_bounded() {
    for text in ["", "https://", "https://example.org", "no link at all", "a/b/c", "://@", "%40"] {
        assert!(linked_ids(text).is_empty(), "{text}: {:?}", linked_ids(text));
    }
    let flood = "https://lore.example.org/r/a@b/c@d/e@f ".repeat(1_000);
    assert!(linked_ids(&flood).len() <= 32);
    assert!(linked_ids(&format!("https://example.org/{}", "a@".repeat(100_000))).is_empty());
}

#[test]
fn trailers_stand_anywhere_but_in_what_is_quoted() {
    let message = "subject\n\nCloses:\n https://lists.example.org/r/a@example.org\nText.\n\n\
                   \x20   Closes: https://lists.example.org/r/quoted@example.org\n\
                   Fixes: 0123456789ab (\"a subject that is\n wrapped\")\n\
                   Message-ID: <b@example.org>\n[teo: fixed the typo]\n\
                   Reported-by: Jo Doe\n <jo@example.org>\nNote: this is none\n";
    let found: Vec<String> =
        commit_trailers(message).iter().map(|t| format!("{}: {}", t.name, t.value)).collect();
    let expected = [
        "Closes: https://lists.example.org/r/a@example.org",
        "Fixes: 0123456789ab (\"a subject that is wrapped\")",
        "Message-id: <b@example.org>",
        "Reported-by: Jo Doe <jo@example.org>",
    ];
    assert_eq!(found, expected);
}
