//! What words weigh for each verdict.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::Label;
use super::Bag;

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
    rows: HashMap<&'a str, &'a str>,
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
            let good = row.split(' ').filter(|v| !v.is_empty()).all(|v| weights.read(v).is_some());
            if !good {
                return Err(expected(number, "a12 b-7"));
            }
        }
        Ok(weights)
    }

    /// Reads the head, and finds the rows.
    fn index(text: &'a str) -> Result<Self, String> {
        let mut weights = Self::default();
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| expected(number, what);
            let Some((name, rest)) = line.split_once('\t') else {
                return Err(fail("a name, a tab and values"));
            };
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
                (0..=2, _) => return Err(fail("digest, labels, bias in the first three lines")),
                _ => {
                    weights.rows.insert(name, rest);
                }
            }
        }
        if weights.bias.len() != weights.labels.len() {
            return Err("line 3: as many numbers as there are verdicts in line 2".to_owned());
        }
        Ok(weights)
    }

    /// `c-40`: number of the label, weight.
    fn read(&self, value: &str) -> Option<(usize, f32)> {
        let label = usize::from(value.bytes().next()?.checked_sub(b'a')?);
        let weight: f32 = value.get(1..)?.parse().ok()?;
        (label < self.labels.len()).then_some((label, weight / 100.0))
    }

    fn row(&self, feature: &str) -> impl Iterator<Item = (usize, f32)> {
        let row = self.rows.get(feature).copied().unwrap_or_default();
        row.split(' ').filter_map(|value| self.read(value))
    }

    /// Whether sayings told anything of a feature.
    pub fn knows(&self, feature: &str) -> bool {
        self.rows.contains_key(feature)
    }

    /// Weighs a mail, with a choice of these verdicts.
    pub fn opinion(&self, bag: &Bag, choice: impl Fn(Label) -> bool) -> Opinion {
        let mut z = self.bias.clone();
        for (feature, x) in bag.values() {
            self.row(feature).for_each(|(label, weight)| z[label] += weight * x);
        }
        let chosen = self.labels.iter().zip(z).filter(|(label, _)| choice(**label));
        let (labels, mut z): (Vec<Label>, Vec<f32>) = chosen.map(|(l, z)| (*l, z)).unzip();
        softmax(&mut z);
        let mut shares: Vec<(Label, f32)> = labels.into_iter().zip(z).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let words = bag.sentences.iter().flatten().chain(&bag.whole);
        Opinion { shares, known: words.filter(|word| self.knows(word)).count() }
    }

    /// Number of the sentence that speaks most for a verdict.
    pub fn speaks_for(&self, bag: &Bag, label: Label) -> Option<usize> {
        let label = self.labels.iter().position(|l| *l == label)?;
        let speaks = |sentence: &Vec<String>| -> f32 {
            let rows = sentence.iter().flat_map(|feature| self.row(feature));
            rows.filter(|(l, _)| *l == label).map(|(_, weight)| weight).sum()
        };
        let all = bag.sentences.iter().map(speaks).enumerate();
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
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
