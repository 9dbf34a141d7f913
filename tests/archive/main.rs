//! Every sort of archive gives the same mails.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use regard::archive::{self, Marks, Raw};

fn mail(number: u32) -> String {
    format!(
        "From: Jo <jo@example.org>\nTo: list@example.org\nMessage-ID: <{number}@example.org>\nSubject: {number}\n\nFrom here on: {number}\n"
    )
}

fn read(path: &Path) -> Vec<Raw> {
    archive::open(path).expect("opens").map(|raw| raw.expect("reads")).collect()
}

fn subjects(mails: &[Raw]) -> Vec<String> {
    mails.iter().map(|raw| regard::mail::parse(&raw.bytes).subject).collect()
}

fn mbox() -> String {
    (1..=3)
        .map(|n| {
            format!(
                "From jo Mon Jan 12 10:00:0{n} 2026\n{}\n",
                mail(n).replace("\nFrom here", "\n>From here")
            )
        })
        .collect()
}

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args([
        "-c",
        "user.name=Jo",
        "-c",
        "user.email=jo@example.org",
        "-c",
        "init.defaultBranch=master",
    ]);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.args(arguments).output().expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn files_and_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::create_dir_all(root.join("deep/er")).expect("folders");
    fs::write(root.join("deep/er/2.eml"), mail(2)).expect("a file");
    fs::write(root.join("1.eml"), mail(1)).expect("a file");
    fs::write(root.join("notes.json"), "{}").expect("a file");
    fs::write(root.join(".hidden"), "not mail").expect("a file");
    let mails = read(root);
    assert_eq!(subjects(&mails), ["1", "2"]);
    assert_eq!(mails[0].label, root.join("1.eml").display().to_string());
    assert_eq!(subjects(&read(&root.join("1.eml"))), ["1"]);
    assert!(archive::open(&root.join("missing")).is_err());
}

#[test]
fn an_mbox_plain_and_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("all.mbox");
    fs::write(&plain, mbox()).expect("a file");
    let packed = folder.path().join("all.mbox.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(mbox().as_bytes()).expect("packs");
    fs::write(&packed, gzip.finish().expect("packs")).expect("a file");
    for path in [plain, packed] {
        let mails = read(&path);
        assert_eq!(subjects(&mails), ["1", "2", "3"]);
        assert_eq!(mails[1].label, format!("{}#2", path.display()));
        assert!(mails[1].bytes.ends_with(b"\n\nFrom here on: 2\n\n"), "mboxrd quoting is undone");
    }
}

#[test]
fn a_maildir() {
    let folder = tempfile::tempdir().expect("a folder");
    for (place, number) in [("new", 2), ("cur", 1), (".list.perf/cur", 3)] {
        let place = folder.path().join(place);
        fs::create_dir_all(&place).expect("folders");
        fs::write(place.join(format!("100{number}.M1.host:2,S")), mail(number)).expect("a file");
    }
    fs::create_dir_all(folder.path().join("tmp")).expect("folders");
    fs::write(folder.path().join("tmp/1009.M1.host"), mail(9)).expect("a file");
    fs::write(folder.path().join("dovecot-uidlist"), "3 V1 N2").expect("a file");
    let mut found = subjects(&read(folder.path()));
    found.sort();
    assert_eq!(found, ["1", "2", "3"]);
}

/// Two epochs of a public-inbox; the second one also removes a mail.
fn inbox(root: &Path) {
    for (epoch, numbers) in [(0, 1..3), (1, 3..5)] {
        let work = root.join(format!("work{epoch}"));
        fs::create_dir_all(&work).expect("folders");
        git(&work, &["init", "-q", "."]);
        for number in numbers {
            fs::write(work.join("m"), mail(number)).expect("a file");
            git(&work, &["add", "-A"]);
            git(&work, &["commit", "-q", "-m", "mail"]);
        }
        if epoch == 1 {
            fs::rename(work.join("m"), work.join("d")).expect("renames");
            git(&work, &["add", "-A"]);
            git(&work, &["commit", "-q", "-m", "rm"]);
        }
        fs::create_dir_all(root.join("inbox/git")).expect("folders");
        let bare = root.join(format!("inbox/git/{epoch}.git"));
        git(
            root,
            &["clone", "-q", "--bare", &work.display().to_string(), &bare.display().to_string()],
        );
    }
}

#[test]
fn a_public_inbox_and_its_second_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    inbox(folder.path());
    let path = folder.path().join("inbox");
    let mails = read(&path);
    assert_eq!(subjects(&mails), ["1", "2", "3", "4"]);
    let mut marks: Marks = mails.iter().take(3).filter_map(|raw| raw.mark.clone()).collect();
    let again = |marks: &Marks| -> Vec<Raw> {
        archive::open_after(&path, marks.clone())
            .expect("opens")
            .map(|raw| raw.expect("reads"))
            .collect()
    };
    assert_eq!(subjects(&again(&marks)), ["4"]);
    marks.extend(again(&marks).into_iter().filter_map(|raw| raw.mark));
    assert_eq!(subjects(&again(&marks)), [""; 0]);
    // A purge rewrote history: the mark is unknown, so all is read again.
    marks
        .values_mut()
        .for_each(|commit| *commit = "0123456789012345678901234567890123456789".to_owned());
    assert_eq!(subjects(&again(&marks)).len(), 4);
}

#[test]
fn an_old_public_inbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    git(root, &["init", "-q", "."]);
    for number in 1..3 {
        fs::create_dir_all(root.join(format!("a{number}"))).expect("folders");
        fs::write(root.join(format!("a{number}/0123")), mail(number)).expect("a file");
    }
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "mails"]);
    assert_eq!(subjects(&read(root)), ["1", "2"]);
}

#[test]
fn stopping_half_way_leaves_nothing_running() {
    let folder = tempfile::tempdir().expect("a folder");
    inbox(folder.path());
    let mut mails = archive::open(&folder.path().join("inbox")).expect("opens");
    assert!(mails.next().is_some());
    drop(mails);
}
