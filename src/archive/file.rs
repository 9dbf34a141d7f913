//! One file: a mail, a page, an mbox, any of them gzipped.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::mbox::{LARGEST, Mbox};
use super::{ArchiveError, Raw};
use crate::mail::{Shape, sniff};

type Reader = BufReader<Box<dyn Read + Send>>;

/// The mails of one file.
pub(super) enum Mailfile {
    /// One mail or page, not yet handed out.
    One(Option<Raw>),
    /// An mbox, with the number of the next mail.
    Many { label: String, mbox: Mbox<Reader>, number: usize },
}

impl Mailfile {
    /// Opens a file and looks at its first bytes. `None` when it is neither mail nor, if `pages` are wanted, text.
    pub(super) fn open(path: &Path, pages: bool) -> Result<Option<Self>, ArchiveError> {
        let failed = |error| ArchiveError::io(path, error);
        let file = File::open(path).map_err(failed)?;
        let mut reader = BufReader::with_capacity(64 << 10, file);
        let packed = reader.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
        let source: Box<dyn Read + Send> =
            if packed { Box::new(MultiGzDecoder::new(reader)) } else { Box::new(reader) };
        let mut reader: Reader = BufReader::with_capacity(256 << 10, source);
        let head = reader.fill_buf().map_err(failed)?;
        let shape = sniff(head);
        let label = path.display().to_string();
        if shape == Shape::Mbox {
            return Ok(Some(Self::Many { label, mbox: Mbox::new(reader), number: 1 }));
        }
        if shape == Shape::Page && (!pages || head.is_empty() || head.contains(&0)) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        reader.take(LARGEST as u64).read_to_end(&mut bytes).map_err(failed)?;
        Ok(Some(Self::One(Some(Raw { label, bytes, mark: None }))))
    }

    pub(super) fn next(&mut self) -> Option<Result<Raw, ArchiveError>> {
        match self {
            Self::One(raw) => raw.take().map(Ok),
            Self::Many { label, mbox, number } => match mbox.next() {
                Ok(Some(bytes)) => {
                    let raw = Raw { label: format!("{label}#{number}"), bytes, mark: None };
                    *number += 1;
                    Some(Ok(raw))
                }
                Ok(None) => None,
                Err(error) => {
                    let failed = ArchiveError::io(Path::new(label.as_str()), error);
                    *self = Self::One(None);
                    Some(Err(failed))
                }
            },
        }
    }
}
