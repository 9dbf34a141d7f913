//! What words weigh for each verdict.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::super::Label;
use super::Bag;
use super::feature::{Feature, Key, Keyed};
use super::features::{Place, VOICE};

/// Verdicts that can be told apart: each has a letter.
const MOST: usize = 26;

/// A softmax over verdicts, linear in the features of a mail.
///
/// `p(verdict) = exp(b + w·x) / sum`, with `x` as in [`Bag`]. Written as text, sorted, one feature a line:
/// `feature<TAB>a12 c-40`, where `a` is the first of the labels and 12 is 0.12.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    /// SHA-256 of the sayings that they were learned from, so that a test sees when the two part.
    pub digest: String,
    labels: Vec<Label>,
    bias: Vec<f32>,
    rows: HashMap<Key, Row, Keyed>,
    /// All rows, one behind the other.
    values: Vec<Value>,
}

/// Part of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    start: u32,
    length: u32,
}

/// A verdict by number, and its weight in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Value {
    label: u8,
    weight: i16,
}

/// What the weights make of a mail.
#[derive(Debug, Clone, Default)]
pub struct Opinion {
    /// Every verdict that was asked for with its share of the belief; the shares sum to 1. Greatest first.
    pub shares: Vec<(Label, f32)>,
    /// How many of the mail's words, pairs of words and facts are known at all.
    pub known: usize,
}

static EMBEDDED: LazyLock<Weights> = LazyLock::new(|| {
    let file = crate::embedded::WEIGHTS.first().map_or("", |(_, text)| *text);
    Weights::parse(file).unwrap_or_default()
});

impl Weights {
    /// Those that travel with the program.
    pub fn embedded() -> &'static Weights {
        &EMBEDDED
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// The line that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut weights = Self::default();
        weights.rows.reserve(text.bytes().filter(|b| *b == b'\n').count());
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| format!("line {}: expected {what}", number + 1);
            let Some((name, rest)) = line.split_once('\t') else {
                return Err(fail("a name, a tab and values"));
            };
            let values = || rest.split(' ').filter(|v| !v.is_empty());
            match (number, name) {
                (0, "digest") => weights.digest = rest.to_owned(),
                (1, "labels") => {
                    let labels: Result<_, _> = values().map(str::parse).collect();
                    weights.labels = labels.map_err(|_| fail("verdicts"))?;
                    if weights.labels.len() > MOST {
                        return Err(fail("no more verdicts than there are letters"));
                    }
                }
                (2, "bias") => {
                    let read = |v: &str| v.parse::<f32>().map(|v| v / 100.0);
                    let bias: Result<Vec<f32>, _> = values().map(read).collect();
                    weights.bias = bias.map_err(|_| fail("numbers"))?;
                    if weights.bias.len() != weights.labels.len() {
                        return Err(fail("as many numbers as there are verdicts in line 2"));
                    }
                }
                (0..=2, _) => return Err(fail("digest, labels, bias in the first three lines")),
                _ => {
                    let start = weights.values.len();
                    for value in values() {
                        let value = weights.value(value).ok_or_else(|| fail("a12 b-7"))?;
                        weights.values.push(value);
                    }
                    let length = weights.values.len() - start;
                    let row = Row { start: start as u32, length: length as u32 };
                    if weights.rows.insert(Feature::Name(name).key(), row).is_some() {
                        return Err(fail("one line a name"));
                    }
                }
            }
        }
        Ok(weights)
    }

    /// `a12`
    fn value(&self, text: &str) -> Option<Value> {
        let (&letter, hundredths) = text.as_bytes().split_first()?;
        let label = letter.checked_sub(b'a').filter(|l| usize::from(*l) < self.labels.len())?;
        let (sign, digits) = match hundredths {
            [b'-', digits @ ..] => (-1, digits),
            digits => (1, digits),
        };
        let digit = |sum: Option<i16>, byte: &u8| {
            let digit = byte.is_ascii_digit().then(|| i16::from(byte - b'0'))?;
            sum?.checked_mul(10)?.checked_add(digit)
        };
        let weight = digits.iter().fold((!digits.is_empty()).then_some(0), digit)?;
        Some(Value { label, weight: sign * weight })
    }

    fn row(&self, row: Row) -> &[Value] {
        self.values.get(row.start as usize..).map_or(&[], |rest| &rest[..row.length as usize])
    }

    /// Whether sayings told anything of a feature.
    pub fn knows(&self, feature: &str) -> bool {
        self.rows.contains_key(&Feature::Name(feature).key())
    }

    /// Weighs a mail, with a choice of these verdicts.
    pub fn opinion(&self, bag: &Bag, choice: impl Fn(Label) -> bool) -> Opinion {
        self.heard(bag).opinion(choice)
    }

    /// Number of the sentence that speaks most for a verdict.
    pub fn speaks_for(&self, bag: &Bag, label: Label) -> Option<usize> {
        self.heard(bag).sentence_for(bag.sentences.len(), label)
    }

    fn heard(&self, bag: &Bag) -> Heard<'_> {
        let mut features = Features::default();
        bag.each(|place, feature| features.add(place, feature));
        Heard::new(self, &features)
    }
}

