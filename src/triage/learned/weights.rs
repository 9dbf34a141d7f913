//! What words weigh for each verdict.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::super::Label;

/// A softmax over verdicts, linear in the features of a mail.
///
/// `p(verdict) = exp(b + w·x) / sum`, with `x` the distinct features, each `1/sqrt(n)`. Written as text, one feature a
/// line, in hundredths; see [`Weights::write`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    /// SHA-256 of the sayings that they were learned from, so that a test sees when the two part.
    pub digest: String,
    pub(super) labels: Vec<Label>,
    pub(super) bias: Vec<f32>,
    pub(super) of: HashMap<String, Box<[(u8, f32)]>>,
}

/// What the weights make of a mail.
#[derive(Debug, Clone, Default)]
pub struct Opinion {
    /// Every verdict with its share of the belief; the shares sum to 1. Greatest first.
    pub shares: Vec<(Label, f32)>,
    /// How many of the mail's features are known at all.
    pub known: usize,
    /// Number of the sentence that speaks most for the first of them.
    pub sentence: Option<usize>,
}

static EMBEDDED: LazyLock<Weights> = LazyLock::new(|| {
    let file = crate::embedded::WEIGHTS.first().map_or("", |(_, text)| *text);
    Weights::parse(file).unwrap_or_default()
});

/// Hundredths that are too small to be worth a line.
const LEAST: f32 = 8.0;

impl Weights {
    /// Those that travel with the program.
    pub fn embedded() -> &'static Weights {
        &EMBEDDED
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Reads what [`Weights::write`] wrote.
    ///
    /// # Errors
    ///
    /// The line that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut weights = Self::default();
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| format!("line {}: expected {what}", number + 1);
            let Some((name, rest)) = line.split_once('\t') else {
                return Err(fail("a name, a tab and values"));
            };
            let values = rest.split(' ').filter(|v| !v.is_empty());
            match (number, name) {
                (0, "digest") => rest.clone_into(&mut weights.digest),
                (1, "labels") => {
                    weights.labels = values
                        .map(str::parse)
                        .collect::<Result<_, _>>()
                        .map_err(|_| fail("verdicts"))?;
                }
                (2, "bias") => {
                    let read = |v: &str| v.parse::<f32>().map(|v| v / 100.0);
                    weights.bias =
                        values.map(read).collect::<Result<_, _>>().map_err(|_| fail("numbers"))?;
                }
                (0..=2, _) => return Err(fail("digest, labels, bias in the first three lines")),
                _ => {
                    let known = weights.labels.len();
                    let read = |v: &str| {
                        let letter = v.bytes().next()?.checked_sub(b'a')?;
                        let weight: f32 = v.get(1..)?.parse().ok()?;
                        (usize::from(letter) < known).then_some((letter, weight / 100.0))
                    };
                    let row: Option<Box<[_]>> = values.map(read).collect();
                    weights.of.insert(name.to_owned(), row.ok_or_else(|| fail("a12 b-7"))?);
                }
            }
        }
        if weights.bias.len() != weights.labels.len() {
            return Err("line 3: as many numbers as there are verdicts in line 2".to_owned());
        }
        Ok(weights)
    }

    /// The text form, sorted: `feature<TAB>a12 c-40`, where `a` is the first of the labels and 12 is 0.12.
    pub fn write(&self) -> String {
        let hundredths = |w: f32| (w * 100.0).round();
        let join = |names: Vec<String>| names.join(" ");
        let mut out = format!("digest\t{}\n", self.digest);
        let labels = self.labels.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "labels\t{}", join(labels));
        let bias = self.bias.iter().map(|b| hundredths(*b).to_string()).collect();
        let _ = writeln!(out, "bias\t{}", join(bias));
        let mut rows: Vec<_> = self.of.iter().collect();
        rows.sort_by(|a, b| a.0.cmp(b.0));
        for (feature, row) in rows {
            let shown = |(label, w): &(u8, f32)| {
                let w = hundredths(*w);
                (w.abs() >= LEAST).then(|| format!("{}{w}", char::from(b'a' + label)))
            };
            let shown: Vec<String> = row.iter().filter_map(shown).collect();
            if !shown.is_empty() {
                let _ = writeln!(out, "{feature}\t{}", join(shown));
            }
        }
        out
    }

    /// Weighs a mail: the features of its sentences, and last those of the whole.
    pub fn opinion(&self, bags: &[Vec<String>]) -> Opinion {
        if self.is_empty() {
            return Opinion::default();
        }
        let distinct: BTreeSet<&str> = bags.iter().flatten().map(String::as_str).collect();
        let x = 1.0 / (distinct.len().max(1) as f32).sqrt();
        let mut z = self.bias.clone();
        for (label, w) in distinct.iter().filter_map(|f| self.of.get(*f)).flat_map(|row| row.iter())
        {
            z[usize::from(*label)] += w * x;
        }
        softmax(&mut z);
        let mut shares: Vec<(Label, f32)> = self.labels.iter().copied().zip(z).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let first = self.labels.iter().position(|l| *l == shares[0].0);
        let speaks = |bag: &Vec<String>| -> f32 {
            let rows = bag.iter().filter_map(|f| self.of.get(f)).flat_map(|row| row.iter());
            rows.filter(|(label, _)| Some(usize::from(*label)) == first).map(|(_, w)| w).sum()
        };
        let sentences = bags.split_last().map_or(&[][..], |(_, sentences)| sentences);
        let speaking = sentences.iter().map(speaks).enumerate();
        let sentence = speaking.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(n, _)| n);
        let known = distinct.iter().filter(|f| self.of.contains_key(**f)).count();
        Opinion { shares, known, sentence }
    }
}

/// Belief from scores, in place: `exp(z) / sum`.
pub(super) fn softmax(z: &mut [f32]) {
    let top = z.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    z.iter_mut().for_each(|z| *z = (*z - top).exp());
    let sum: f32 = z.iter().sum();
    z.iter_mut().for_each(|z| *z /= sum);
}
