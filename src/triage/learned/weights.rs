//! What words weigh for each verdict.

use std::sync::LazyLock;

use super::super::Label;
use super::Bag;
use super::features::{Place, VOICE};
use super::table::{Row, Table, hash};

/// A softmax over verdicts, linear in the features of a mail.
///
/// `p(verdict) = exp(b + w·x) / sum`, with `x` as in [`Bag`]. Written as text, sorted, one feature a line:
/// `feature<TAB>a12 c-40`, where `a` is the first of the labels and 12 is 0.12. A row is read when its feature is met, so
/// that a hundred thousand of them cost a start hardly anything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights<'a> {
    /// SHA-256 of the sayings that they were learned from, so that a test sees when the two part.
    pub digest: &'a str,
    labels: Vec<Label>,
    bias: Vec<f32>,
    rows: Table<'a>,
}

/// What the weights make of a mail.
#[derive(Debug, Clone, Default)]
pub struct Opinion {
    /// Every verdict that was asked for with its share of the belief; the shares sum to 1. Greatest first.
    pub shares: Vec<(Label, f32)>,
    /// How many of the mail's words, pairs of words and facts are known at all.
    pub known: usize,
}

static EMBEDDED: LazyLock<Weights<'static>> = LazyLock::new(|| {
    let file = crate::embedded::WEIGHTS.first().map_or("", |(_, text)| *text);
    Weights::index(file).unwrap_or_default()
});

impl<'a> Weights<'a> {
    /// Those that travel with the program.
    pub fn embedded() -> &'static Weights<'static> {
        &EMBEDDED
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Reads the text form, and looks at every row.
    ///
    /// # Errors
    ///
    /// The line that cannot be read, and what was expected there.
    pub fn parse(text: &'a str) -> Result<Self, String> {
        let weights = Self::index(text)?;
        for (number, line) in text.lines().enumerate().skip(3) {
            let row = line.split_once('\t').map_or("", |(_, row)| row);
            let mut values = Values(row.as_bytes());
            if !values.all(|value| value.is_ok_and(|(label, _)| label < weights.labels.len())) {
                return Err(expected(number, "a12 b-7"));
            }
        }
        Ok(weights)
    }

    /// Reads the head, and finds the rows.
    fn index(text: &'a str) -> Result<Self, String> {
        let lines = text.bytes().filter(|b| *b == b'\n').count() + 1;
        let mut weights = Self { rows: Table::new(text, lines), ..Self::default() };
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let begins = start;
            start += line.len();
            let fail = |what: &str| expected(number, what);
            let Some((name, rest)) = line.split_once('\t') else {
                return Err(fail("a name, a tab and values"));
            };
            if number > 2 {
                weights.rows.add(begins, name);
                continue;
            }
            let rest = rest.trim_end_matches(['\n', '\r']);
            let values = || rest.split(' ').filter(|v| !v.is_empty());
            match (number, name) {
                (0, "digest") => weights.digest = rest,
                (1, "labels") => {
                    let labels: Result<_, _> = values().map(str::parse).collect();
                    weights.labels = labels.map_err(|_| fail("verdicts"))?;
                }
                (2, "bias") => {
                    let read = |v: &str| v.parse::<f32>().map(|v| v / 100.0);
                    let bias: Result<_, _> = values().map(read).collect();
                    weights.bias = bias.map_err(|_| fail("numbers"))?;
                }
                _ => return Err(fail("digest, labels, bias in the first three lines")),
            }
        }
        if weights.bias.len() != weights.labels.len() {
            return Err("line 3: as many numbers as there are verdicts in line 2".to_owned());
        }
        Ok(weights)
    }

    fn row(&self, row: Row) -> impl Iterator<Item = (usize, f32)> {
        let known = self.labels.len();
        Values(self.rows.values(row)).map_while(Result::ok).filter(move |(label, _)| *label < known)
    }

    /// Whether sayings told anything of a feature.
    pub fn knows(&self, feature: &str) -> bool {
        self.rows.get(hash(&[feature]), &[feature]).is_some()
    }

    /// The features that `each` tells, as far as they are known.
    pub(super) fn heard(&self, each: impl FnOnce(&mut dyn FnMut(Place, &[&str]))) -> Heard {
        let mut heard = Heard::default();
        let mut words: Vec<u64> = Vec::new();
        each(&mut |place, parts| {
            let hash = hash(parts);
            let row = self.rows.get(hash, parts);
            match place {
                Place::Voice => return heard.voices.extend(row),
                Place::Whole => heard.whole.extend(row),
                Place::Sentence(number) => heard.told.extend(row.map(|row| (number, row))),
            }
            words.push(hash);
        });
        words.sort_unstable();
        words.dedup();
        heard.distinct = words.len();
        heard
    }

