//! Unpacks gzip and Zstandard, up to a bound.

use std::borrow::Cow;
use std::io::Read;

use super::problem::Problem;

/// Largest file after unpacking, in bytes.
pub const MAX_INFLATED: usize = 64 << 20;

/// The content of a file: unpacked when its first bytes say gzip or Zstandard, as it is otherwise.
///
/// # Errors
/// Broken archives, and more than [`MAX_INFLATED`] bytes.
pub fn inflate<'a>(name: &str, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, Vec<Problem>> {
    match bytes {
        [0x1f, 0x8b, ..] => bounded(name, flate2::read::MultiGzDecoder::new(bytes)).map(Cow::Owned),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => match ruzstd::decoding::StreamingDecoder::new(bytes) {
            Ok(decoder) => bounded(name, decoder).map(Cow::Owned),
            Err(error) => Err(broken(name, &error.to_string())),
        },
        _ if bytes.len() > MAX_INFLATED => Err(too_large(name)),
        _ => Ok(Cow::Borrowed(bytes)),
    }
}

fn bounded(name: &str, reader: impl Read) -> Result<Vec<u8>, Vec<Problem>> {
    let mut content = Vec::new();
    match reader.take(MAX_INFLATED as u64 + 1).read_to_end(&mut content) {
        Ok(_) if content.len() > MAX_INFLATED => Err(too_large(name)),
        Ok(_) => Ok(content),
        Err(error) => Err(broken(name, &error.to_string())),
    }
}

fn too_large(name: &str) -> Vec<Problem> {
    let found = format!("more than {} MiB of content", MAX_INFLATED >> 20);
    vec![Problem::whole(name, "too-large", found, "a smaller file")]
}

fn broken(name: &str, error: &str) -> Vec<Problem> {
    let found = super::problem::clip(error);
    vec![Problem::whole(name, "broken-archive", found, "a whole gzip or Zstandard file")]
}
