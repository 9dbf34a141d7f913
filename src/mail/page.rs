//! Plain text of an archive's web page, and telling it from mail.

use jiff::civil;

use super::{Address, Message, block, header, parse};

/// What some bytes hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One mail: a header, an empty line, a body.
    Mail,
    /// An mbox: `From ` lines between mails.
    Mbox,
    /// The text of an archive page, or only a body.
    Page,
}

/// Tells a mail, an mbox and the text of a page apart by the first lines.
pub fn sniff(bytes: &[u8]) -> Shape {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(bytes.len());
    let head = &bytes[start..bytes.len().min(start + (256 << 10))];
    let mut rest = head;
    if let Some(tail) = head.strip_prefix(b"From ") {
        let end = tail.iter().position(|&b| b == b'\n').unwrap_or(tail.len());
        let line = &tail[..end];
        let dated = line.windows(4).any(|w| w.iter().all(u8::is_ascii_digit));
        rest = &tail[(end + 1).min(tail.len())..];
        if dated && is_header(rest) {
            return Shape::Mbox;
        }
    }
    if is_header(rest) { Shape::Mail } else { Shape::Page }
}

/// A header block: every line a field or a continuation, and among the fields some that only mail has.
fn is_header(bytes: &[u8]) -> bool {
    let mut known = 0;
    let mut fields = 0;
    for line in bytes.split(|&b| b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if line[0] == b' ' || line[0] == b'\t' {
            if fields == 0 {
                return false;
            }
            continue;
        }
        let name = line.split(|&b| b == b':').next().unwrap_or_default();
        let shaped = name.len() < line.len()
            && !name.is_empty()
            && name.trim_ascii_end().iter().all(|&b| b.is_ascii_graphic());
        if !shaped {
            return false;
        }
        fields += 1;
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        known += usize::from(matches!(
            name.trim(),
            "message-id"
                | "received"
                | "return-path"
                | "mime-version"
                | "references"
                | "in-reply-to"
                | "content-type"
        )) * 2
            + usize::from(matches!(
                name.trim(),
                "from" | "to" | "date" | "subject" | "cc" | "delivered-to"
            ));
    }
    known >= 2
}

/// Reads the plain text of an archive page: a subject line, `From:` and `Date:` lines (or `[Name]`), the body; or only a
/// body. Text that is a whole mail is parsed as one.
pub fn parse_page(text: &str) -> Message {
    if sniff(text.as_bytes()) != Shape::Page {
        return parse(text.as_bytes());
    }
    let text = super::parse::clean(text.trim_start_matches('\u{feff}'));
    let mut message = Message { content_type: "text/plain".to_owned(), ..Message::default() };
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|l| !l.trim().is_empty()).unwrap_or(0);
    let body_from = read_head(&lines, first, &mut message).unwrap_or(first);
    message.body = lines.get(body_from..).unwrap_or_default().join("\n");
    if !message.body.is_empty() {
        message.body.push('\n');
    }
    message.key = super::parse::hash_key(text.as_bytes());
    message.defects.push("no mail header: read as the text of an archive page".to_owned());
    message.blocks = block::split(&message.body);
    message
}

/// Reads the lines above the body. Gives the line where the body starts; `None` when there is no head at all.
fn read_head(lines: &[&str], first: usize, message: &mut Message) -> Option<usize> {
    let title = lines.get(first)?.trim();
    let mut at = first;
    let head_line = |line: &str| field(line).is_some() || bracketed(line).is_some();
    if !head_line(title) {
        let next = (first + 1..lines.len()).find(|&n| !lines[n].trim().is_empty())?;
        let gap = next > first + 1;
        let titled = title.len() <= 250
            && (head_line(lines[next].trim()) || gap && looks_like_subject(title));
        if !titled {
            return None;
        }
        message.subject = header::one_line(title);
        at = next;
        if !head_line(lines[at].trim()) {
            return Some(at);
        }
    }
    while let Some(line) = lines.get(at).map(|l| l.trim()) {
        match field(line) {
            Some(("from", value)) => message.from = message.from.take().or_else(|| person(value)),
            Some(("date", value)) => message.date = message.date.or_else(|| page_date(value)),
            Some(("subject", value)) => message.subject = header::one_line(value),
            Some(("message-id", value)) => message.id = header::message_id(value),
            Some(("in-reply-to", value)) => message.in_reply_to = header::message_ids(value),
            Some(("references", value)) => message.references = header::message_ids(value),
            Some(("to", value)) => message.to.extend(value.split(',').filter_map(person)),
            Some(("cc", value)) => message.cc.extend(value.split(',').filter_map(person)),
            Some(_) => {}
            None => match bracketed(line) {
                Some(name) if message.from.is_none() => message.from = person(name),
                _ if line.is_empty()
                    && at > 0
                    && at + 1 < lines.len()
                    && head_line(lines[at + 1].trim()) => {}
                _ => break,
            },
        }
        at += 1;
    }
    Some((at..lines.len()).find(|&n| !lines[n].trim().is_empty()).unwrap_or(lines.len()))
}

