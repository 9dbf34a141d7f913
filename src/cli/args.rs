//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

/// Writes and triages regression reports by mail.
#[derive(Debug, Parser)]
#[command(name = "regard", version, about, max_term_width = 100)]
pub(super) struct Args {
    /// The configuration file.
    #[arg(long, short, global = true, default_value = "regard.toml", env = "REGARD_CONFIG")]
    pub config: PathBuf,
    /// Print data as JSON.
    #[arg(long, global = true)]
    pub json: bool,
    /// Log more (-v: every mail, -vv: every step).
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Log errors only.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs, one file each.
#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Write a commented regard.toml.
    Init(InitArgs),
    /// Play the whole loop on shipped sample mail, offline.
    Demo(DemoArgs),
    /// The daemon: watch the mailboxes, decide, write, send.
    Run,
    /// Verify config, templates and rules, and log in to every server.
    Check(CheckArgs),
    /// Send results as a notification mail.
    Submit(SubmitArgs),
    /// Tell everything that is understood of a mail, and why.
    Explain(ExplainArgs),
    /// Compare samples, or results files of any known format.
    Compare(CompareArgs),
    /// Render the report mail of notifications about one commit.
    Report(ReportArgs),
    /// List the stored series, or draw one.
    Series(SeriesArgs),
    /// Look up what is known of metrics.
    Metrics(MetricsArgs),
    /// List the tracked regressions.
    List(ListArgs),
    /// Tell the whole story of one regression.
    Show(ShowArgs),
    /// Look at and steer the mails that wait to be sent.
    Outbox(OutboxArgs),
    /// Say what mails mean that no rule was sure about.
    Review(ReviewArgs),
    /// Take an entry of a regression's log back.
    Undo(UndoArgs),
    /// List the triage rules, run their examples, or try a change of them on old mail.
    Rules(RulesArgs),
}

/// `regard init`.
#[derive(Debug, ClapArgs)]
pub(super) struct InitArgs {
    /// Where to write it.
    #[arg(default_value = "regard.toml")]
    pub path: PathBuf,
}

/// `regard demo`.
#[derive(Debug, ClapArgs)]
pub(super) struct DemoArgs {
    /// Folder for the outgoing mails and the store.
    #[arg(long, default_value = "regard-demo")]
    pub out: PathBuf,
    /// Play the .eml files of this folder instead, in the order of their names.
    #[arg(long)]
    pub mails: Option<PathBuf>,
}

/// `regard check`.
#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Do not connect to the servers.
    #[arg(long)]
    pub offline: bool,
}

/// `regard submit`.
#[derive(Debug, ClapArgs)]
pub(super) struct SubmitArgs {
    /// A notification, or results of any known format: `base-*` and `head-*` files, or folders `base` and `head`.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The bot's address.
    #[arg(long, required = true)]
    pub to: Vec<String>,
    /// Your address; the bot must know it as a lab.
    #[arg(long, env = "EMAIL")]
    pub from: String,
    /// Instead of the one made from the results.
    #[arg(long)]
    pub subject: Option<String>,
    /// The format of the files; `auto` looks at their content.
    #[arg(long)]
    pub format: Option<String>,
    /// `BASE..HEAD`, or only `HEAD` where earlier results are stored; for results that do not say it themselves.
    #[arg(long, requires_all = ["tree", "test", "machine"])]
    pub commits: Option<String>,
    /// `NAME/BRANCH` that the commits are of.
    #[arg(long, requires = "commits")]
    pub tree: Option<String>,
    /// The test's name.
    #[arg(long, requires = "commits")]
    pub test: Option<String>,
    /// The machine's name.
    #[arg(long, requires = "commits")]
    pub machine: Option<String>,
    /// `KEY=VALUE`, a parameter of the test; may be given several times.
    #[arg(long, requires = "commits")]
    pub parameter: Vec<String>,
    /// Print the mail instead of sending it by the [smtp] of the configuration.
    #[arg(long)]
    pub print: bool,
}

/// `regard explain`.
#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// Mails, mboxes, folders, archives, or the plain text of archive pages.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Earlier mail that forms the threads (file, folder, mbox, archive); may be given several times.
    #[arg(long)]
    pub with: Vec<PathBuf>,
    /// Address of a robot whose reports are read; may be given several times.
    #[arg(long)]
    pub robot: Vec<String>,
}

