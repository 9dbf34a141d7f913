//! A subject line inside the text: of a forwarded mail, or on top of an archive page.

use super::line::Line;
use super::read_subject;
use super::scan::{Fact, Scan};

/// Reads `Subject:` with its folded rest, or the first line of the text when a robot wrote it.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    let text = line.trim();
    if let Some(subject) = text.strip_prefix("Subject:").or_else(|| text.strip_prefix("*Subject:*"))
    {
        let mut whole = subject.trim().to_owned();
        let mut taken = 1;
        while let Some(more) = lines.get(at + taken).filter(|l| {
            taken < 4 && l.depth == line.depth && l.text.starts_with([' ', '\t']) && !l.is_blank()
        }) {
            whole = format!("{whole} {}", more.trim());
            taken += 1;
        }
        scan.push(line, Fact::Title(Box::new(read_subject(&whole)?)));
        return Some(taken);
    }
    let is_first = at < 4 && lines[..at].iter().all(Line::is_blank);
    if is_first && line.depth == 0 {
        let title = read_subject(text).filter(|t| t.robot)?;
        scan.push(line, Fact::Title(Box::new(title)));
        return Some(1);
    }
    None
}
