//! The git room, on repositories that the tests make.
#![allow(clippy::unwrap_used, reason = "a test stops where something is missing")]

use std::path::Path;
use std::process::Command;

use regard::git::{GitError, Tree};
use regard::report::maintainers::Maintainers;

const MESSAGE: &str = "\
sched/fair: Keep the idle mask in one place

Every reader looks for it elsewhere.

Suggested-by: nobody
Reviewed-by: \"Berg, Bo\" <bo@example.org> # fair.c
Cc: Cleo Cruz <cleo@example.org>
Cc: sched@lists.example.org
Link: https://lore.example.org/r/bug@example.net
Link: https://lore.example.org/r/20260105101112.1234-3-ada@example.org
Signed-off-by: Ada Ashby <ada@example.org>
";

fn git(dir: &Path, args: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(args)
        .envs([("GIT_AUTHOR_NAME", "Ada Ashby"), ("GIT_AUTHOR_EMAIL", "ada@example.org")])
        .envs([("GIT_COMMITTER_NAME", "Cleo Cruz"), ("GIT_COMMITTER_EMAIL", "cleo@example.org")])
        .envs([
            ("GIT_AUTHOR_DATE", "2026-01-05T10:11:12+01:00"),
            ("GIT_COMMITTER_DATE", "2026-01-06T10:11:12+00:00"),
        ])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Two commits: the first has a file, the second touches two and adds MAINTAINERS.
fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    git(at, &["init", "-q", "-b", "master"]);
    write(at, "kernel/sched/fair.c", "int x;\n");
    git(at, &["add", "."]);
    git(at, &["commit", "-q", "-m", "first"]);
    git(at, &["tag", "v1"]);
    write(at, "kernel/sched/fair.c", "int y;\n");
    write(at, "J\u{f6}rg's notes.txt", "tegra_clk\n");
    write(at, "MAINTAINERS", "SCHEDULER\nM:\tBo Berg <bo@example.org>\nF:\tkernel/sched/\n");
    git(at, &["add", "."]);
    git(at, &["commit", "-q", "-m", MESSAGE]);
    dir
}

#[test]
fn a_commit_is_read_with_its_people() {
    let dir = repository();
    let commit = Tree::open(dir.path()).unwrap().commit("master").unwrap().unwrap();
    assert_eq!(commit.commit.len(), 40);
    assert_eq!(commit.subject.as_deref(), Some("sched/fair: Keep the idle mask in one place"));
    assert_eq!(commit.author.unwrap().to_string(), "Ada Ashby <ada@example.org>");
    assert_eq!(commit.date.as_deref(), Some("2026-01-05T10:11:12+01:00"));
    assert_eq!(commit.message_id.as_deref(), Some("<20260105101112.1234-3-ada@example.org>"));
    assert_eq!(commit.lists, ["sched@lists.example.org"]);
    assert_eq!(commit.files, ["J\u{f6}rg's notes.txt", "MAINTAINERS", "kernel/sched/fair.c"]);
    let people: Vec<String> =
        commit.people.iter().map(|p| format!("{}: {} {}", p.role, p.name, p.email)).collect();
    let expected = [
        "Reviewed-by: Berg, Bo bo@example.org",
        "Cc: Cleo Cruz cleo@example.org",
        "Signed-off-by: Ada Ashby ada@example.org",
    ];
    assert_eq!(people, expected);
}

#[test]
fn a_root_commit_has_files_and_no_people() {
    let dir = repository();
    let commit = Tree::open(dir.path()).unwrap().commit("v1").unwrap().unwrap();
    assert_eq!(commit.files, ["kernel/sched/fair.c"]);
    assert!(commit.people.is_empty() && commit.message_id.is_none());
}

#[test]
fn files_and_maintainers_of_a_revision() {
    let dir = repository();
    let tree = Tree::open(dir.path()).unwrap();
    assert_eq!(tree.file("v1", "kernel/sched/fair.c").unwrap().as_deref(), Some("int x;\n"));
    assert_eq!(tree.file("v1", "MAINTAINERS").unwrap(), None);
    assert!(matches!(tree.maintainers("v1").unwrap().0, Maintainers::None));
    let keepers = tree.maintainers("master").unwrap().0.of(&["kernel/sched/fair.c".to_owned()], "");
    assert_eq!(keepers[0].address.email, "bo@example.org");
    assert!(tree.patch("master").unwrap().contains("+tegra_clk"));
}

#[test]
fn a_bare_mirror_does_as_well() {
    let dir = repository();
    let mirror = tempfile::tempdir().unwrap();
    git(mirror.path(), &["clone", "-q", "--bare", dir.path().to_str().unwrap(), "mirror.git"]);
    let tree = Tree::open(&mirror.path().join("mirror.git")).unwrap();
    let id = tree.id("v1").unwrap().unwrap();
    assert_eq!(tree.id(&id[..12]).unwrap().as_ref(), Some(&id));
}

#[test]
fn what_is_not_there_is_none_and_what_is_no_name_is_refused() {
    let dir = repository();
    let tree = Tree::open(dir.path()).unwrap();
    assert_eq!(tree.id("0123456789abcdef0123456789abcdef01234567").unwrap(), None);
    assert!(tree.commit("v2").unwrap().is_none());
    for name in ["", "--all", "-h", "a..b", "HEAD~1", "HEAD^{/first}", ":/first", "a b", "x\n"] {
        assert!(matches!(tree.commit(name), Err(GitError::Name(_))), "{name}");
    }
    assert!(matches!(tree.file("v1", "../../etc/passwd"), Err(GitError::Name(_))));
}

#[test]
fn a_folder_inside_a_repository_is_none() {
    let dir = repository();
    let error = Tree::open(&dir.path().join("kernel")).unwrap_err().to_string();
    assert!(error.contains("is no git repository"), "{error}");
}

#[test]
fn a_folder_without_a_repository_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let error = Tree::open(&dir.path().join("nothing")).unwrap_err().to_string();
    assert!(error.contains("is no git repository"), "{error}");
}
