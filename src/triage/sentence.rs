//! The author's words, sentence by sentence, each with what it answers.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::lines::{is_data, is_name, is_pasted, is_salutation, is_trailer, list_item};
use super::plain::{Plain, plain};
use crate::mail::{BlockKind, Message};

/// Sentences of one mail that are read. A person says what matters well before that.
const SENTENCES: usize = 400;
/// Characters of one sentence that are read.
const LONGEST: usize = 1200;

/// One sentence with its place.
#[derive(Debug, Clone, Default)]
pub struct Sentence {
    /// As written, on one line.
    pub text: String,
    /// Normal form.
    pub plain: Plain,
    /// Line of the body where it starts, 0-based.
    pub line: usize,
    /// The quoted paragraph right above the run of words that it belongs to, in normal form. For words on top of a quote:
    /// the questions of that quote.
    pub answers: Option<Arc<Quoted>>,
    /// The first sentence of its run: a bare "Yes." stands here.
    pub opens: bool,
}

/// Quoted words, as written and in normal form.
#[derive(Debug, Clone, Default)]
pub struct Quoted {
    /// As written, on one line, without quote marks.
    pub text: String,
    /// Found when it is asked for: hardly any rule does.
    plain: OnceLock<String>,
}

impl Quoted {
    /// Normal form.
    pub fn plain(&self) -> &str {
        self.plain.get_or_init(|| plain(&self.text).text)
    }
}

/// The sentences of the author's own words. Tables, code, trailers, greetings and names below the words are left out.
pub fn sentences(message: &Message) -> Vec<Sentence> {
    sentences_beside(message, &[])
}

/// The same without the lines that are `taken`: commands and their values are no prose.
pub(super) fn sentences_beside(message: &Message, taken: &[Range<usize>]) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    let blocks = &message.blocks;
    for (number, block) in blocks.iter().enumerate().filter(|(_, b)| b.kind == BlockKind::New) {
        let above = blocks[..number].iter().rev().find(|b| !is_aside(b.kind));
        let quoted = above.filter(|b| matches!(b.kind, BlockKind::Quote(_)));
        let answers = match quoted {
            Some(quote) => last_paragraph(message.text(quote)),
            None if found.is_empty() => questions_below(message, number),
            None => None,
        };
        let answers = answers.map(Arc::new);
        let start = found.len();
        for paragraph in paragraphs(message.text(block), block.lines.start, taken) {
            split(&paragraph, &answers, &mut found);
            if found.len() >= SENTENCES {
                found.truncate(SENTENCES);
                return found;
            }
        }
        if let Some(first) = found.get_mut(start) {
            first.opens = true;
        }
    }
    found
}

fn is_aside(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Attribution | BlockKind::Wrapper | BlockKind::Footer)
}

/// Lines of running text, joined.
struct Paragraph {
    text: String,
    /// Where each line starts in `text`, with its number in the body.
    starts: Vec<(usize, usize)>,
}

impl Paragraph {
    fn line_at(&self, offset: usize) -> usize {
        let next = self.starts.partition_point(|(start, _)| *start <= offset);
        self.starts.get(next.saturating_sub(1)).map_or(0, |(_, line)| *line)
    }
}

/// The paragraphs of a block that begins with this line of the body.
fn paragraphs(block: &str, first: usize, taken: &[Range<usize>]) -> Vec<Paragraph> {
    let mut all = Vec::new();
    let mut open: Option<Paragraph> = None;
    let mut lines = block.lines();
    let mut next = first;
    while let Some(line) = lines.next() {
        let at = next;
        next += 1;
        let text = line.trim();
        let free = !taken.iter().any(|lines| lines.contains(&at));
        let prose =
            free && !text.is_empty() && !is_data(line) && !is_trailer(text) && !is_pasted(text);
        if !prose || is_salutation(text) || is_name(text, &lines) {
            all.extend(open.take());
            continue;
        }
        let item = list_item(text);
        if item != text {
            all.extend(open.take());
        }
        match &mut open {
            Some(paragraph) => {
                paragraph.text.push(' ');
                paragraph.starts.push((paragraph.text.len(), at));
                paragraph.text.push_str(item);
            }
            None => open = Some(Paragraph { text: item.to_owned(), starts: vec![(0, at)] }),
        }
    }
    all.extend(open);
    all
}