/// `regard compare`.
#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// Notifications, or files that hold both sides.
    pub files: Vec<PathBuf>,
    /// Base samples: `100,101,99` (`-` for a missing run), a results file, or a folder of them.
    #[arg(long, allow_hyphen_values = true)]
    pub base: Option<String>,
    /// Head samples, likewise.
    #[arg(long, allow_hyphen_values = true)]
    pub head: Option<String>,
    /// Which way is better; what is in the files, and what is known of the metric, otherwise.
    #[arg(long)]
    pub direction: Option<Better>,
    /// Name of the metric, for bare numbers.
    #[arg(long, default_value = "metric")]
    pub metric: String,
    /// Its unit, for bare numbers.
    #[arg(long)]
    pub unit: Option<String>,
    /// The format of the files; by content otherwise.
    #[arg(long)]
    pub format: Option<String>,
    /// Earlier results that teach the noise, oldest first: notifications, a table with a `commit` column, or a folder with a
    /// folder a commit; may be given several times.
    #[arg(long)]
    pub history: Vec<PathBuf>,
}

/// `regard report`.
#[derive(Debug, ClapArgs)]
pub(super) struct ReportArgs {
    /// Notifications, or files that hold both sides; all about one head commit.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Earlier results, as for `compare`.
    #[arg(long)]
    pub history: Vec<PathBuf>,
}

/// `regard series`.
#[derive(Debug, ClapArgs)]
pub(super) struct SeriesArgs {
    /// Monitors too, not only what may raise a report.
    #[arg(long, short)]
    pub all: bool,
    /// Only those whose key has all these words.
    #[arg(long)]
    pub named: Option<String>,
    /// What to do; they are listed otherwise.
    #[command(subcommand)]
    pub verb: Option<SeriesVerb>,
}

/// Verbs of series.
#[derive(Debug, Subcommand)]
pub(super) enum SeriesVerb {
    /// Draw a history with its change points.
    Show {
        /// Its number, its key, its metric, or words that only its key has.
        #[arg(required = true)]
        name: Vec<String>,
        /// Draw it into this file too: .svg or .png.
        #[arg(long)]
        plot: Option<PathBuf>,
        /// Commits at most, the newest.
        #[arg(long, default_value_t = 500)]
        limit: usize,
    },
}

/// `regard metrics`.
#[derive(Debug, ClapArgs)]
pub(super) struct MetricsArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: MetricsVerb,
}

/// Verbs of metrics.
#[derive(Debug, Subcommand)]
pub(super) enum MetricsVerb {
    /// Tell what names resolve to, and why.
    Check {
        /// Names of metrics.
        #[arg(required = true)]
        names: Vec<String>,
        /// The unit that the results state.
        #[arg(long)]
        unit: Option<String>,
    },
}

/// Which way is better.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

impl From<Better> for crate::bench::Direction {
    fn from(better: Better) -> Self {
        match better {
            Better::Higher => Self::Higher,
            Better::Lower => Self::Lower,
        }
    }
}

/// `regard list`.
#[derive(Debug, ClapArgs)]
pub(super) struct ListArgs {
    /// Closed ones too.
    #[arg(long, short)]
    pub all: bool,
    /// Only those in this state (may be given several times).
    #[arg(long)]
    pub state: Vec<crate::regression::State>,
}

/// `regard show`.
#[derive(Debug, ClapArgs)]
pub(super) struct ShowArgs {
    /// The regression's id, as `regard list` prints it.
    pub id: String,
}

/// `regard outbox`.
#[derive(Debug, ClapArgs)]
pub(super) struct OutboxArgs {
    /// What to do with the outbox.
    #[command(subcommand)]
    pub verb: OutboxVerb,
}

