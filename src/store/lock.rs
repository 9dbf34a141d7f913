//! One daemon a store: an advisory lock on a file beside the database.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

/// Held as long as it lives; the operating system lets go of it when the process dies.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the store at `path`.
    ///
    /// # Errors
    /// When another process holds it (its pid is named), or the lock file cannot be made.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let path = PathBuf::from(format!("{}.lock", path.display()));
        let name = path.display().to_string();
        let lock = |source| StoreError::Lock { path: name.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(lock)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let _ = file.read_to_string(&mut pid);
                return Err(StoreError::Held { path: name, pid: pid.trim().to_owned() });
            }
            Err(TryLockError::Error(source)) => return Err(lock(source)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(lock)?;
        writeln!(file, "{}", std::process::id()).map_err(lock)?;
        Ok(Self { _file: file })
    }
}