    /// Weighs a mail, with a choice of these verdicts.
    pub fn opinion(&self, bag: &Bag, choice: impl Fn(Label) -> bool) -> Opinion {
        self.opinion_of(&self.heard(|take| bag.each(take)), choice)
    }

    pub(super) fn opinion_of(&self, heard: &Heard, choice: impl Fn(Label) -> bool) -> Opinion {
        let mut z = self.bias.clone();
        let mut weigh = |mut rows: Vec<Row>, x: f32| {
            rows.sort_unstable();
            rows.dedup();
            for row in rows {
                self.row(row).for_each(|(label, weight)| z[label] += weight * x);
            }
        };
        let words = heard.told.iter().map(|(_, row)| *row).chain(heard.whole.iter().copied());
        weigh(words.collect(), 1.0 / (heard.distinct.max(1) as f32).sqrt());
        weigh(heard.voices.clone(), VOICE);
        let chosen = self.labels.iter().zip(z).filter(|(label, _)| choice(**label));
        let (labels, mut z): (Vec<Label>, Vec<f32>) = chosen.map(|(l, z)| (*l, z)).unzip();
        softmax(&mut z);
        let mut shares: Vec<(Label, f32)> = labels.into_iter().zip(z).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        Opinion { shares, known: heard.told.len() + heard.whole.len() }
    }

    /// Number of the sentence that speaks most for a verdict.
    pub fn speaks_for(&self, bag: &Bag, label: Label) -> Option<usize> {
        let heard = self.heard(|take| bag.each(take));
        self.sentence_for(&heard, bag.sentences.len(), label)
    }

    /// The same of a mail of that many sentences.
    pub(super) fn sentence_for(
        &self,
        heard: &Heard,
        sentences: usize,
        label: Label,
    ) -> Option<usize> {
        let label = self.labels.iter().position(|l| *l == label)?;
        let sum = |rows: &[(usize, Row)]| -> f32 {
            let weights = rows.iter().flat_map(|(_, row)| self.row(*row));
            weights.filter(|(l, _)| *l == label).map(|(_, weight)| weight).sum()
        };
        let mut speaks = vec![sum(&[]); sentences];
        for rows in heard.told.chunk_by(|(a, _), (b, _)| a == b) {
            speaks[rows[0].0] = sum(rows);
        }
        let all = speaks.into_iter().enumerate();
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
    }
}

/// What is known of the features of a mail.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Heard {
    /// For each known feature of a sentence the sentence's number, in their order.
    told: Vec<(usize, Row)>,
    whole: Vec<Row>,
    voices: Vec<Row>,
    /// Different features of sentences and of the whole, known or not.
    distinct: usize,
}

/// `a12 c-40` up to the end of the line: numbers of labels, and weights that are written in hundredths.
struct Values<'a>(&'a [u8]);

impl Iterator for Values<'_> {
    type Item = Result<(usize, f32), ()>;

    fn next(&mut self) -> Option<Self::Item> {
        while let [b' ', rest @ ..] = self.0 {
            self.0 = rest;
        }
        let (&label, rest) = self.0.split_first().filter(|(b, _)| !matches!(b, b'\n' | b'\r'))?;
        let (sign, digits) = match rest {
            [b'-', rest @ ..] => (-1, rest),
            rest => (1, rest),
        };
        let count = digits.iter().take_while(|b| b.is_ascii_digit()).take(8).count();
        let (digits, rest) = digits.split_at(count);
        self.0 = rest;
        let hundredths = digits.iter().fold(0_i32, |n, b| n * 10 + i32::from(b - b'0'));
        let ends = matches!(rest.first(), None | Some(b' ' | b'\n' | b'\r'));
        let label = label.checked_sub(b'a').filter(|_| ends && count > 0);
        Some(label.ok_or(()).map(|label| (usize::from(label), (sign * hundredths) as f32 / 100.0)))
    }
}

fn expected(number: usize, what: &str) -> String {
    format!("line {}: expected {what}", number + 1)
}

/// Belief from scores, in place: `exp(z) / sum`.
pub(super) fn softmax(z: &mut [f32]) {
    let top = z.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    z.iter_mut().for_each(|z| *z = (*z - top).exp());
    let sum: f32 = z.iter().sum();
    z.iter_mut().for_each(|z| *z /= sum);
}
