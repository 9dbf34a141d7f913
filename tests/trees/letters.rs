//! Whom a report reaches when a tree is configured, from the lab's mail to the bytes in the outbox.

use std::path::Path;

use crate::house::{House, day, golden, mainline, tree};
use crate::repo::Repo;
use crate::results::results;

const MAINTAINERS: &str = "\
List of maintainers
===================

SCHEDULER
M:\tIngrid Moe <ingrid@example.org>
R:\tPetra Olsen <petra@example.org>
L:\tsched@lists.example.org
S:\tMaintained
F:\tkernel/sched/
X:\tkernel/sched/ext.c

HOTPLUG
M:\tHarald Tveit <harald@example.org>
L:\thotplug-closed@lists.example.org (subscribers-only)
S:\tMaintained
K:\tcpuhp_[a-z]+

NETWORKING
M:\tNora Lie <nora@example.org>
F:\tnet/

THE REST
M:\tRagna Dahl <ragna@example.org>
L:\tkernel@lists.example.org
F:\t*
F:\t*/
";

const CULPRIT: &str = "\
sched/fair: search idle cores in the cluster first

A wakeup stays close to its waker.

Suggested-by: Bo Berg <bo@example.org>
Reviewed-by: Cleo Cruz <cleo@example.org> # fair.c
Cc: Everybody <everybody@example.org>
Cc: perf@lists.example.org
Link: https://patch.msgid.link/20260220.v3-2-mira@example.org
Signed-off-by: Mira Okafor <mira@example.org>
Signed-off-by: Teo Dor <teo@example.org>
";

/// A tree with a file of maintainers; base and culprit.
fn kernel(keepers: &str) -> (Repo, String, String) {
    let repo = Repo::new();
    std::fs::create_dir_all(repo.path().join("kernel/sched")).unwrap();
    let base = repo.change(keepers, MAINTAINERS, "the people\n");
    let head = repo.change("kernel/sched/fair.c", "cpuhp_setup();\n", CULPRIT);
    (repo, base, head)
}

/// The report that was written, as it stands in the outbox.
fn report(house: &mut House) -> String {
    let rows = house.desk.store.look(|tx| tx.outbox(None)).unwrap();
    let row = rows.iter().find(|r| r.key.starts_with("report/")).expect("a report");
    String::from_utf8(row.raw.clone()).unwrap().replace("\r\n", "\n")
}

/// Each recipient and why, as the header tells.
fn why(mail: &str) -> String {
    let header = mail.split("\n\n").next().unwrap().replace("\n ", " ").replace("\n\t", " ");
    let line = header.lines().find_map(|l| l.strip_prefix("X-Regard-Recipients: "));
    line.expect("the header").to_owned()
}

#[test]
fn git_tells_whom_the_lab_did_not_name() {
    let (repo, base, head) = kernel("MAINTAINERS");
    let mut house = House::build(&mainline(&repo));
    house.visit("linus", day(1));
    house.results("first", &results("linus", &base, &head), day(2));
    golden("letters/from-git.txt", &report(&mut house));
}

#[test]
fn the_lab_is_believed_where_it_tells() {
    let (repo, base, head) = kernel("MAINTAINERS");
    let mut house = House::build(&mainline(&repo));
    house.visit("linus", day(1));
    let mut told = results("linus", &base, &head);
    told["head"]["author"] = serde_json::json!({"name": "Ada Ashby", "email": "ada@example.org"});
    told["head"]["files"] = serde_json::json!(["net/core/dev.c"]);
    house.results("first", &told, day(2));
    let why = why(&report(&mut house));
    assert!(why.contains("ada@example.org (author)"), "{why}");
    assert!(why.contains("nora@example.org (maintainer of NETWORKING)"), "{why}");
    assert!(!why.contains("mira@example.org (author)") && !why.contains("ingrid"), "{why}");
}

#[test]
fn codeowners_are_read_too_and_a_bare_mirror_will_do() {
    let (repo, base, head) = kernel("MAINTAINERS");
    repo.git(&["rm", "-q", "MAINTAINERS"]);
    std::fs::create_dir(repo.path().join(".github")).unwrap();
    repo.change(
        ".github/CODEOWNERS",
        "* all@example.org\n/kernel/ wilma@example.org\n",
        "owners\n",
    );
    let folder = tempfile::tempdir().unwrap();
    let bare = repo.bare(folder.path());
    let mut house = House::build(&tree("linus", "mainline", &bare));
    house.visit("linus", day(1));
    house.results("first", &results("linus", &base, &head), day(2));
    let why = why(&report(&mut house));
    assert!(why.contains("wilma@example.org (maintainer of /kernel/)"), "{why}");
    assert!(!why.contains("all@example.org"), "{why}");
}

