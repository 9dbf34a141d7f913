//! Learning weights from sayings: multinomial logistic regression, by AdaGrad (Duchi, Hazan, Singer 2011).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::Label;
use super::super::check::reader_of;
use super::super::rules::Rules;
use super::super::source::RuleError;
use super::weights::softmax;
use super::{Weights, features, sayings};

/// Passes over all sayings.
const PASSES: usize = 30;
/// Step of AdaGrad.
const STEP: f32 = 0.6;
/// Weight of the squared weights: what one saying alone shows is hardly believed.
const RIDGE: f32 = 6e-6;
/// A feature that fewer sayings have teaches nothing.
const SEEN: usize = 2;

/// Learns from files of sayings: (name, text). The same files give the same weights, bit for bit.
///
/// # Errors
///
/// Lines that cannot be read, each with its place and a cure.
pub fn train(rules: &Rules, files: &[(String, String)]) -> Result<Weights, Vec<RuleError>> {
    let sayings = sayings::read(files)?;
    let bags: Vec<(Label, BTreeSet<String>)> = sayings
        .iter()
        .map(|s| {
            (
                s.label,
                reader_of(rules, &s.mail, |r| features::of(r).into_iter().flatten().collect()),
            )
        })
        .collect();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    bags.iter().flat_map(|(_, bag)| bag).for_each(|f| *seen.entry(f).or_default() += 1);
    let kept: BTreeMap<&str, usize> = {
        let names: BTreeSet<&str> =
            seen.iter().filter(|(_, n)| **n >= SEEN).map(|(f, _)| *f).collect();
        names.into_iter().enumerate().map(|(n, f)| (f, n)).collect()
    };
    let labels: Vec<Label> =
        bags.iter().map(|(l, _)| *l).collect::<BTreeSet<_>>().into_iter().collect();
    let rows: Vec<(usize, Vec<usize>, f32)> = bags
        .iter()
        .map(|(label, bag)| {
            let label = labels.iter().position(|l| l == label).unwrap_or(0);
            let x = 1.0 / (bag.len().max(1) as f32).sqrt();
            (label, bag.iter().filter_map(|f| kept.get(f.as_str()).copied()).collect(), x)
        })
        .collect();
    let mut model = Model::new(kept.len(), labels.len());
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..PASSES {
        shuffle(&mut order, &mut dice);
        for &n in &order {
            let (label, features, x) = &rows[n];
            model.learn(*label, features, *x);
        }
    }
    let of = kept.iter().map(|(feature, n)| {
        let row = model.row(*n).iter().enumerate();
        let row = row.filter_map(|(l, w)| Some((u8::try_from(l).ok()?, *w))).collect();
        ((*feature).to_owned(), row)
    });
    let of = of.collect();
    Ok(Weights { digest: sayings::digest(files), labels, bias: model.bias, of })
}

struct Model {
    labels: usize,
    weights: Vec<f32>,
    /// Sums of squared gradients.
    past: Vec<f32>,
    bias: Vec<f32>,
    bias_past: Vec<f32>,
}

impl Model {
    fn new(features: usize, labels: usize) -> Self {
        let size = features * labels;
        Self {
            labels,
            weights: vec![0.0; size],
            past: vec![1e-3; size],
            bias: vec![0.0; labels],
            bias_past: vec![1.0; labels],
        }
    }

    fn row(&self, feature: usize) -> &[f32] {
        &self.weights[feature * self.labels..][..self.labels]
    }

    fn learn(&mut self, truth: usize, features: &[usize], x: f32) {
        let mut z = self.bias.clone();
        for &feature in features {
            z.iter_mut().zip(self.row(feature)).for_each(|(z, w)| *z += w * x);
        }
        softmax(&mut z);
        z[truth] -= 1.0;
        for &feature in features {
            let at = feature * self.labels;
            for (label, error) in z.iter().enumerate() {
                let w = &mut self.weights[at + label];
                let gradient = error * x + RIDGE * *w;
                let past = &mut self.past[at + label];
                *past += gradient * gradient;
                *w -= STEP * gradient / past.sqrt();
            }
        }
        for ((b, past), error) in self.bias.iter_mut().zip(&mut self.bias_past).zip(&z) {
            *past += error * error;
            *b -= 0.1 * error / past.sqrt();
        }
    }
}

/// Fisher and Yates, with xorshift64 as the dice.
fn shuffle(order: &mut [usize], dice: &mut u64) {
    for last in (1..order.len()).rev() {
        *dice ^= *dice << 13;
        *dice ^= *dice >> 7;
        *dice ^= *dice << 17;
        order.swap(last, (*dice % (last as u64 + 1)) as usize);
    }
}
