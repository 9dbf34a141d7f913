//! The stored history around a notification: kept, learnt from, and searched for steps that hold.

use super::desk::Clerk;
use crate::bench::Notification;
use crate::engine::Effect;
use crate::regression::Regression;
use crate::report::Finding;
use crate::stats::{self, Class, Overall, Past, Prior, Range, Steps};
use crate::store::{Reach, StoreError, Suite, Tested, Tx};

/// Commits that teach noise of their own; with fewer another branch is asked.
const OWN: usize = 5;
/// Commits of a report's line.
const LINE: usize = 60;

/// What is stored about one test on one machine, up to the head of a notification.
#[derive(Debug, Default)]
pub(super) struct History {
    suite: Option<Suite>,
    past: Past,
    prior: Prior,
    /// p of the kpis that other tests found on the same head.
    others: Vec<f64>,
}

impl History {
    /// Reads it.
    pub(super) fn of(clerk: &Clerk<'_>, tx: &Tx<'_>, n: &Notification) -> Result<Self, StoreError> {
        let Some(suite) = tx.suite_of(n)? else { return Ok(Self::default()) };
        let past = tx.past(&suite, Some(&n.head.commit), Reach::default())?;
        let knowledge = &clerk.mind.knowledge;
        let before = past.before(n);
        let prior = if (0..past.commits().len()).filter(|at| before(*at)).count() >= OWN {
            past.prior(n, knowledge)
        } else {
            match other_branch(tx, &suite)? {
                Some(other) => tx.past(&other, None, Reach::default())?.prior(n, knowledge),
                None => past.prior(n, knowledge),
            }
        };
        let own = |t: &Tested| t.suite == suite.id && n.metrics.iter().any(|m| m.name == t.metric);
        let tested = tx.tested(&suite.tree, &n.head.commit)?;
        let others = tested.iter().filter(|t| !own(t)).map(|t| t.p).collect();
        Ok(Self { suite: Some(suite), past, prior, others })
    }

    /// Remembers the kpis of a head that was decided, so that other tests of it are judged in one family with them.
    pub(super) fn remember(
        &self,
        clerk: &Clerk<'_>,
        tx: &mut Tx<'_>,
        finding: &Finding,
    ) -> Result<(), StoreError> {
        let Some(suite) = &self.suite else { return Ok(()) };
        let kpis = finding.changes.iter().filter(|c| c.class == Class::Kpi);
        let found = kpis.filter_map(|c| Some((c.metric.as_str(), c.p?)));
        tx.put_tested(suite, &finding.notification.head.commit, found, clerk.now)
    }

    /// Steps 0 to 9 of the procedure on one notification, and the line of its lead.
    pub(super) fn decide(
        &self,
        clerk: &Clerk<'_>,
        tx: &Tx<'_>,
        n: Notification,
    ) -> Result<(Finding, Overall), StoreError> {
        let (knowledge, settings) = (&clerk.mind.knowledge, &clerk.mind.settings);
        let (mut finding, overall) = if n.is_head_only() {
            let (finding, mut overall) =
                stats::head_alone(&n, &self.past, &self.others, knowledge, settings);
            if overall.kind == stats::OverallKind::Insufficient
                && let Some(words) = self.elsewhere(tx)?
            {
                overall.reason += &format!("; {words}");
            }
            (finding, overall)
        } else {
            let mut changes = stats::decide(&n, knowledge, &self.prior, settings);
            stats::family_among(changes.iter_mut(), &self.others, settings);
            let overall = stats::overall(&changes, &stats::failures(&n, settings));
            (Finding::new(n, changes), overall)
        };
        let until = finding.notification.head.commit.clone();
        self.draw(&mut finding, Some(&until));
        Ok((finding, overall))
    }

    fn draw(&self, finding: &mut Finding, until: Option<&str>) {
        if let Some(lead) = finding.headline() {
            finding.history = self.past.line(&lead.metric, until, LINE);
        }
    }

    /// A step of these series that holds and that nobody was told of, as a comparison of the commits around it.
    pub(super) fn step(
        &self,
        clerk: &Clerk<'_>,
        tx: &Tx<'_>,
        n: &Notification,
    ) -> Result<Option<HeldStep>, StoreError> {
        let Some(suite) = &self.suite else { return Ok(None) };
        let (knowledge, settings) = (&clerk.mind.knowledge, &clerk.mind.settings);
        let past = tx.past(suite, None, Reach::default())?;
        let newest = Self { past, ..Self::default() };
        let mut told = None;
        for range in stats::held(&newest.past, knowledge) {
            if told.is_none() {
                told = Some(Told::of(tx, suite, &newest.past)?);
            }
            if told.as_ref().is_some_and(|told| told.of_range(&range)) {
                continue;
            }
            let Some((mut finding, overall)) =
                stats::hold(&range, &newest.past, n, knowledge, settings)
            else {
                continue;
            };
            newest.draw(&mut finding, None);
            let metrics = range.alerts.into_iter().map(|alert| alert.series).collect();
            return Ok(Some(HeldStep { suite: suite.clone(), metrics, finding, overall }));
        }
        Ok(None)
    }