/// What is known of the features of a mail.
#[derive(Debug, Clone)]
pub(in super::super) struct Heard<'a> {
    weights: &'a Weights,
    /// For each known feature of a sentence the sentence's number, in their order.
    told: Vec<(usize, Row)>,
    /// Features of the whole that are known.
    whole: usize,
    /// Different features of sentences and of the whole, known or not.
    distinct: usize,
    /// Sums of the weights of different features, in hundredths, by number of verdict.
    words: [i32; MOST],
    voices: [i32; MOST],
}

/// Features in the order in which they were met.
#[derive(Debug, Clone)]
pub(super) struct Features(Vec<(Place, Key)>);

/// Features that most mails do not exceed.
const USUAL: usize = 400;

impl Default for Features {
    fn default() -> Self {
        Self(Vec::with_capacity(USUAL))
    }
}

impl Features {
    pub(super) fn add(&mut self, place: Place, feature: Feature<'_>) {
        self.0.push((place, feature.key()));
    }
}

impl<'a> Heard<'a> {
    pub(super) fn new(weights: &'a Weights, features: &Features) -> Self {
        let mut heard = Self {
            weights,
            told: Vec::with_capacity(USUAL),
            whole: 0,
            distinct: 0,
            words: [0; MOST],
            voices: [0; MOST],
        };
        // All rows are looked up before any is read: the table is larger than the cache, and a processor waits for many
        // lookups at once as long as none hangs on another.
        let rows = features.0.iter().map(|(_, key)| weights.rows.get(key).copied());
        let rows: Vec<Option<Row>> = rows.collect();
        let mut met = HashSet::with_capacity_and_hasher(features.0.len(), Keyed::default());
        for (&(place, key), row) in features.0.iter().zip(rows) {
            let new = met.insert(key);
            heard.distinct += usize::from(new && place != Place::Voice);
            heard.hear(place, row, new);
        }
        heard
    }

    fn hear(&mut self, place: Place, row: Option<Row>, new: bool) {
        let Some(row) = row else { return };
        match place {
            Place::Sentence(number) => self.told.push((number, row)),
            Place::Whole => self.whole += 1,
            Place::Voice => {}
        }
        if new {
            let sums = if place == Place::Voice { &mut self.voices } else { &mut self.words };
            for value in self.weights.row(row) {
                sums[usize::from(value.label)] += i32::from(value.weight);
            }
        }
    }

    /// Weighs the mail, with a choice of these verdicts.
    pub(super) fn opinion(&self, choice: impl Fn(Label) -> bool) -> Opinion {
        let x = 1.0 / (self.distinct.max(1) as f32).sqrt();
        let sums = self.words.iter().zip(&self.voices);
        let sums = sums.map(|(words, voices)| (*words as f32 * x + *voices as f32 * VOICE) / 100.0);
        let scores = self.weights.bias.iter().zip(sums).map(|(bias, sum)| bias + sum);
        let chosen = self.weights.labels.iter().zip(scores).filter(|(label, _)| choice(**label));
        let (labels, mut z): (Vec<Label>, Vec<f32>) = chosen.map(|(l, z)| (*l, z)).unzip();
        softmax(&mut z);
        let mut shares: Vec<(Label, f32)> = labels.into_iter().zip(z).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        Opinion { shares, known: self.told.len() + self.whole }
    }

    /// Number of the sentence, of that many, that speaks most for a verdict.
    pub(super) fn sentence_for(&self, sentences: usize, label: Label) -> Option<usize> {
        let label = self.weights.labels.iter().position(|l| *l == label)?;
        let mut speaks = vec![0; sentences];
        for (number, row) in &self.told {
            let values = self.weights.row(*row).iter();
            let own = values.filter(|value| usize::from(value.label) == label);
            speaks[*number] += own.map(|value| i32::from(value.weight)).sum::<i32>();
        }
        let all = speaks.into_iter().enumerate();
        all.max_by_key(|(_, sum)| *sum).map(|(number, _)| number)
    }
}

/// Belief from scores, in place: `exp(z) / sum`.
pub(super) fn softmax(z: &mut [f32]) {
    let top = z.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    z.iter_mut().for_each(|z| *z = (*z - top).exp());
    let sum: f32 = z.iter().sum();
    z.iter_mut().for_each(|z| *z /= sum);
}