fn field(line: &str) -> Option<(&'static str, &str)> {
    const NAMES: [&str; 9] = [
        "from",
        "date",
        "subject",
        "message-id",
        "in-reply-to",
        "references",
        "to",
        "cc",
        "newsgroups",
    ];
    let (name, value) = line.split_once(':')?;
    let name = name.trim().to_ascii_lowercase();
    NAMES.iter().find(|n| **n == name).map(|n| (*n, value.trim()))
}

/// `[Kirill A. Shutemov]` alone on a line: some archives name the author so.
fn bracketed(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    let words = name.split_whitespace().count();
    ((1..=5).contains(&words) && name.chars().all(|c| c.is_alphabetic() || " .,'-@<>".contains(c)))
        .then_some(name)
}

fn looks_like_subject(line: &str) -> bool {
    super::is_answer_subject(line)
        || line.starts_with('[')
        || line.contains("regression")
        || line.contains("improvement")
}

fn person(text: &str) -> Option<Address> {
    let text = text.trim();
    let (name, email) = match text.split_once('<') {
        Some((name, rest)) => (name, rest.trim_end_matches(['>', ' '])),
        None if text.contains('@') && !text.contains(' ') => ("", text),
        None => (text, ""),
    };
    let name = header::one_line(name.trim().trim_matches('"'));
    let email: String = email.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    (!name.is_empty() || !email.is_empty()).then_some(Address { name, email })
}

/// A page's date: as in mail, or `Tue Jan 09 2018 - 02:58:40 EST`, or `2018-01-09 02:58:40`.
fn page_date(text: &str) -> Option<jiff::Timestamp> {
    let line = format!("{text}\n");
    let as_mail = mail_parser::parsers::MessageStream::new(line.as_bytes()).parse_date();
    // Without a numeric zone the mail parser would drop the zone's name.
    let zoned = text.contains(['+', '-']) && text.contains(',');
    if let Some(date) = header::date(&as_mail).filter(|_| zoned) {
        return Some(date);
    }
    let text = iso_parted(text);
    let words: Vec<&str> = text.split([' ', ',']).filter(|w| !w.is_empty() && *w != "-").collect();
    let clock = words.iter().position(|w| w.matches(':').count() >= 1)?;
    let mut clocks = words[clock].trim_end_matches('Z').split(':').map(|n| n.parse::<i8>().ok());
    let (hour, minute, second) =
        (clocks.next()??, clocks.next()??, clocks.next().flatten().unwrap_or(0));
    // `25:61` is no time of day, whoever wrote it.
    let time = civil::Time::new(hour, minute, second, 0).ok()?;
    let day = day_of(&words)?;
    let zone = words.get(clock + 1).copied().unwrap_or("UTC");
    let seconds = jiff::tz::Offset::UTC.to_timestamp(day.to_datetime(time)).ok()?.as_second()
        - zone_seconds(zone);
    jiff::Timestamp::from_second(seconds).ok()
}

/// `2018-01-09T02:58` with a blank for the T.
fn iso_parted(text: &str) -> String {
    let mut out = text.to_owned();
    let between_digits = |(at, _): &(usize, &str)| {
        let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
        *at > 0 && digit(text.as_bytes().get(at - 1)) && digit(text.as_bytes().get(at + 1))
    };
    if let Some((at, _)) = text.match_indices('T').find(between_digits) {
        out.replace_range(at..=at, " ");
    }
    out
}

