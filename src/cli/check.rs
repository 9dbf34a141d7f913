//! `regard check`: config, templates, rules, and a login to every server. Nothing is changed anywhere.

use super::args::{Args, CheckArgs};
use super::context::Failure;
use super::{Outcome, output, trees};
use crate::config::Config;
use crate::daemon::{edges, minds};
use crate::embedded;
use crate::store::Store;
use crate::{imap, smtp};

/// What was looked at, and what was found.
pub(super) struct Finding {
    good: bool,
    what: String,
    detail: String,
}

pub(super) fn run(args: &Args, check: &CheckArgs) -> Result<Outcome, Failure> {
    let mut findings = Vec::new();
    let config = match args.config() {
        Ok(config) => config,
        Err(Failure::Diagnostics(problems)) => {
            findings.extend(problems.iter().map(|p| bad("config", p)));
            return tell(&findings);
        }
        Err(other) => return Err(other),
    };
    findings.push(good("config", format!("{}, mode {:?}", config.file.display(), config.mode)));
    findings.extend(config.unready.iter().map(|p| bad("config", p)));
    match minds(&config) {
        Ok(_) => {
            findings.push(good(
                "templates",
                format!("{} rendered with samples", embedded::TEMPLATES.len()),
            ));
            findings.push(good(
                "rules",
                format!("{} files, every example holds", embedded::RULES.len()),
            ));
        }
        Err(problems) => findings.extend(problems.iter().map(|p| bad("files", p))),
    }
    findings.push(store(&config));
    findings.extend(config.trees.iter().map(|tree| trees::look(tree, check.offline)));
    if !check.offline {
        servers(&config, &mut findings);
    }
    tell(&findings)
}

fn store(config: &Config) -> Finding {
    let path = config.store.display();
    if !config.store.exists() {
        return good("store", format!("{path} does not exist yet; `regard run` makes it"));
    }
    match Store::open_existing(&config.store) {
        Ok(_) => good("store", path.to_string()),
        Err(e) => bad("store", &e),
    }
}

fn servers(config: &Config, findings: &mut Vec<Finding>) {
    let bar = output::spinner("logging in");
    for m in &config.mailboxes {
        bar.set_message(format!("imap {}:{}", m.host, m.port));
        let what = format!("imap {}", m.name);
        findings.push(match imap::probe(&edges::account(m)) {
            Ok(p) => {
                let idle = if p.idle { "IDLE" } else { "no IDLE, will poll" };
                let advice = p.advice.map_or_else(String::new, |a| format!("; {a}"));
                good(&what, format!("{}: {} mails, {idle}{advice}", p.mailbox, p.messages))
            }
            Err(e) => bad(&what, &with_cure(&e, &e.cure())),
        });
    }
    if let Some(relay) = &config.smtp {
        bar.set_message(format!("smtp {}:{}", relay.host, relay.port));
        let what = format!("smtp {}:{}", relay.host, relay.port);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let probed = runtime.map(|r| r.block_on(smtp::probe(&edges::relay(relay))));
        findings.push(match probed {
            Ok(Ok(p)) => {
                let login = if p.logged_in { "logged in" } else { "no login" };
                let tls = if p.encrypted { "encrypted" } else { "in the clear" };
                good(&what, format!("{}, {tls}, {login}", p.server))
            }
            Ok(Err(e)) => bad(&what, &with_cure(&e, e.cure())),
            Err(e) => bad(&what, &e),
        });
    }
    bar.finish_and_clear();
}

fn with_cure(error: &impl std::fmt::Display, cure: &str) -> String {
    if cure.is_empty() { error.to_string() } else { format!("{error}; {cure}") }
}

pub(super) fn good(what: &str, detail: String) -> Finding {
    Finding { good: true, what: what.to_owned(), detail }
}

pub(super) fn bad(what: &str, detail: &impl ToString) -> Finding {
    Finding { good: false, what: what.to_owned(), detail: detail.to_string() }
}

fn tell(findings: &[Finding]) -> Result<Outcome, Failure> {
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|f| {
            vec![if f.good { "ok" } else { "WRONG" }.to_owned(), f.what.clone(), f.detail.clone()]
        })
        .collect();
    output::print(&output::columns(&rows))?;
    Ok(if findings.iter().all(|f| f.good) { Outcome::Fine } else { Outcome::Findings })
}