    /// Where the commits are that somebody misses here: facts that changed begin a new series.
    fn elsewhere(&self, tx: &Tx<'_>) -> Result<Option<String>, StoreError> {
        let Some(suite) = &self.suite else { return Ok(None) };
        let here = self.past.commits().len();
        let sisters = tx.sisters(suite)?;
        let words = sisters.iter().filter(|(s, n)| s.branch == suite.branch && *n > here);
        Ok(words.map(|(s, n)| format!("{n} commits were measured with {}", other(suite, s))).next())
    }
}

/// The branch of the same tree with the most commits of the same test on the same thing.
fn other_branch(tx: &Tx<'_>, suite: &Suite) -> Result<Option<Suite>, StoreError> {
    let same = |s: &Suite| s.version == suite.version && s.environment == suite.environment;
    let found = tx.sisters(suite)?.into_iter().find(|(s, n)| same(s) && *n > OWN);
    Ok(found.map(|(s, _)| s))
}

/// What differs first: `compiler gcc-12 instead of gcc-13`.
fn other(here: &Suite, there: &Suite) -> String {
    let none = "none".to_owned();
    if here.version != there.version {
        let [here, there] = [here, there].map(|s| s.version.as_ref().unwrap_or(&none));
        return format!("version {there} instead of {here}");
    }
    if let Some((key, here, there)) = here.environment.first_difference(&there.environment) {
        return format!("{key} {there} instead of {here}");
    }
    let missing = |a: &Suite, b: &Suite| {
        let known: Vec<String> = b.environment.facts().map(|(key, _)| key.to_owned()).collect();
        a.environment.facts().map(|(key, _)| key.to_owned()).find(|key| !known.contains(key))
    };
    match (missing(here, there), missing(there, here)) {
        (Some(key), _) => format!("no word about {key}"),
        (None, Some(key)) => format!("a word about {key}, which is missing here"),
        (None, None) => "other facts".to_owned(),
    }
}

/// A step that holds.
#[derive(Debug)]
pub(super) struct HeldStep {
    suite: Suite,
    metrics: Vec<String>,
    pub(super) finding: Finding,
    pub(super) overall: Overall,
}

impl HeldStep {
    /// Remembers that it was acted on, when it was.
    pub(super) fn remember(
        &self,
        clerk: &Clerk<'_>,
        tx: &mut Tx<'_>,
        effects: &[Effect],
        message: &str,
    ) -> Result<(), StoreError> {
        if effects.iter().all(|effect| matches!(effect, Effect::Nothing(_))) {
            return Ok(());
        }
        let commit = &self.finding.notification.head.commit;
        tx.put_step(&self.suite, commit, &self.metrics, message, clerk.now)
    }
}

/// Ranges of commits that are told of, by place.
struct Told(Vec<(usize, usize)>);

impl Told {
    fn of(tx: &Tx<'_>, suite: &Suite, past: &Past) -> Result<Self, StoreError> {
        let place = |commit: &str| past.place(commit);
        let steps = tx.steps(suite)?;
        let mut told: Vec<(usize, usize)> = steps
            .iter()
            .filter_map(|commit| place(commit).map(|to| (to.saturating_sub(1), to)))
            .collect();
        for r in tx.regressions_of_suite(&prefix(suite))? {
            told.extend(range_of(&r, suite, past));
        }
        Ok(Self(told))
    }

    /// Two steps nearer to each other than a step is long are one.
    fn of_range(&self, range: &Range) -> bool {
        let side = Steps::default().side;
        self.0.iter().any(|(from, to)| range.from < to + side && *from < range.to + side - 1)
    }
}

fn range_of(r: &Regression, suite: &Suite, past: &Past) -> Option<(usize, usize)> {
    if !r.about.ours || r.about.tree.as_deref() != Some(suite.tree.as_str()) {
        return None;
    }
    let to = past.place(r.about.commit.as_deref()?)?;
    let from = r.about.base.as_deref().and_then(|base| past.place(base));
    Some((from.filter(|from| *from < to).unwrap_or(to.saturating_sub(1)), to))
}

/// How [`crate::regression::Opening::series`] begins.
fn prefix(suite: &Suite) -> String {
    let parameters: Vec<String> =
        suite.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect();
    format!("{} {} {} ", suite.test, suite.environment.machine, parameters.join("/"))
}
