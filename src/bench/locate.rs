//! Finds the line of a JSON path, and the path of a byte offset, in text that may be broken.

use std::collections::HashMap;
use std::ops::ControlFlow;

/// Appends `.key`, or `["odd key"]` where a bare word would be ambiguous.
pub(crate) fn push_key(path: &mut String, key: &str) {
    let plain = !key.is_empty()
        && key.len() <= 80
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if plain {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
    } else {
        path.push_str("[\"");
        path.push_str(&super::problem::clip(key));
        path.push_str("\"]");
    }
}

/// Appends `[index]`.
pub(crate) fn push_index(path: &mut String, index: usize) {
    use std::fmt::Write as _;
    let _ = write!(path, "[{index}]");
}

/// The path of what holds this one.
pub(crate) fn parent(path: &str) -> &str {
    let cut = if path.ends_with("\"]") { path.rfind("[\"") } else { path.rfind(['.', '[']) };
    cut.map_or("", |cut| &path[..cut])
}

/// The line (from 1) on which each of the wanted paths first begins.
pub(crate) fn lines<'a>(
    text: &str,
    wanted: impl Iterator<Item = &'a str>,
) -> HashMap<&'a str, usize> {
    let mut open: HashMap<&str, Option<usize>> = wanted.map(|path| (path, None)).collect();
    let mut left = open.len();
    let mut line = 1;
    let mut counted = 0;
    scan(text, |path, offset| {
        if let Some(slot) = open.get_mut(path)
            && slot.is_none()
        {
            line += text.as_bytes()[counted..offset].iter().filter(|&&b| b == b'\n').count();
            counted = offset;
            *slot = Some(line);
            left -= 1;
        }
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    open.into_iter().filter_map(|(path, line)| Some((path, line?))).collect()
}

/// The path of the value that begins last before the offset.
pub(crate) fn path_at(text: &str, target: usize) -> String {
    let mut last = String::new();
    scan(text, |path, offset| {
        if offset > target {
            return ControlFlow::Break(());
        }
        last.clear();
        last.push_str(path);
        ControlFlow::Continue(())
    });
    last
}

struct Frame {
    /// Length of the path of the container itself.
    base: usize,
    /// Index of the next element; `None` for an object.
    index: Option<usize>,
}

/// Visits every value with its path and byte offset, as far as the text can be followed.
fn scan(text: &str, mut visit: impl FnMut(&str, usize) -> ControlFlow<()>) {
    let bytes = text.as_bytes();
    let mut path = String::new();
    let mut stack: Vec<Frame> = Vec::new();
    let mut key_next = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b',' => {
                if let Some(frame) = stack.last_mut() {
                    path.truncate(frame.base);
                    match &mut frame.index {
                        Some(index) => {
                            *index += 1;
                            push_index(&mut path, *index);
                        }
                        None => key_next = true,
                    }
                }
                at += 1;
            }
            b'{' | b'[' => {
                if visit(&path, at).is_break() {
                    return;
                }
                let array = bytes[at] == b'[';
                stack.push(Frame { base: path.len(), index: array.then_some(0) });
                if array {
                    push_index(&mut path, 0);
                }
                key_next = !array;
                at += 1;
            }
            b'}' | b']' => {
                if let Some(frame) = stack.pop() {
                    path.truncate(frame.base);
                }
                key_next = false;
                at += 1;
            }
            b'"' => {
                let end = string_end(bytes, at + 1);
                if key_next {
                    let raw = text.get(at..end).unwrap_or_default();
                    let key: String = serde_json::from_str(raw).unwrap_or_default();
                    if let Some(frame) = stack.last() {
                        path.truncate(frame.base);
                    }
                    push_key(&mut path, &key);
                    key_next = false;
                } else if visit(&path, at).is_break() {
                    return;
                }
                at = end;
            }
            b':' => at += 1,
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                if visit(&path, at).is_break() {
                    return;
                }
                while at < bytes.len() && !matches!(bytes[at], b',' | b'}' | b']' | b'\n') {
                    at += 1;
                }
            }
        }
    }
}

/// Offset behind the closing quote.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n \"a\": [1,\n  {\"b.c\": \"x\\\"}\"}, null],\n \"d\": {\"e\": 2}}";

    #[test]
    fn names_and_lines_of_nested_values() {
        let wanted = ["a[1][\"b.c\"]", "a[2]", "d.e", "nowhere"];
        let found = lines(TEXT, wanted.into_iter());
        assert_eq!(found.get("a[1][\"b.c\"]"), Some(&3));
        assert_eq!(found.get("a[2]"), Some(&3));
        assert_eq!(found.get("d.e"), Some(&4));
        assert_eq!(found.get("nowhere"), None);
    }

    #[test]
    fn parents() {
        assert_eq!(parent("metrics[0].head"), "metrics[0]");
        assert_eq!(parent("metrics[0]"), "metrics");
        assert_eq!(parent("a[\"b.c\"]"), "a");
        assert_eq!(parent("a"), "");
    }

    #[test]
    fn path_of_an_offset_survives_broken_text() {
        let broken = "{\"metrics\": [{\"head\": [1, NaN";
        assert_eq!(path_at(broken, broken.len()), "metrics[0].head[1]");
        assert_eq!(path_at("\"unterminated \\", 3), "");
    }
}
