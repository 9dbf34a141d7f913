//! The committed JSON Schema is the one of the types.

use std::path::Path;

use super::golden;

#[test]
fn the_committed_schema_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/notification.schema.json");
    golden(&path, &format!("{:#}\n", regard::bench::schema()));
}
