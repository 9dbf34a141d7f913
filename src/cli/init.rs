//! `regard init`: writes a commented configuration, never over an existing one.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

use super::args::InitArgs;
use super::context::Failure;
use super::{Outcome, output};
use crate::config;

pub(super) fn run(args: &InitArgs) -> Result<Outcome, Failure> {
    let path = args.path.display();
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&args.path).map_err(|e| {
            Failure::Message(match e.kind() {
                ErrorKind::AlreadyExists => format!("{path}: exists already; nothing was written"),
                _ => format!("{path}: cannot be written: {e}"),
            })
        })?;
    file.write_all(config::SAMPLE.as_bytes())?;
    output::print(&format!("wrote {path}; fill in the servers, then run `regard check`\n"))?;
    Ok(Outcome::Fine)
}