/// Splits a paragraph into sentences.
fn split(paragraph: &Paragraph, answers: &Option<Arc<Quoted>>, found: &mut Vec<Sentence>) {
    let text = paragraph.text.as_str();
    let mut start = 0;
    for end in ends(text).into_iter().chain([text.len()]) {
        // A paragraph may be megabytes long.
        if found.len() >= SENTENCES {
            return;
        }
        let piece = &text[start..end];
        let trimmed = piece.trim();
        if trimmed.chars().any(char::is_alphanumeric) {
            let cut = cut(trimmed, LONGEST);
            let lead = piece.len() - piece.trim_start().len();
            found.push(Sentence {
                text: cut.to_owned(),
                plain: plain(cut),
                line: paragraph.line_at(start + lead),
                answers: answers.clone(),
                opens: false,
            });
        }
        start = end;
    }
}

/// Words before a full stop that end no sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "approx", "resp", "no", "nr", "mr", "ms", "dr",
    "st", "fig", "sec", "incl", "max", "min", "avg", "a.k.a", "w.r.t", "z.b", "d.h", "bzw", "ca",
    "p.s",
];

/// Offsets where a sentence ends.
fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut quote = false;
    let mut depth = 0usize;
    let mut end = 0;
    while let Some(found) = text.as_bytes()[end..].iter().position(may_end) {
        let at = end + found;
        let c = text[at..].chars().next().unwrap_or(' ');
        end = at + c.len_utf8();
        match c {
            '"' => quote = !quote,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let wide = matches!(c, '。' | '！' | '？');
        if !(wide || matches!(c, '.' | '!' | '?' | ';')) {
            continue;
        }
        // A run of stops ends once; what closes with it belongs to it.
        for next in text[end..].chars() {
            match next {
                '"' => quote = !quote,
                ')' => depth = depth.saturating_sub(1),
                '.' | '!' | '?' | '\'' | '”' => {}
                _ => break,
            }
            end += next.len_utf8();
        }
        let spaced = text[end..].chars().next().is_none_or(char::is_whitespace);
        // Long asides are sentences of their own; a short one belongs to the sentence around it.
        let inside = (quote || depth > 0) && at < 4000 && !wide;
        if wide || spaced && !inside && !(c == '.' && is_abbreviation(text, at)) {
            ends.push(end);
        }
    }
    ends
}

/// Whether a letter that begins with this byte has a say in where a sentence ends.
fn may_end(byte: &u8) -> bool {
    matches!(byte, b'"' | b'(' | b')' | b'.' | b'!' | b'?' | b';' | 0xe3 | 0xef)
}

fn is_abbreviation(text: &str, stop: usize) -> bool {
    let word = text[..stop]
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let next = text[stop + 1..].trim_start().chars().next();
    // "no." is a word when something else than a number follows.
    if word == "no" {
        return next.is_some_and(|c| c.is_ascii_digit());
    }
    let initial =
        word.chars().count() == 1 && word.chars().all(|c| c.is_alphabetic()) && word != "i";
    ABBREVIATIONS.contains(&word.as_str()) || initial && next.is_some_and(char::is_uppercase)
}

/// The last paragraph of a quote: what words right below it answer.
fn last_paragraph(quote: &str) -> Option<Quoted> {
    let upwards = quote.lines().rev().map(|line| unquoted(line).trim());
    let upwards = upwards.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    let mut lines: Vec<&str> = upwards.take(12).collect();
    lines.reverse();
    let joined = lines.join(" ");
    // Words below a paragraph answer its questions; without one, its last sentences.
    let mut sentences: Vec<&str> = Vec::new();
    let mut from = 0;
    for at in ends(&joined).into_iter().chain([joined.len()]) {
        let sentence = joined[from..at].trim();
        if !sentence.is_empty() {
            sentences.push(sentence);
        }
        from = at;
    }
    let questions: Vec<&str> = sentences.iter().copied().filter(|s| s.ends_with('?')).collect();
    let wanted = if questions.is_empty() { &sentences } else { &questions };
    quoted(&wanted[wanted.len().saturating_sub(2)..])
}

