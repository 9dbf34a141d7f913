//! A commit of a watched tree: it fixes, undoes a fix, undoes the culprit, or says nothing about what is tracked.

use jiff::Timestamp;

use super::event::MailRef;
use super::results::request_for;
use super::{Confirm, Effect, Policy, Snapshot, WatchedTree};
use crate::mail::linked_ids;
use crate::regression::{
    Cause, Claim, Entry, Gone, Happening, Landing, Order, Regression, Role, State, Step,
    TreeCommit, same_commit, subject_key,
};
use crate::report::ReportKind;
use crate::triage::Label;

/// What a new commit does to the snapshot's regression.
pub(super) fn decide(
    tree: &WatchedTree,
    commit: &TreeCommit,
    snapshot: &Snapshot,
    policy: &Policy,
    now: Timestamp,
) -> Vec<Effect> {
    let Some(regression) = &snapshot.regression else {
        return vec![Effect::Nothing("unrelated-commit".to_owned())];
    };
    let clerk = Clerk { tree, commit, regression, now, order: order(tree, regression) };
    if clerk.is_known() {
        return vec![Effect::Nothing("known-commit".to_owned())];
    }
    if let Some(effects) = clerk.undo() {
        return effects;
    }
    match clerk.link(&snapshot.pointers) {
        Ok(link) => {
            let mut effects = clerk.found(&link, None);
            effects.extend(clerk.test_it(snapshot, policy));
            if let Some(canonical) = &snapshot.canonical {
                let id = regression.id();
                let other = Clerk { regression: canonical, order: order(tree, canonical), ..clerk };
                if !other.is_known() {
                    effects.extend(other.found(&format!("{link} (its duplicate {id})"), None));
                }
            }
            effects
        }
        Err(why) => vec![Effect::Nothing(why.to_owned())],
    }
}

/// A fix that the rewritten branch does not have any more; `successor` came in its place.
pub(super) fn rewritten(
    tree: &WatchedTree,
    lost: &str,
    successor: Option<&TreeCommit>,
    snapshot: &Snapshot,
    now: Timestamp,
) -> Vec<Effect> {
    let nothing = |why: &str| vec![Effect::Nothing(why.to_owned())];
    let Some(regression) = &snapshot.regression else { return nothing("unrelated-commit") };
    let Some(landing) = regression
        .landings
        .iter()
        .find(|l| l.is_live() && l.tree == tree.label && l.commit == lost)
    else {
        return nothing("not-relied-on");
    };
    if let Some(commit) = successor {
        let clerk = Clerk { tree, commit, regression, now, order: landing.order };
        return clerk.found("the branch was rewritten", Some(lost));
    }
    let key = subject_key(&landing.subject);
    let other = |l: &&Landing| l.is_live() && !std::ptr::eq(*l, landing);
    if regression.landings.iter().filter(other).any(|l| subject_key(&l.subject) == key) {
        return nothing("another-tree-has-it");
    }
    let cause = Cause::Commit {
        tree: tree.label.clone(),
        commit: lost.to_owned(),
        subject: landing.subject.clone(),
        link: "the branch was rewritten without it".to_owned(),
    };
    let append = |what| {
        let entry = Entry { at: now, cause: cause.clone(), what };
        Effect::Append(regression.id().clone(), Box::new(entry))
    };
    let commits = vec![lost.to_owned()];
    let mut effects = vec![append(Happening::Lost {
        commits,
        tree: Some(tree.label.clone()),
        gone: Gone::Rewritten,
    })];
    let rests = regression.landings.iter().filter(other).any(|l| l.order != Order::Stable);
    let from = regression.state;
    // Nobody said that the fix is bad: it exists, and waits to be taken.
    if matches!(from, State::FixQueued | State::Fixed) && !rests {
        effects.push(append(Happening::Moved { from, to: State::FixProposed }));
    }
    effects
}

/// What the tree means for this regression: where it was seen on a stable tree, a fix there counts.
fn order(tree: &WatchedTree, regression: &Regression) -> Order {
    let own = regression.about.tree.as_deref() == Some(tree.name.as_str());
    if tree.order == Order::Stable && own { Order::Mainline } else { tree.order }
}

#[derive(Clone, Copy)]
struct Clerk<'a> {
    tree: &'a WatchedTree,
    commit: &'a TreeCommit,
    regression: &'a Regression,
    now: Timestamp,
    order: Order,
}