#[test]
fn without_a_bisection_nobody_is_looked_up() {
    let (repo, base, head) = kernel("MAINTAINERS");
    let extra = "[policy]\nconfirm = \"never\"\n";
    let mut house = House::build(&(mainline(&repo) + extra));
    house.visit("linus", day(1));
    let mut told = results("linus", &base, &head);
    told["bisected"] = serde_json::json!(false);
    house.results("first", &told, day(2));
    let mail = report(&mut house);
    let seen = format!("seen between {} and {}:", &base[..10], &head[..10]);
    assert!(mail.replace('\n', " ").contains(&seen), "{mail}");
    assert!(mail.contains("search idle cores in the cluster first"), "its subject is no blame");
    assert!(!mail.contains("mira@example.org") && !mail.contains("ingrid"), "{mail}");
    assert!(house.outbox().contains("no-recipient: nobody would get this mail"));
}

#[test]
fn a_private_tree_reaches_its_owner_and_so_do_its_news() {
    let (repo, base, head) = kernel("MAINTAINERS");
    let private = "[[private_tree]]\ntree = \"ada:*\"\nowner = \"ada@example.org\"\n";
    let mut house = House::build(&(tree("ada", "incoming", repo.path()) + private));
    house.visit("ada", day(1));
    house.results("first", &results("ada", &base, &head), day(2));
    assert_eq!(why(&report(&mut house)), "ada@example.org (tree owner)");
    let mut other = results("ada", &base, &head);
    other["environment"]["machine"] = serde_json::json!("lab-b");
    house.results("second", &other, day(3));
    let rows = house.desk.store.look(|tx| tx.outbox(None)).unwrap();
    let keys: Vec<&str> = rows.iter().map(|r| r.key.split('/').next().unwrap()).collect();
    assert_eq!(keys, ["report", "follow-up"], "news, not a second report");
    let told: Vec<&str> =
        rows.iter().flat_map(|r| &r.recipients).map(|r| r.address.as_str()).collect();
    assert_eq!(told, ["ada@example.org", "ada@example.org"]);
}

#[test]
fn wishes_are_kept_in_reports_and_in_their_news() {
    let (repo, base, head) = kernel("MAINTAINERS");
    let wishes = "[[opt_out]]\nwho = \"petra@example.org\"\narea = \"sched\"\n\
                  [[opt_out]]\nwho = \"cleo@example.org\"\narea = \"net\"\n\
                  [[opt_out]]\nwho = \"@lists.example.org\"\n\
                  [policy]\nmax_recipients = 4\n";
    let mut house = House::build(&(mainline(&repo) + wishes));
    house.visit("linus", day(1));
    house.results("first", &results("linus", &base, &head), day(2));
    assert_eq!(
        why(&report(&mut house)),
        "mira@example.org (author), teo@example.org (signed-off-by), cleo@example.org (reviewed-by), \
         bo@example.org (suggested-by)"
    );
    house.wish("teo@example.org");
    let mut other = results("linus", &base, &head);
    other["test"]["parameters"]["groups"] = serde_json::json!("16");
    house.results("second", &other, day(3));
    let rows = house.desk.store.look(|tx| tx.outbox(None)).unwrap();
    let told: Vec<&str> = rows[1].recipients.iter().map(|r| r.address.as_str()).collect();
    assert_eq!(told, ["bo@example.org", "cleo@example.org", "mira@example.org"]);
}

#[test]
fn a_report_on_the_command_line_asks_git_too() {
    let (repo, base, head) = kernel("MAINTAINERS");
    let house = House::build(&mainline(&repo));
    let file = house.folder.path().join("results.json");
    std::fs::write(&file, results("linus", &base, &head).to_string()).unwrap();
    let told = house.regard(&["--json", "report", file.to_str().unwrap()]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let people = told["recipients"].to_string();
    assert!(people.contains("\"why\":\"maintainer of SCHEDULER\""), "{people}");
    assert!(people.contains("\"why\":\"maintainer of HOTPLUG\""), "K: sees the patch: {people}");
}

#[test]
fn a_tree_that_is_not_there_holds_nothing_up() {
    let missing =
        "[[tree]]\nname = \"linus\"\npath = \"later.git\"\nurl = \"https://git.example.org/x\"\n";
    let mut house = House::build(missing);
    assert!(!Path::new(&house.tree("linus").path).exists());
    let mut told = results("linus", "9c41d7e02b6a58f3", "3f1d0c5a9b7e42d6");
    told["head"]["author"] = serde_json::json!({"name": "Ada Ashby", "email": "ada@example.org"});
    house.results("first", &told, day(2));
    assert_eq!(why(&report(&mut house)), "ada@example.org (author)");
}
