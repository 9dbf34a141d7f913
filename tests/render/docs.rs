//! The page about templates is the one that the code writes.

use std::path::Path;

use crate::golden::compare;

#[test]
fn docs_of_templates_are_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/templates.md");
    if let Err(diff) = compare(&page, &regard::render::docs()) {
        panic!("run REGARD_BLESS=1 cargo test --test render docs\n{diff}");
    }
}