impl Clerk<'_> {
    fn append(&self, link: &str, what: Happening) -> Effect {
        let cause = Cause::Commit {
            tree: self.tree.label.clone(),
            commit: self.commit.id.clone(),
            subject: self.commit.subject.clone(),
            link: link.to_owned(),
        };
        let entry = Entry { at: self.now, cause, what };
        Effect::Append(self.regression.id().clone(), Box::new(entry))
    }

    fn moved(&self, link: &str, to: State) -> Effect {
        self.append(link, Happening::Moved { from: self.regression.state, to })
    }

    /// Seen before, or told by a tree that counts for more.
    fn is_known(&self) -> bool {
        let id = &self.commit.id;
        let landed = self.regression.landings.iter().any(|l| {
            let here = l.tree == self.tree.label && l.gone != Some(Gone::Rewritten);
            let above = l.is_live() && l.order == Order::Mainline && self.order != Order::Mainline;
            let undid = matches!(&l.gone, Some(Gone::Reverted { by }) if by == id);
            l.commit == *id && (here || above) || undid
        });
        landed
            || self
                .regression
                .taken_out
                .iter()
                .any(|t| t.by == *id || t.undone_by.as_ref() == Some(id))
    }

    /// What comes of a commit that takes something out: the fix, the culprit, or a revert of one of them.
    fn undo(&self) -> Option<Vec<Effect>> {
        let regression = self.regression;
        for id in &self.commit.reverts {
            let link = format!("reverts commit {}", short(id));
            if regression.landings.iter().any(|l| same_commit(&l.commit, id))
                || self.named_commit().is_some_and(|c| same_commit(c, id))
            {
                return Some(self.fix_reverted(&link, |l| same_commit(&l.commit, id)));
            }
            if regression.about.commit.as_deref().is_some_and(|c| same_commit(c, id)) {
                return Some(self.culprit_reverted(&link));
            }
            let undone =
                |l: &Landing| matches!(&l.gone, Some(Gone::Reverted { by }) if same_commit(by, id));
            if regression.landings.iter().any(undone) {
                return Some(self.found(&link, None));
            }
            if let Some(out) = regression
                .taken_out
                .iter()
                .find(|t| t.undone_by.is_none() && same_commit(&t.by, id))
            {
                return Some(self.culprit_reapplied(&link, &out.by));
            }
        }
        self.undo_by_subject()
    }

    /// The same where the message names no commit that is known: trees rename commits, subjects stay.
    fn undo_by_subject(&self) -> Option<Vec<Effect>> {
        let regression = self.regression;
        let culprit = regression.about.commit_subject.as_deref().map(subject_key);
        let named = regression.fix.as_ref().and_then(|(f, _)| f.subject.as_deref());
        let is_fix = |key: &str| {
            let landed = regression.landings.iter().map(|l| l.subject.as_str());
            landed.chain(named).any(|s| subject_key(s) == key)
        };
        if let Some(undone) = self.commit.undoes() {
            let key = subject_key(undone);
            let link = format!("reverts \"{undone}\"");
            if is_fix(&key) {
                return Some(self.fix_reverted(&link, |l| subject_key(&l.subject) == key));
            }
            return (culprit? == key).then(|| self.culprit_reverted(&link));
        }
        let back = self.commit.reapplies()?;
        let key = subject_key(back);
        let link = format!("reapplies \"{back}\"");
        if is_fix(&key) {
            return Some(self.found(&link, None));
        }
        let out = regression.taken_out.iter().find(|t| t.undone_by.is_none())?;
        (culprit? == key).then(|| self.culprit_reapplied(&link, &out.by))
    }

    fn named_commit(&self) -> Option<&str> {
        self.regression.fix.as_ref().and_then(|(fix, _)| fix.commit.as_deref())
    }

    /// The fix is taken out: in mainline for everybody, elsewhere only there.
    fn fix_reverted(&self, link: &str, meant: impl Fn(&Landing) -> bool) -> Vec<Effect> {
        let landings = &self.regression.landings;
        let keys: Vec<String> =
            landings.iter().filter(|l| meant(l)).map(|l| subject_key(&l.subject)).collect();
        let same =
            |l: &&Landing| l.is_live() && (meant(l) || keys.contains(&subject_key(&l.subject)));
        let everywhere = self.order == Order::Mainline;
        let hit = |l: &&Landing| same(l) && (everywhere || l.tree == self.tree.label);
        let mut commits: Vec<String> =
            landings.iter().filter(hit).map(|l| l.commit.clone()).collect();
        commits.dedup();
        let stays = landings.iter().any(|l| l.is_live() && !hit(&l) && l.order != Order::Stable);
        let mut effects = Vec::new();
        if !commits.is_empty() {
            let gone = Gone::Reverted { by: self.commit.id.clone() };
            let tree = (!everywhere).then(|| self.tree.label.clone());
            effects.push(self.append(link, Happening::Lost { commits, tree, gone }));
        } else if !everywhere {
            let text = format!("the fix is reverted in {}, not in mainline yet", self.tree.label);
            return vec![self.append(link, Happening::Noted { text })];
        }
        if matches!(self.regression.state, State::FixQueued | State::Fixed) && !stays {
            effects.push(self.moved(link, State::Open));
        }
        if effects.is_empty() {
            let text = format!("the named fix is reverted in {}", self.tree.label);
            effects.push(self.append(link, Happening::Noted { text }));
        }
        effects
    }

    /// The culprit is taken out. On its way to mainline that is a fix like any other.
    fn culprit_reverted(&self, link: &str) -> Vec<Effect> {
        let tree = self.tree.label.clone();
        match self.order {
            Order::Incoming => self.found(link, None),
            Order::Stable => {
                let text = format!("the culprit is reverted in {tree}");
                vec![self.append(link, Happening::Noted { text })]
            }
            Order::Mainline => {
                let by = self.commit.id.clone();
                let mut effects = vec![self.append(link, Happening::CulpritReverted { tree, by })];
                let over = self.regression.is_closed() || self.regression.state == State::Dropped;
                if !over {
                    effects.push(self.moved(link, State::Dropped));
                }
                effects
            }
        }
    }

    fn culprit_reapplied(&self, link: &str, revert: &str) -> Vec<Effect> {
        let mut effects = vec![self.append(
            link,
            Happening::CulpritReapplied {
                tree: self.tree.label.clone(),
                revert: revert.to_owned(),
                by: self.commit.id.clone(),
            },
        )];
        let out = &self.regression.taken_out;
        let elsewhere = out.iter().any(|t| t.by != revert && t.undone_by.is_none());
        if self.regression.state == State::Dropped && !elsewhere {
            effects.push(self.moved(link, State::Open));
        }
        effects
    }

    /// What ties the commit to the regression, strongest first; or why nothing does.
    fn link(&self, pointers: &[(String, Regression)]) -> Result<String, &'static str> {
        let (commit, regression) = (self.commit, self.regression);
        let culprit = regression.about.commit.as_deref();
        if culprit.is_some_and(|c| same_commit(c, &commit.id)) {
            return Err("the-culprit-itself");
        }
        let mine = |names: &[&str]| {
            let own = pointers.iter().filter(|(_, to)| to.id() == regression.id());
            own.map(|(line, _)| line)
                .find(|line| {
                    let name = line.split(':').next().unwrap_or_default();
                    names.iter().any(|n| name.eq_ignore_ascii_case(n))
                        || names.contains(&"Reported-by") && name.starts_with("Reported")
                })
                .cloned()
        };
        if let Some(line) = mine(&["Closes", "Resolves"]).or_else(|| mine(&["Reported-by"])) {
            return Ok(line);
        }
        if let Some(link) = self.announced() {
            return Ok(link);
        }
        if self.is_titled_as_culprit() {
            return Err("the-culprit-again");
        }
        mine(&["Link", "Message-ID", "Fixes"])
            .or_else(|| self.mends_culprit())
            .ok_or("unrelated-commit")
    }

    /// The fix that was announced, or that another tree has, by id, by subject, or by its posting.
    fn announced(&self) -> Option<String> {
        let (commit, regression) = (self.commit, self.regression);
        let fix = regression.fix.as_ref().map(|(fix, _)| fix);
        let ids = || {
            let landed = regression.landings.iter().map(|l| l.commit.as_str());
            landed.chain(fix.and_then(|f| f.commit.as_deref()))
        };
        if let Some(id) = ids().find(|id| same_commit(id, &commit.id)) {
            return Some(format!("named as the fix: commit {}", short(id)));
        }
        if let Some(copy) = &commit.copy_of
            && ids().any(|id| same_commit(id, copy))
        {
            return Some(format!("copy of commit {}", short(copy)));
        }
        let key = subject_key(&commit.subject);
        let landed = regression.landings.iter().map(|l| l.subject.as_str());
        let subjects = landed.chain(fix.and_then(|f| f.subject.as_deref()));
        // A single word names nothing, and neither does a new version that is called as the culprit is.
        if key.contains(' ')
            && !self.is_titled_as_culprit()
            && subjects.into_iter().any(|s| subject_key(s) == key)
        {
            return Some(format!("named as the fix: \"{}\"", commit.subject));
        }
        let patch = fix.and_then(|f| f.patch.as_deref())?;
        let posting = commit
            .links
            .iter()
            .find(|l| linked_ids(&l.value).iter().any(|id| id.as_str() == patch))?;
        Some(format!("{}: {}", posting.name, posting.value))
    }

    fn is_titled_as_culprit(&self) -> bool {
        let culprit = self.regression.about.commit_subject.as_deref().map(subject_key);
        culprit == Some(subject_key(&self.commit.subject))
    }

    fn mends_culprit(&self) -> Option<String> {
        let about = &self.regression.about;
        // Mending the commit that made things better is no news for it.
        if matches!(about.kind, ReportKind::Improvement | ReportKind::NoChange) {
            return None;
        }
        let culprit = about.commit.as_deref()?;
        let key = about.commit_subject.as_deref().map(subject_key);
        let fits = |said: &Option<String>| match (said.as_deref().map(subject_key), &key) {
            (Some(said), Some(key)) => said == *key,
            _ => true,
        };
        let mended = self.commit.fixes.iter().find(|m| {
            let digits = m.commit.len().min(culprit.len());
            // Short ids meet by chance in a large tree; the subject beside them tells.
            same_commit(&m.commit, culprit) && (digits >= 12 || fits(&m.subject))
        })?;
        Some(mended.line.clone())
    }

    /// Only numbers show that it helps: the lab that found the regression is asked for them, once mainline has the fix.
    fn test_it(&self, snapshot: &Snapshot, policy: &Policy) -> Option<Effect> {
        let (commit, regression) = (self.commit, self.regression);
        let in_mainline = |l: &Landing| l.is_live() && l.order == Order::Mainline;
        if self.order != Order::Mainline
            || policy.confirm == Confirm::Never
            || regression.is_closed()
            || self.is_wanting()
            || regression.landings.iter().any(in_mainline)
        {
            return None;
        }
        let fix = format!("{} (\"{}\") in {}", commit.id, commit.subject, self.tree.label);
        let event = MailRef { key: short(&commit.id).to_owned(), ..MailRef::default() };
        let draft = request_for(snapshot, &event, "test-fix", Some(fix), policy)?;
        Some(Effect::Send(Box::new(draft)))
    }

    /// Whether somebody tested this very commit, and it does not help.
    fn is_wanting(&self) -> bool {
        let id = &self.commit.id;
        let refuted = |l: &Landing| l.gone == Some(Gone::Refuted) && l.commit == *id;
        self.regression.refuted.iter().any(|other| same_commit(other, id))
            || self.regression.landings.iter().any(refuted)
    }

    /// The tree has a fix.
    fn found(&self, link: &str, instead_of: Option<&str>) -> Vec<Effect> {
        let (commit, regression) = (self.commit, self.regression);
        if self.is_wanting() {
            let why = "tested-and-found-wanting".to_owned();
            return vec![self.append(link, Happening::Kept { label: Label::FixApplied, why })];
        }
        let author = commit.author.canonical();
        let mut effects = vec![self.append(
            link,
            Happening::Found {
                tree: self.tree.label.clone(),
                order: self.order,
                commit: commit.id.clone(),
                subject: commit.subject.clone(),
                author: author.contains('@').then(|| author.clone()),
                instead_of: instead_of.map(str::to_owned),
            },
        )];
        let claim = Claim {
            label: Label::FixApplied,
            to: State::FixQueued,
            role: Role::Other,
            speaker: Some(&author),
            names_it: true,
        };
        if self.order != Order::Stable
            && regression.laid_to_rest.is_none()
            && let Step::Move(to) = claim.judge(regression)
        {
            effects.push(self.moved(link, to));
        }
        effects
    }
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
