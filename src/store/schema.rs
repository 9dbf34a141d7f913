//! Versions of the schema. Each file of `migrations/` brings the one before it up; `user_version` counts them.

use rusqlite::Connection;

use super::StoreError;

const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001-first.sql"),
    include_str!("migrations/0002-series.sql"),
    include_str!("migrations/0003-trees.sql"),
    include_str!("migrations/0004-opt-out.sql"),
    include_str!("migrations/0005-family.sql"),
];

/// Applies what is missing, each step in its own transaction.
pub(super) fn migrate(db: &mut Connection) -> Result<(), StoreError> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let found: i64 = db.query_row("pragma user_version", [], |r| r.get(0))?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(done) {
        let tx = db.transaction()?;
        tx.execute_batch(sql)?;
        tx.pragma_update(None, "user_version", i64::try_from(index + 1).unwrap_or(i64::MAX))?;
        tx.commit()?;
    }
    Ok(())
}
