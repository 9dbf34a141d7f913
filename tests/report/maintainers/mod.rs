//! MAINTAINERS and CODEOWNERS, with sections of our own.

use regard::report::maintainers::{Keeper, KeeperRole, Maintainers};

fn kernel() -> Maintainers {
    Maintainers::read("MAINTAINERS", include_str!("MAINTAINERS")).0
}

fn codeowners() -> Maintainers {
    Maintainers::read(".github/CODEOWNERS", include_str!("CODEOWNERS")).0
}

fn told(keepers: &[Keeper]) -> Vec<String> {
    let letter = |role| match role {
        KeeperRole::Maintainer => 'M',
        KeeperRole::Reviewer => 'R',
        KeeperRole::List => 'L',
    };
    keepers.iter().map(|k| format!("{} {}", letter(k.role), k.address.email)).collect()
}

fn of(file: &Maintainers, path: &str, text: &str) -> Vec<String> {
    told(&file.of(&[path.to_owned()], text))
}

#[test]
fn a_directory_and_what_is_below() {
    let sched = [
        "M ada@example.org",
        "M bo@example.org",
        "R cleo@example.org",
        "L sched@lists.example.org",
    ];
    assert_eq!(of(&kernel(), "kernel/sched/fair.c", ""), sched);
    assert_eq!(of(&kernel(), "kernel/sched/ext/core.c", ""), sched);
    assert_eq!(of(&kernel(), "include/linux/sched.h", ""), sched);
    // Not a prefix of a name.
    assert_eq!(of(&kernel(), "include/linux/sched.h.orig", ""), ["L everything@lists.example.org"]);
}

#[test]
fn names_with_commas_and_remarks() {
    let keepers = kernel().of(&["kernel/sched/fair.c".to_owned()], "");
    assert_eq!(keepers[1].address.name, "Berg, Bo");
    assert_eq!((keepers[0].section.as_str(), keepers[0].depth), ("EXAMPLE SCHEDULER", 2));
}

#[test]
fn excluded_files_belong_to_others_and_closed_lists_are_closed() {
    let autogroup = ["M dan@example.org", "L moderated@lists.example.org"];
    assert_eq!(of(&kernel(), "kernel/sched/autogroup.c", ""), autogroup);
}

#[test]
fn names_and_keywords() {
    assert_eq!(of(&kernel(), "arch/arm/mach-tegra/x.c", ""), ["M eve@example.org"]);
    assert_eq!(of(&kernel(), "lib/x.c", "use the Tegra_clk here"), ["M eve@example.org"]);
    assert_eq!(of(&kernel(), "lib/integra.c", ""), ["L everything@lists.example.org"]);
}

#[test]
fn wildcards_stay_in_their_directory() {
    assert!(of(&kernel(), "net/socket.c", "").contains(&"M fay@example.org".to_owned()));
    assert_eq!(of(&kernel(), "net/core/dev.c", ""), ["L everything@lists.example.org"]);
    assert_eq!(of(&kernel(), "drivers/gpu/glue.c", ""), ["L orphans@lists.example.org"]);
}

#[test]
fn of_an_orphan_the_list_is_left_and_people_are_told_once() {
    let both = [
        "L orphans@lists.example.org",
        "M fay@example.org",
        "R ADA@example.org",
        "L netdev@lists.example.org",
    ];
    assert_eq!(of(&kernel(), "drivers/net/old_card.c", ""), both);
    let paths = ["kernel/sched/fair.c".to_owned(), "drivers/net/new.c".to_owned()];
    let keepers = told(&kernel().of(&paths, ""));
    assert_eq!(keepers.iter().filter(|k| k.to_lowercase().ends_with("ada@example.org")).count(), 1);
    assert!(keepers.contains(&"M ada@example.org".to_owned()), "the stronger role is kept");
}

#[test]
fn lines_that_make_no_sense_are_told_and_left_out() {
    let (file, defects) = Maintainers::read("MAINTAINERS", include_str!("MAINTAINERS"));
    let lines: Vec<(usize, &str)> =
        defects.iter().map(|d| (d.line, d.what.split('`').nth(1).unwrap())).collect();
    assert_eq!(lines, [(54, "not an address"), (55, "(unclosed"), (56, "(?<!x)y"), (57, "/")]);
    let Maintainers::Kernel(file) = file else { panic!("the kernel's format") };
    let titles: Vec<&str> = file.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles.len(), 7);
    assert_eq!(titles.first().copied(), Some("EXAMPLE SCHEDULER"));
    assert_eq!(file.sections[0].other.iter().map(|(key, _)| *key).collect::<String>(), "WT");
}

#[test]
fn line_ends_do_not_matter() {
    let text = include_str!("MAINTAINERS").replace('\n', "\r\n");
    let file = Maintainers::read("MAINTAINERS", &text).0;
    assert_eq!(of(&file, "kernel/sched/fair.c", ""), of(&kernel(), "kernel/sched/fair.c", ""));
}

#[test]
fn the_last_match_owns_a_file() {
    let cases = [
        ("README.md", "root@example.org"),
        ("src/a/main.rs", "rust@example.org"),
        ("docs/deep/main.rs", "docs@example.org"),
        ("docs/main.rs", "shallow@example.org"),
        ("x/apps/y/main.rs", "anywhere@example.org"),
        ("build/a/b/out", "out@example.org"),
        ("build/out", "out@example.org"),
        ("a/name with blank", "bo@example.org"),
        ("#odd", "odd@example.org"),
    ];
    for (path, owner) in cases {
        assert_eq!(of(&codeowners(), path, ""), [format!("M {owner}")], "{path}");
    }
    assert!(
        of(&codeowners(), "build/none", "").is_empty(),
        "a line without owners takes the file from everybody"
    );
}

#[test]
fn sections_have_a_last_match_each() {
    let owners = |path| of(&codeowners(), path, "");
    assert_eq!(
        owners("server/x.go"),
        ["M root@example.org", "M backend@example.org", "M watch@example.org"]
    );
    assert_eq!(
        owners("server/api/x.go"),
        ["M root@example.org", "M api@example.org", "M watch@example.org"]
    );
    assert_eq!(owners("server/generated/x.go"), ["M root@example.org", "M watch@example.org"]);
}

#[test]
fn handles_are_kept_apart_and_nonsense_is_told() {
    let (file, defects) = Maintainers::read("CODEOWNERS", include_str!("CODEOWNERS"));
    assert_eq!(defects.len(), 1);
    assert_eq!((defects[0].line, defects[0].what.contains("not-an-address")), (12, true));
    let Maintainers::CodeOwners(file) = file else { panic!("CODEOWNERS") };
    assert_eq!(file.rules[1].handles, ["someone"]);
}

#[test]
fn any_text_is_read() {
    for text in [
        "",
        "\n\n",
        "F:",
        "F:\t\n",
        "[",
        "^[",
        "[]",
        "\\",
        "!",
        "! !",
        "**",
        "/",
        "a/**/**/b @",
        "X:\tx\nX:\ty",
        "M:\t<@>",
    ] {
        for name in ["MAINTAINERS", "CODEOWNERS", "else"] {
            let file = Maintainers::read(name, text).0;
            let _ = file.of(&["a/b".to_owned(), String::new(), "/".to_owned()], text);
        }
    }
}