/// Verbs of the outbox.
#[derive(Debug, Subcommand)]
pub(super) enum OutboxVerb {
    /// List its mails.
    List,
    /// Print one mail as it will go out.
    Show {
        /// Its number.
        id: i64,
    },
    /// Let held mails go out.
    Release {
        /// Their numbers.
        #[arg(required = true)]
        ids: Vec<i64>,
    },
    /// Keep mails back.
    Hold {
        /// Their numbers.
        #[arg(required = true)]
        ids: Vec<i64>,
    },
    /// Throw mails away.
    Drop {
        /// Their numbers.
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

/// `regard rules`.
#[derive(Debug, ClapArgs)]
pub(super) struct RulesArgs {
    /// What to do with the rules.
    #[command(subcommand)]
    pub verb: RulesVerb,
}

/// Verbs of rules.
#[derive(Debug, Subcommand)]
pub(super) enum RulesVerb {
    /// List them: verdict, id, weight, and why each exists.
    List {
        /// Only those of this verdict (may be given several times).
        #[arg(long)]
        verdict: Vec<crate::triage::Label>,
    },
    /// Compile the rules and run every example and near miss that they bring along.
    Test {
        /// A folder of your rule files, or one of them; [rules] dir of the configuration otherwise.
        path: Option<PathBuf>,
    },
    /// Learn from sayings what words weigh: reads `*.txt` of a folder and writes `weights.tsv` beside them.
    Learn {
        /// The folder.
        #[arg(default_value = "rules/sayings")]
        folder: PathBuf,
    },
    /// Tell which verdicts a change of rules would have changed, over old mail.
    Backtest(BacktestArgs),
}

/// `regard rules backtest`.
#[derive(Debug, ClapArgs)]
pub(super) struct BacktestArgs {
    /// Archives: folders of mail, mboxes, Maildirs, public-inbox repositories.
    #[arg(required_unless_present = "stored")]
    pub paths: Vec<PathBuf>,
    /// The rules to try, instead of those in use: a folder, whose files replace built-in ones of the same name, or one file.
    /// Without it, those in use are compared with the built-in ones.
    #[arg(long)]
    pub rules: Option<PathBuf>,
    /// Go over the mail of the store, too; it keeps the author's new words only, no quotes.
    #[arg(long)]
    pub stored: bool,
    /// Only mail in the thread of a report: where a verdict would move something.
    #[arg(long)]
    pub threads: bool,
    /// Address of a robot whose reports are read; may be given several times.
    #[arg(long)]
    pub robot: Vec<String>,
}

/// `regard review`. On a terminal, each mail is shown and one key settles it; elsewhere they are listed.
#[derive(Debug, ClapArgs)]
pub(super) struct ReviewArgs {
    /// Who says so; stands in the log.
    #[arg(
        long = "as",
        global = true,
        env = "USER",
        hide_env_values = true,
        default_value = "operator"
    )]
    pub operator: String,
    /// What to do with the list.
    #[command(subcommand)]
    pub verb: Option<ReviewVerb>,
}

/// Verbs of review.
#[derive(Debug, Subcommand)]
pub(super) enum ReviewVerb {
    /// List the mails that wait.
    List,
    /// Print one with its new text, and what it may mean.
    Show {
        /// Its six characters, or its Message-ID.
        id: String,
    },
    /// The first guess is right: it takes effect.
    Accept {
        /// Their six characters, or Message-IDs.
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// It means something else: that takes effect instead, and becomes an example for the rules.
    Correct {
        /// Its six characters; or the Message-ID of any stored mail whose verdict is wrong.
        id: String,
        /// What it means.
        label: crate::triage::Label,
        /// The words that say so.
        #[arg(long)]
        span: Option<String>,
        /// What they point at: a commit, a subject, a Message-ID, a URL.
        #[arg(long)]
        points_at: Option<String>,
    },
    /// Print everything that was settled as examples for rule files.
    Export,
}

/// `regard undo`.
#[derive(Debug, ClapArgs)]
pub(super) struct UndoArgs {
    /// The regression's id, as `regard list` prints it.
    pub id: String,
    /// The number of the entry, as `regard show` prints it; what moved the state last otherwise.
    pub entry: Option<usize>,
    /// Why; stands in the log.
    #[arg(long)]
    pub reason: Option<String>,
    /// Who takes it back; stands in the log.
    #[arg(long = "as", env = "USER", hide_env_values = true, default_value = "operator")]
    pub operator: String,
}
