//! Who only looks at the store needs no passwords.

use crate::house::{House, ID};

const SERVERS: &str = "[[mailbox]]\nhost = \"imap.example.org\"\nuser = \"bot\"\npassword_file = \"no-such-file\"\nca_file = \
                       \"no-such.pem\"\n[smtp]\nhost = \"smtp.example.org\"\nuser = \"bot\"\npassword_file = \"nor-this\"\n";

#[test]
fn verbs_that_look_work_without_passwords() {
    let house = House::build(SERVERS);
    assert!(house.regard(&["list"]).contains(ID));
    assert!(house.regard(&["show", ID]).contains("hackbench.throughput"));
    assert!(house.regard(&["outbox", "list"]).contains("dry-run"));
    assert_eq!(house.regard(&["review"]), "nothing waits for you\n");
    assert!(house.regard(&["rules", "list", "--verdict", "expected"]).contains("is-expected"));
    let undo = house.run(&["undo", ID]);
    let said = String::from_utf8_lossy(&undo.stderr).into_owned();
    assert_eq!(undo.status.code(), Some(2));
    assert!(said.contains("nothing moved its state"), "{said}");
}

#[test]
fn check_and_run_name_what_is_missing() {
    let house = House::build(SERVERS);
    let check = house.run(&["check", "--offline"]);
    let told = String::from_utf8(check.stdout).unwrap();
    assert_eq!(check.status.code(), Some(1));
    for missing in ["password_file `", "no-such-file`", "nor-this`", "no-such.pem`"] {
        assert!(told.contains(missing), "{told}");
    }
    assert!(told.contains("put the password into its first line"), "{told}");
    let run = house.run(&["run"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("no-such-file"));
}