fn day_of(words: &[&str]) -> Option<civil::Date> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let iso = words.iter().find_map(|w| {
        let mut parts = w.splitn(3, '-').map(|n| n.parse::<i16>().ok());
        Some((
            parts.next()??,
            i8::try_from(parts.next()??).ok()?,
            i8::try_from(parts.next()??).ok()?,
        ))
    });
    let (year, month, day) = iso.or_else(|| {
        let month = words.iter().find_map(|w| {
            let head = w.get(..3)?.to_ascii_lowercase();
            MONTHS.iter().position(|m| *m == head).map(|n| n as i8 + 1)
        })?;
        let numbers: Vec<i16> = words.iter().filter_map(|w| w.parse().ok()).collect();
        let year = *numbers.iter().find(|n| **n >= 1990)?;
        let day = *numbers.iter().find(|n| (1..=31).contains(*n))?;
        Some((year, month, i8::try_from(day).ok()?))
    })?;
    civil::Date::new(year, month, day).ok().filter(|_| (1990..2100).contains(&year))
}

fn zone_seconds(zone: &str) -> i64 {
    let hours = match zone {
        "EST" => -5,
        "EDT" => -4,
        "CST" | "MDT" => -6,
        "CDT" => -5,
        "MST" | "PDT" => -7,
        "PST" => -8,
        "CET" | "BST" => 1,
        "CEST" | "EET" => 2,
        "JST" => 9,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
            let number: i64 = digits.get(..4).and_then(|d| d.parse().ok()).unwrap_or(0);
            return sign * (number / 100 * 3600 + number % 100 * 60);
        }
    };
    hours * 3600
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(sniff(b"From: a@b\nSubject: x\n\nhi\n"), Shape::Mail);
        assert_eq!(sniff(b"Received: by x\n\tfor y\nMessage-ID: <a>\n\nhi\n"), Shape::Mail);
        assert_eq!(
            sniff(b"From jo@x Mon Jan 12 10:00:00 2026\nFrom: a@b\nTo: c@d\n\nhi\n"),
            Shape::Mbox
        );
        assert_eq!(sniff(b"Re: something\n\nFrom: Jo Doe\nDate: today\n\nhi\n"), Shape::Page);
        assert_eq!(sniff(b"Greeting, there is no change\n"), Shape::Page);
        assert_eq!(sniff(b""), Shape::Page);
    }

    #[test]
    fn a_page_with_its_head() {
        let page = "Re: [x] y regression\n\nFrom: Jo Doe\nDate: Tue Jan 09 2018 - 02:58:40 EST\n\n\nHi,\n\n> q\nmine\n";
        let message = parse_page(page);
        assert_eq!(message.subject, "Re: [x] y regression");
        assert_eq!(message.from.map(|f| f.name).as_deref(), Some("Jo Doe"));
        assert_eq!(message.date.map(|d| d.to_string()).as_deref(), Some("2018-01-09T07:58:40Z"));
        assert_eq!(message.body, "Hi,\n\n> q\nmine\n");
    }

    #[test]
    fn other_heads() {
        let message = parse_page("Re: [x] y\n\n[Jo A. Doe]\n\nOn Monday, X wrote:\n> q\nmine\n");
        assert_eq!(message.from.map(|f| f.name).as_deref(), Some("Jo A. Doe"));
        assert!(message.body.starts_with("On Monday"));
        let body = parse_page("Greeting, there is no primary kpi change in this test\n");
        assert_eq!((body.subject.as_str(), body.body.len()), ("", 54));
    }

    #[test]
    fn dates_of_pages() {
        let of = |text: &str| page_date(text).map(|d| d.to_string());
        assert_eq!(of("Sun Sep 05 2021 - 18:16:21 EST").as_deref(), Some("2021-09-05T23:16:21Z"));
        assert_eq!(of("Sun, 5 Sep 2021 18:16:21 +0200").as_deref(), Some("2021-09-05T16:16:21Z"));
        assert_eq!(of("2021-09-05 18:16:21").as_deref(), Some("2021-09-05T18:16:21Z"));
        assert_eq!(of("2021-09-05T18:16:21Z").as_deref(), Some("2021-09-05T18:16:21Z"));
        assert_eq!(of("some day"), None);
        assert_eq!(of("2021-09-05 25:16:21"), None, "no time of day");
        assert_eq!(of("2021-09-05 18:61"), None);
        assert_eq!(of("2021-02-31 18:16:21"), None, "no day");
    }
}
