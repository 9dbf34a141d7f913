//! What the store keeps of watched trees.

use regard::regression::{Fix, Gone, Happening, Order, RegressionId, State};
use regard::store::{Store, StoreError, TreeCursor, Tx};

use crate::{at, opening};

const FIX: &str = "0123456789abcdef0123456789abcdef01234567";
const REVERT: &str = "fedcba9876543210fedcba9876543210fedcba98";

fn found() -> Happening {
    Happening::Found {
        tree: "linus".to_owned(),
        order: Order::Mainline,
        commit: FIX.to_owned(),
        subject: "fio: Read faster".to_owned(),
        author: None,
        instead_of: None,
    }
}

#[test]
fn each_branch_has_its_cursor() {
    let mut store = Store::in_memory().expect("memory");
    let cursor = |tip: &str, s| TreeCursor { tip: tip.to_owned(), scanned: at(s) };
    store
        .transaction(|tx| {
            assert_eq!(tx.tree_cursor("linus", "master")?, None);
            tx.set_tree_cursor("linus", "master", &cursor("a", 1))?;
            tx.set_tree_cursor("linus", "", &cursor("b", 2))?;
            tx.set_tree_cursor("linus", "master", &cursor("c", 3))?;
            assert_eq!(tx.tree_cursor("linus", "master")?, Some(cursor("c", 3)));
            assert_eq!(tx.tree_cursor("linus", "")?, Some(cursor("b", 2)));
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn what_is_missing_is_dated_from_the_first_time() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            assert_eq!(tx.miss("next", "", FIX, at(1))?, at(1));
            assert_eq!(tx.miss("next", "", FIX, at(9))?, at(1));
            assert_eq!(tx.missing("next", "")?, [FIX]);
            tx.stop_missing("next", "", FIX)?;
            assert_eq!(tx.miss("next", "", FIX, at(9))?, at(9));
            assert!(tx.missing("linus", "")?.is_empty());
            assert!(!tx.was_looked_for("next", "", "x")?);
            tx.looked_for("next", "", "x")?;
            tx.looked_for("next", "", "x")?;
            assert!(tx.was_looked_for("next", "", "x")? && !tx.was_looked_for("next", "m", "x")?);
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn marks_follow_the_log() {
    let mut store = Store::in_memory().expect("memory");
    let (id, entry) = opening("r1@example.org", "aaaaaaaaaa");
    let because = |what| regard::regression::Entry { what, ..entry.clone() };
    let only = |tx: &Tx<'_>, found: Vec<RegressionId>| {
        assert!(tx.regression(&id).is_ok());
        found == [id.clone()]
    };
    store
        .transaction(|tx| {
            tx.append(&id, &entry)?;
            assert!(tx.marked_commit(FIX)?.is_empty());
            let fix = Fix {
                subject: Some("[PATCH v2] fio: read faster".to_owned()),
                patch: Some("v2@example.org".to_owned()),
                ..Fix::default()
            };
            tx.append(&id, &because(Happening::FixNamed(fix)))?;
            let (subject, posting) =
                (tx.marked_subject("fio: read faster")?, tx.marked_posting("v2@example.org")?);
            assert!(only(tx, subject) && only(tx, posting));
            tx.append(&id, &because(found()))?;
            let (long, short) = (tx.marked_commit(FIX)?, tx.marked_commit(&FIX[..8])?);
            assert!(only(tx, long) && only(tx, short));
            assert!(tx.marked_commit(&FIX[..7])?.is_empty() && tx.marked_commit("%")?.is_empty());
            let lost = Happening::Lost {
                commits: vec![FIX.to_owned()],
                tree: None,
                gone: Gone::Reverted { by: REVERT.to_owned() },
            };
            tx.append(&id, &because(lost))?;
            let revert = tx.marked_commit(REVERT)?;
            assert!(only(tx, revert), "a revert of the revert is noticed");
            tx.append(&id, &because(Happening::Undone { entry: 2 }))?;
            assert!(
                tx.marked_posting("v2@example.org")?.is_empty(),
                "what was undone marks nothing"
            );
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

/// A database of the first schema, with a regression as that version folded it.
#[test]
fn a_store_of_the_first_version_is_brought_up() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    let (id, entry) = opening("r1@example.org", "aaaaaaaaaa");
    let fix = Fix { subject: Some("fio: read faster".to_owned()), ..Fix::default() };
    let mut regression = regard::regression::Regression::open(&entry).expect("opened");
    regression.state = State::FixPlanned;
    regression.fix = Some((fix, at(1)));
    let mut folded = serde_json::to_value(&regression).expect("JSON");
    for new in ["landings", "taken_out", "refuted", "fix_missed"] {
        assert!(folded.as_object_mut().expect("an object").remove(new).is_some(), "{new}");
    }
    let db = rusqlite::Connection::open(&path).expect("open");
    db.execute_batch(include_str!("../../src/store/migrations/0001-first.sql")).expect("schema");
    db.pragma_update(None, "user_version", 1).expect("set");
    db.execute(
        "insert into regression values (?, 'fix-planned', 0, 'regression', 't', 1, null, null, null, 0, 0, 0, ?)",
        [id.as_str(), &folded.to_string()],
    )
    .expect("a row");
    drop(db);
    let mut store = Store::open(&path).expect("migrated");
    let found = store
        .look(|tx| Ok((tx.regression(&id)?, tx.marked_subject("fio: read faster")?)))
        .expect("read");
    assert_eq!(found, (Some(regression), vec![id]));
}