/// The questions of the quote below words that stand on top of it, last ones first.
fn questions_below(message: &Message, number: usize) -> Option<Quoted> {
    let blocks = &message.blocks[number + 1..];
    if blocks.iter().any(|b| b.kind == BlockKind::New) {
        return None;
    }
    let below =
        blocks.iter().find(|b| matches!(b.kind, BlockKind::Quote(_) | BlockKind::History))?;
    let bare: Vec<&str> = message.text(below).lines().take(200).map(unquoted).collect();
    let text = bare.join(" ");
    let text = cut(&text, 8000);
    let mut start = 0;
    let mut questions = Vec::new();
    for at in ends(text) {
        let sentence = text[start..at].trim();
        if sentence.ends_with('?') {
            questions.push(sentence);
        }
        start = at;
    }
    let last: Vec<&str> = questions.into_iter().rev().take(2).collect();
    (!last.is_empty()).then(|| quoted(&last)).flatten()
}

fn quoted(lines: &[&str]) -> Option<Quoted> {
    let joined = lines.iter().map(|l| l.trim()).collect::<Vec<_>>().join(" ");
    let text = cut(&joined, LONGEST).trim().to_owned();
    (!text.is_empty()).then(|| Quoted { text, plain: OnceLock::new() })
}

/// The first letters of a text, that many.
fn cut(text: &str, letters: usize) -> &str {
    if text.len() <= letters {
        return text;
    }
    text.char_indices().nth(letters).map_or(text, |(at, _)| &text[..at])
}

/// A quoted line without its marks.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' ', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::parse;

    fn of(body: &str) -> Vec<Sentence> {
        sentences(&parse(format!("From: a@example.org\n\n{body}").as_bytes()))
    }

    fn texts(body: &str) -> Vec<String> {
        of(body).into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            texts(
                "It is slow, e.g. on v6.1. the drop is 2.3% (see above). Why? no. it is\nnot... Well!\n"
            ),
            [
                "It is slow, e.g. on v6.1.",
                "the drop is 2.3% (see above).",
                "Why?",
                "no.",
                "it is not...",
                "Well!"
            ]
        );
        assert_eq!(
            texts("再現しません。差は 0.3% です。\n"),
            ["再現しません。", "差は 0.3% です。"]
        );
    }

    #[test]
    fn what_is_no_sentence_is_left_out() {
        let body = "Hi Jo,\n\nSee the numbers:\n\n  parent      410233   0.2%\n  patch       410200   0.1%\n\nDone.\n\nTested-by: Jo <jo@example.org>\n\nJo\n";
        assert_eq!(texts(body), ["See the numbers:", "Done."]);
    }

    #[test]
    fn words_answer_what_stands_above_or_below_them() {
        let found = of("> First.\n>\n> Is this\n> expected?\n\nYes. It is.\n");
        assert_eq!(found[0].answers.as_ref().map(|q| q.text.as_str()), Some("Is this expected?"));
        assert!(found[0].opens && !found[1].opens);
        let top = of("Yes.\n\nOn Mon, 12 Jan 2026, X wrote:\n> Is this expected?\n>\n> Thanks\n");
        assert_eq!(top[0].answers.as_ref().map(|q| q.text.as_str()), Some("Is this expected?"));
    }

    #[test]
    fn lines_are_kept() {
        let found = of("> q\n\nOne goes\non here. Two.\n");
        assert_eq!(found.iter().map(|s| s.line).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn items_of_lists_stand_alone() {
        assert_eq!(texts("Two things:\n- the first\n- the second\n1. one\n2. two\n").len(), 5);
    }
}
