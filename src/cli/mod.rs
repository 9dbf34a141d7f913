//! The command line: one file per verb. stdout is data, stderr is logs; exit 0 fine, 1 findings, 2 error.

mod args;
mod backtest;
mod check;
mod compare;
mod context;
mod demo;
mod earlier;
mod explain;
mod export;
mod files;
mod init;
mod judge;
mod keys;
mod lineage;
mod list;
mod metrics;
mod outbox;
mod output;
mod remembered;
mod report;
mod review;
mod rules;
mod run;
mod series;
mod show;
mod submit;
mod tell;
mod trees;
mod undo;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Verb};
pub use context::Failure;

/// How a verb ended when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Exit 0.
    Fine,
    /// Exit 1: something was found that a person should look at.
    Findings,
}

/// Parses the arguments and runs the verb.
pub fn main() -> ExitCode {
    let args = Args::parse();
    output::log(args.verbose, args.quiet);
    let outcome = match &args.verb {
        Verb::Init(verb) => init::run(verb),
        Verb::Run => run::run(&args),
        Verb::Check(verb) => check::run(&args, verb),
        Verb::Submit(verb) => submit::run(&args, verb),
        Verb::Compare(verb) => compare::run(&args, verb),
        Verb::Explain(verb) => explain::run(&args, verb),
        Verb::Demo(verb) => demo::run(verb),
        Verb::Report(verb) => report::run(&args, verb),
        Verb::Series(verb) => series::run(&args, verb),
        Verb::Metrics(verb) => metrics::run(&args, verb),
        Verb::List(verb) => list::run(&args, verb),
        Verb::Show(verb) => show::run(&args, verb),
        Verb::Outbox(verb) => outbox::run(&args, verb),
        Verb::Review(verb) => review::run(&args, verb),
        Verb::Undo(verb) => undo::run(&args, verb),
        Verb::Rules(verb) => rules::run(&args, verb),
    };
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            output::complain(&failure);
            ExitCode::from(2)
        }
    }
}
