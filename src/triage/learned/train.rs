//! Learning weights from sayings: multinomial logistic regression, by AdaGrad (Duchi, Hazan, Singer 2011).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use super::super::Label;
use super::super::check::reader_of;
use super::super::decide::decide;
use super::super::rules::{Example, Rules};
use super::super::source::RuleError;
use super::sayings::Saying;
use super::weights::softmax;
use super::{Bag, features, sayings};

/// Passes over all sayings.
const PASSES: usize = 20;
/// The last passes, of which the mean is taken: where one pass ends hangs on the order of the sayings.
const SETTLED: usize = 12;
/// Step of AdaGrad.
const STEP: f32 = 0.5;
/// Weight of the squared weights against the losses of all sayings: what one saying alone shows is hardly believed.
const RIDGE: f32 = 0.1;
/// A feature that fewer sayings have teaches nothing.
const SEEN: u32 = 4;
/// How often an example of a rule counts.
const PLAINLY: usize = 3;
/// Hundredths that are too small to be worth writing.
const LEAST: f32 = 25.0;

/// Learns from files of sayings, (name, text), and the examples of the rules, and gives the text of [`super::Weights`]. The
/// same files give the same text, byte for byte.
///
/// # Errors
///
/// Lines that cannot be read, each with its place and a cure.
pub fn train(rules: &Rules, files: &[(String, String)]) -> Result<String, Vec<RuleError>> {
    let sayings = sayings::read(files)?;
    let bag_of = |saying: &Saying| {
        reader_of(rules, &saying.mail, |reader| {
            let hits = reader.hits();
            features::of(reader, &hits, &decide(reader, &hits))
        })
    };
    let examples = of_rules(rules);
    let told = sayings.iter().chain(examples.iter().flat_map(|e| [e; PLAINLY]));
    let bags: Vec<(Label, Bag)> = told.map(|s| (s.label, bag_of(s))).collect();
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let features = bags.iter().flat_map(|(_, bag)| bag.values());
    features.for_each(|(feature, _)| *seen.entry(feature).or_default() += 1);
    let kept: BTreeMap<&str, u32> = seen.into_iter().filter(|(_, n)| *n >= SEEN).collect();
    let numbers: HashMap<&str, usize> = kept.keys().enumerate().map(|(n, f)| (*f, n)).collect();
    let labels: Vec<Label> =
        bags.iter().map(|(l, _)| *l).collect::<BTreeSet<_>>().into_iter().collect();
    let rows: Vec<(usize, Vec<(usize, f32)>)> = bags
        .iter()
        .map(|(label, bag)| {
            let label = labels.iter().position(|l| l == label).unwrap_or(0);
            let known = bag.values().filter_map(|(f, x)| Some((*numbers.get(f)?, x)));
            (label, known.collect())
        })
        .collect();
    let mut model = Model::new(kept.values().copied().collect(), labels.len());
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let mut mean = vec![0.0; model.weights.len()];
    for pass in 0..PASSES {
        shuffle(&mut order, &mut dice);
        order.iter().for_each(|&n| model.learn(rows[n].0, &rows[n].1));
        if pass >= PASSES - SETTLED {
            mean.iter_mut().zip(&model.weights).for_each(|(m, w)| *m += w / SETTLED as f32);
        }
    }
    model.weights = mean;
    Ok(written(&sayings::digest(files), &labels, &model, kept.keys().copied()))
}

/// The examples of the rules are sayings, too: the plainest there are, so each counts [`PLAINLY`] times.
fn of_rules(rules: &Rules) -> Vec<Saying> {
    let own = rules.iter().flat_map(|rule| rule.matches.iter().map(|mail| (rule.label, mail)));
    let all = own.chain(rules.examples.iter().map(|(label, _, mail)| (*label, mail)));
    // A rule may fire where another one decides.
    let decides = |label: Label, mail: &Example| {
        let reading = reader_of(rules, mail, |reader| decide(reader, &reader.hits()));
        reading.primary().is_some_and(|f| f.label == label)
    };
    all.filter(|(label, mail)| decides(*label, mail))
        .map(|(label, mail)| Saying { label, mail: mail.clone() })
        .collect()
}

fn written<'a>(
    digest: &str,
    labels: &[Label],
    model: &Model,
    features: impl Iterator<Item = &'a str>,
) -> String {
    let hundredths = |w: f32| (w * 100.0).round();
    let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
    let bias: Vec<String> = model.bias.iter().map(|b| hundredths(*b).to_string()).collect();
    let mut out =
        format!("digest\t{digest}\nlabels\t{}\nbias\t{}\n", labels.join(" "), bias.join(" "));
    for (number, feature) in features.enumerate() {
        let weights = (b'a'..).zip(model.row(number)).map(|(l, w)| (l, hundredths(*w)));
        let told: Vec<String> = weights
            .filter(|(_, w)| w.abs() >= LEAST)
            .map(|(l, w)| format!("{}{w}", char::from(l)))
            .collect();
        if !told.is_empty() {
            let _ = writeln!(out, "{feature}\t{}", told.join(" "));
        }
    }
    out
}

struct Model {
    labels: usize,
    weights: Vec<f32>,
    /// Sums of squared gradients.
    past: Vec<f32>,
    bias: Vec<f32>,
    bias_past: Vec<f32>,
    /// How many sayings have each feature: its ridge is shared out among them.
    seen: Vec<u32>,
}

impl Model {
    fn new(seen: Vec<u32>, labels: usize) -> Self {
        let size = seen.len() * labels;
        Self {
            labels,
            weights: vec![0.0; size],
            past: vec![1e-3; size],
            bias: vec![0.0; labels],
            bias_past: vec![1.0; labels],
            seen,
        }
    }

    fn row(&self, feature: usize) -> &[f32] {
        &self.weights[feature * self.labels..][..self.labels]
    }

    fn learn(&mut self, truth: usize, features: &[(usize, f32)]) {
        let mut z = self.bias.clone();
        for &(feature, x) in features {
            z.iter_mut().zip(self.row(feature)).for_each(|(z, w)| *z += w * x);
        }
        softmax(&mut z);
        z[truth] -= 1.0;
        for &(feature, x) in features {
            let ridge = RIDGE / self.seen[feature] as f32;
            let row = feature * self.labels..(feature + 1) * self.labels;
            let row = self.weights[row.clone()].iter_mut().zip(&mut self.past[row]);
            for ((w, past), error) in row.zip(&z) {
                let gradient = error * x + ridge * *w;
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
