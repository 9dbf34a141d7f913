//! HTML turned into the text that its author meant: quoting survives as `> `, cells stay apart.

use mail_parser::decoders::html::add_html_token;

/// Nesting of blockquotes beyond this is not marked any deeper.
const DEEPEST: usize = 20;

/// Renders HTML as plain text. Linear in the input; never fails.
pub(super) fn html_to_text(html: &str) -> String {
    let mut writer = Writer::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        writer.text(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some(end) = tag_end(rest) else {
            writer.text(rest);
            return writer.finish();
        };
        let tag = rest[1..end].trim_end_matches('/');
        rest = &rest[end + 1..];
        let (closing, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let name_end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let name = tag[..name_end].to_ascii_lowercase();
        match name.as_str() {
            "script" | "style" | "head" | "title" | "template" if !closing => {
                rest = skip_element(rest, &name);
            }
            _ => writer.tag(&name, closing),
        }
    }
    writer.text(rest);
    writer.finish()
}

/// The index of the `>` that ends the tag at the start of `text`, quoted attribute values respected.
fn tag_end(text: &str) -> Option<usize> {
    let first = text.as_bytes().get(1)?;
    if !(first.is_ascii_alphabetic() || b"/!?".contains(first)) {
        return None;
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(mark), _) if mark == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Some(at),
            _ => {}
        }
    }
    // An unbalanced quote: take the plain end.
    text.find('>')
}

fn skip_element<'a>(text: &'a str, name: &str) -> &'a str {
    let mut at = 0;
    while let Some(found) = text[at..].find("</") {
        let start = at + found + 2;
        let tail = text.as_bytes().get(start..start + name.len());
        if tail.is_some_and(|t| t.eq_ignore_ascii_case(name.as_bytes())) {
            return text[start..].find('>').map_or("", |end| &text[start + end + 1..]);
        }
        at = start;
    }
    // Never closed: the head of a broken mail must not swallow its body.
    if name == "head" { text } else { "" }
}

#[derive(Default)]
struct Writer {
    out: String,
    line: String,
    depth: usize,
    preformatted: usize,
    /// Empty lines wanted before the next text: 0, 1 (new line) or 2 (paragraph).
    breaks: usize,
    space: bool,
    in_row: bool,
}

impl Writer {
    fn tag(&mut self, name: &str, closing: bool) {
        match name {
            "br" => self.end_line(),
            "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "table" | "hr" => {
                self.want_break(2)
            }
            "div" | "section" | "article" | "dt" | "dd" | "center" | "address" => {
                self.want_break(1)
            }
            "li" if !closing => {
                self.want_break(1);
                self.text("- ");
            }
            "li" => self.want_break(1),
            "tr" => {
                self.want_break(1);
                self.in_row = false;
            }
            "td" | "th" if !closing => {
                if self.in_row && !self.line.is_empty() {
                    self.line.push_str("  ");
                    self.space = false;
                }
                self.in_row = true;
            }
            "pre" => {
                self.want_break(1);
                self.preformatted = if closing {
                    self.preformatted.saturating_sub(1)
                } else {
                    self.preformatted + 1
                };
            }
            "blockquote" => {
                self.want_break(1);
                self.flush_break();
                self.depth = if closing { self.depth.saturating_sub(1) } else { self.depth + 1 };
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let at = rest.find('&').unwrap_or(rest.len());
            self.plain(&rest[..at]);
            rest = &rest[at..];
            if rest.is_empty() {
                break;
            }
            let end = rest.bytes().take(12).position(|b| b == b';');
            match end {
                Some(end) if rest.is_char_boundary(end + 1) && rest[..end].is_ascii() => {
                    let mut decoded = String::new();
                    add_html_token(&mut decoded, &rest.as_bytes()[..=end], false);
                    // Windows mailers write a paragraph of one &nbsp; for an empty line.
                    if decoded == "\u{a0}" {
                        self.flush_break();
                        self.line.push(' ');
                        self.space = false;
                    } else {
                        self.plain(&decoded);
                    }
                    rest = &rest[end + 1..];
                }
                _ => {
                    self.plain("&");
                    rest = &rest[1..];
                }
            }
        }
    }

    fn plain(&mut self, text: &str) {
        for c in text.chars() {
            if self.preformatted > 0 {
                if c == '\n' {
                    self.end_line();
                } else if !c.is_control() || c == '\t' {
                    self.flush_break();
                    self.line.push(c);
                }
            } else if c.is_ascii_whitespace() {
                self.space = true;
            } else if !c.is_control() {
                self.flush_break();
                if self.space && !self.line.is_empty() && !self.line.ends_with(' ') {
                    self.line.push(' ');
                }
                self.space = false;
                self.line.push(c);
            }
        }
    }

    fn want_break(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
        self.space = false;
    }

    /// Ends the line for a wanted break, before anything new is written.
    fn flush_break(&mut self) {
        if self.breaks > 0 {
            if !self.line.is_empty() {
                self.end_line();
            }
            if self.breaks > 1 && !self.out.is_empty() && !self.ends_with_empty_line() {
                self.end_line();
            }
            self.breaks = 0;
        }
    }

    fn ends_with_empty_line(&self) -> bool {
        let last = self.out.trim_end_matches('\n').len() + 1;
        self.out.len() > last || self.out[..last - 1].rsplit('\n').next().is_some_and(is_empty_line)
    }

    fn end_line(&mut self) {
        self.out.extend(std::iter::repeat_n('>', self.depth.min(DEEPEST)));
        let line = self.line.trim_end();
        if self.depth > 0 && !line.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(line);
        self.out.push('\n');
        self.line.clear();
        self.space = false;
    }

    fn finish(mut self) -> String {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.out
    }
}

fn is_empty_line(line: &str) -> bool {
    line.bytes().all(|b| b == b'>' || b == b' ')
}

#[cfg(test)]
mod tests {
    use super::html_to_text;

    #[test]
    fn quoting_survives() {
        let html = "<div>On Monday, X wrote:<br><blockquote>a &lt; b<br><blockquote>deep</blockquote>c</blockquote>mine</div>";
        assert_eq!(html_to_text(html), "On Monday, X wrote:\n> a < b\n>> deep\n> c\nmine\n");
    }

    #[test]
    fn cells_stay_apart() {
        let html = "<table><tr><th>metric</th><th>base</th></tr><tr><td>score</td><td>12</td></tr></table>";
        assert_eq!(html_to_text(html), "metric  base\nscore  12\n");
    }

    #[test]
    fn heads_styles_and_comments_are_no_text() {
        let html = "<html><head><style>p{x:1}</style></head><body><!-- > no --><p>yes</p>\n<p>and&nbsp;no</p></body></html>";
        assert_eq!(html_to_text(html), "yes\n\nand no\n");
    }

    #[test]
    fn broken_html_is_kept_as_text() {
        assert_eq!(html_to_text("1 < 2 & 3 <b"), "1 < 2 & 3 <b\n");
        assert_eq!(html_to_text("<p title=\"a>b\">x"), "x\n");
        assert_eq!(html_to_text("&#x41;&bogus;&#xffffffff;"), "A&bogus;\u{fffd}\n");
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        assert_eq!(html_to_text("<pre>a  b\n  c</pre>d"), "a  b\n  c\nd\n");
    }
}
