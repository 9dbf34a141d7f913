//! From what was written to what is meant.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;
use toml::Spanned;

use super::settings::{Config, Mailbox, Mode, Outbox, RelayConfig};
use super::{Diagnostic, people, raw, reach, tree};
use crate::engine::{Circle, Confirm, Policy};
use crate::mail::Address;
use crate::net::{Secret, Tls};

/// Collects problems while resolving.
pub(super) struct Resolver<'a> {
    text: &'a str,
    file: &'a Path,
    pub(super) folder: &'a Path,
    problems: Vec<Diagnostic>,
    unready: Vec<Diagnostic>,
}

/// The keys that name a secret: (key, value).
type Secrets<'a> = [(&'static str, &'a Option<Spanned<String>>); 4];

pub(super) fn resolve(
    raw: raw::Raw,
    text: &str,
    file: &Path,
    folder: &Path,
) -> Result<Config, Vec<Diagnostic>> {
    let mut r = Resolver { text, file, folder, problems: Vec::new(), unready: Vec::new() };
    let mut policy = r.policy(raw.bot.get_ref(), &raw.policy);
    people::people(&mut r, &raw, &mut policy);
    let bot = raw.bot.into_inner();
    let trees = tree::trees(&mut r, &raw.tree);
    reach::resolve(&mut r, &raw.private_tree, &raw.opt_out, &mut policy.reach);
    policy.watches_trees = !trees.is_empty();
    let mode = r.mode(bot.mode.as_ref());
    let mailboxes: Vec<Mailbox> = raw.mailbox.iter().filter_map(|m| r.mailbox(m)).collect();
    r.unique(&raw.mailbox, &mailboxes);
    let smtp = raw.smtp.as_ref().and_then(|s| r.relay(s));
    if raw.smtp.is_none() && mode != Mode::DryRun {
        let cure = "add an [smtp] section, or use mode = \"dry-run\"";
        r.problems.push(Diagnostic::file(
            file,
            "nothing can be sent without an [smtp] section",
            cure,
        ));
    }
    let archive_url = bot.archive_url.as_ref().and_then(|url| r.archive_url(url));
    let config = Config {
        file: file.to_owned(),
        mode,
        policy,
        store: folder.join(raw.store.path.as_deref().unwrap_or("regard.db")),
        mailboxes,
        trees,
        smtp,
        archive_url,
        help_url: bot.help_url,
        templates: r.dir(raw.templates.dir.as_ref()),
        rules: r.dir(raw.rules.dir.as_ref()),
        outbox: Outbox {
            retry: raw.outbox.retry_seconds.unwrap_or_else(|| vec![60, 300, 900, 1800]),
            give_up: Duration::from_secs(3600 * raw.outbox.give_up_hours.unwrap_or(72)),
            resend_after: Duration::from_secs(raw.outbox.resend_after_seconds.unwrap_or(600)),
        },
        unready: std::mem::take(&mut r.unready),
    };
    if r.problems.is_empty() { Ok(config) } else { Err(r.problems) }
}

impl Resolver<'_> {
    pub(super) fn problem(
        &mut self,
        span: Range<usize>,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) {
        self.problems.push(Diagnostic::at(self.file, self.text, span, what, cure));
    }

    /// Something that only matters once servers are talked to.
    fn missing(&mut self, span: Range<usize>, what: impl Into<String>, cure: impl Into<String>) {
        self.unready.push(Diagnostic::at(self.file, self.text, span, what, cure));
    }

    fn policy(&mut self, bot: &raw::Bot, p: &raw::Policy) -> Policy {
        let address = Address {
            name: bot.name.clone().unwrap_or_else(|| "regard".to_owned()),
            email: self.email(&bot.address),
        };
        let mut policy = Policy::new(address);
        policy.operators = self.circle(&bot.operators);
        policy.labs = self.circle(&bot.labs);
        policy.robots = self.circle(&bot.robots);
        policy.allowed = self.circle(&bot.allow_recipients);
        policy.reach.lists = bot
            .lists
            .iter()
            .map(|l| Address { name: String::new(), email: self.email(l) })
            .collect();
        if let Some(confirm) = &p.confirm {
            match confirm.get_ref().as_str() {
                "never" => policy.confirm = Confirm::Never,
                "lone" => policy.confirm = Confirm::Lone,
                "always" => policy.confirm = Confirm::Always,
                other => self.problem(
                    confirm.span(),
                    format!("confirm is \"{other}\""),
                    "write \"never\", \"lone\" or \"always\"",
                ),
            }
        }
        let days = |d: u32| SignedDuration::from_hours(24 * i64::from(d));
        policy.confirm_runs = p.confirm_runs.unwrap_or(policy.confirm_runs);
        policy.improvements = p.improvements.unwrap_or(policy.improvements);
        policy.daily_limit = p.daily_limit.unwrap_or(policy.daily_limit);
        policy.reach.maintainers = p.write_to_maintainers.unwrap_or(true);
        policy.reach.most = p.max_recipients.unwrap_or(policy.reach.most);
        policy.announce_close_after =
            p.announce_close_after_days.map_or(policy.announce_close_after, days);
        policy.close_after = p.close_after_days.map_or(policy.close_after, days);
        policy.fix_missing_after = p.fix_missing_after_days.map_or(policy.fix_missing_after, days);
        policy
    }

    pub(super) fn email(&mut self, text: &Spanned<String>) -> String {
        let email = text.get_ref().trim();
        if email.parse::<lettre::Address>().is_err() {
            self.problem(
                text.span(),
                format!("`{email}` is not a mail address"),
                "write name@host",
            );
        }
        email.to_owned()
    }

    fn circle(&mut self, patterns: &[Spanned<String>]) -> Circle {
        for pattern in patterns {
            if let Err(bad) = Circle::new([pattern.get_ref()]) {
                self.problem(
                    pattern.span(),
                    format!("`{bad}` is not a mail address"),
                    "write name@host or *@host",
                );
            }
        }
        Circle::new(patterns.iter().map(Spanned::get_ref)).unwrap_or_default()
    }

    fn mode(&mut self, mode: Option<&Spanned<String>>) -> Mode {
        match mode.map(|m| (m, m.get_ref().as_str())) {
            None | Some((_, "dry-run")) => Mode::DryRun,
            Some((_, "moderated")) => Mode::Moderated,
            Some((_, "live")) => Mode::Live,
            Some((m, other)) => {
                let cure = "write \"dry-run\", \"moderated\" or \"live\"";
                self.problem(m.span(), format!("mode is \"{other}\""), cure);
                Mode::DryRun
            }
        }
    }

    fn archive_url(&mut self, url: &Spanned<String>) -> Option<String> {
        if !(url.get_ref().starts_with("https://") || url.get_ref().starts_with("http://")) {
            let cure =
                "write it as in \"https://lists.example.org/r/\"; the Message-ID is put behind it";
            self.problem(url.span(), format!("`{}` is not a web address", url.get_ref()), cure);
        }
        Some(url.get_ref().clone())
    }

    fn dir(&mut self, dir: Option<&Spanned<String>>) -> Option<PathBuf> {
        let dir = dir?;
        let path = self.folder.join(dir.get_ref());
        if !path.is_dir() {
            self.problem(
                dir.span(),
                format!("`{}` is not a folder", path.display()),
                "make it, or take the line out",
            );
        }
        Some(path)
    }

    fn tls(&mut self, tls: Option<&Spanned<String>>, host: &Spanned<String>) -> Tls {
        let Some(tls) = tls else { return Tls::Implicit };
        match tls.get_ref().as_str() {
            "implicit" => Tls::Implicit,
            "starttls" => Tls::Starttls,
            "none" => {
                if !matches!(host.get_ref().as_str(), "localhost" | "127.0.0.1" | "::1") {
                    let what = format!(
                        "tls is \"none\" for `{}`, which is not this machine",
                        host.get_ref()
                    );
                    self.problem(tls.span(), what, "write \"implicit\" or \"starttls\"");
                }
                Tls::None
            }
            other => {
                let cure = "write \"implicit\", \"starttls\" or \"none\"";
                self.problem(tls.span(), format!("tls is \"{other}\""), cure);
                Tls::Implicit
            }
        }
    }

    fn ca_file(&mut self, ca: Option<&Spanned<String>>) -> Option<PathBuf> {
        let ca = ca?;
        let path = self.folder.join(ca.get_ref());
        if let Err(e) = std::fs::metadata(&path) {
            self.missing(
                ca.span(),
                format!("ca_file `{}`: {e}", path.display()),
                "name a PEM file",
            );
        }
        Some(path)
    }

    fn host(&mut self, host: &Spanned<String>) -> String {
        let name = host.get_ref().trim();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '/' || c == '@') {
            self.problem(
                host.span(),
                format!("`{name}` is not a host name"),
                "write the server's name only",
            );
        }
        name.to_owned()
    }

    /// Exactly one of the four keys, or none where that is allowed.
    fn secret(&mut self, section: Range<usize>, keys: Secrets<'_>, needed: bool) -> Option<Secret> {
        let given: Vec<_> = keys.iter().filter_map(|(k, v)| v.as_ref().map(|v| (*k, v))).collect();
        let names = keys.map(|(k, _)| k).join(", ");
        match given.as_slice() {
            [] if needed => {
                self.problem(section, "no secret to log in with", format!("give one of {names}"));
                None
            }
            [] => None,
            [(key, value)] => {
                let text = value.get_ref().clone();
                Some(match *key {
                    "password" => {
                        self.private(value);
                        Secret::Password(text)
                    }
                    "password_file" => {
                        let path = self.folder.join(&text);
                        if let Err(e) = std::fs::metadata(&path) {
                            let cure = "put the password into its first line";
                            self.missing(
                                value.span(),
                                format!("password_file `{}`: {e}", path.display()),
                                cure,
                            );
                        }
                        Secret::PasswordFile(path)
                    }
                    "password_command" => Secret::PasswordCommand(text),
                    _ => Secret::TokenCommand(text),
                })
            }
            [_, (second, value), ..] => {
                let what = format!("`{second}` is the second secret of this section");
                self.problem(value.span(), what, format!("keep one of {names}"));
                None
            }
        }
    }

    /// A literal password wants a file that nobody else can read.
    fn private(&mut self, value: &Spanned<String>) {
        use std::os::unix::fs::PermissionsExt;
        let readable =
            std::fs::metadata(self.file).is_ok_and(|m| m.permissions().mode() & 0o077 != 0);
        if readable {
            let cure = format!("chmod 600 {}, or use password_file", self.file.display());
            self.problem(value.span(), "a password stands in a file that others can read", cure);
        }
    }

    fn mailbox(&mut self, section: &Spanned<raw::Mailbox>) -> Option<Mailbox> {
        let m = section.get_ref();
        let keys = [
            ("password", &m.password),
            ("password_file", &m.password_file),
            ("password_command", &m.password_command),
            ("token_command", &m.token_command),
        ];
        let secret = self.secret(section.span(), keys, true);
        let host = self.host(&m.host);
        let tls = self.tls(m.tls.as_ref(), &m.host);
        let mailbox = m.mailbox.clone().unwrap_or_else(|| "INBOX".to_owned());
        Some(Mailbox {
            name: m.name.clone().unwrap_or_else(|| format!("{}@{host}/{mailbox}", m.user)),
            port: m.port.unwrap_or(if tls == Tls::Implicit { 993 } else { 143 }),
            ca_file: self.ca_file(m.ca_file.as_ref()),
            user: m.user.clone(),
            secret: secret?,
            slices: m.slices,
            since: self.date(m.since.as_ref()),
            idle: Duration::from_secs(m.idle_seconds.unwrap_or(50).clamp(2, 59)),
            tls,
            host,
            mailbox,
        })
    }

    fn date(&mut self, date: Option<&Spanned<String>>) -> Option<jiff::civil::Date> {
        let date = date?;
        let parsed = date.get_ref().parse().ok();
        if parsed.is_none() {
            let what = format!("since is `{}`, which is no date", date.get_ref());
            self.problem(date.span(), what, "write YYYY-MM-DD");
        }
        parsed
    }

    fn unique(&mut self, sections: &[Spanned<raw::Mailbox>], mailboxes: &[Mailbox]) {
        for (i, mailbox) in mailboxes.iter().enumerate() {
            if mailboxes[..i].iter().any(|m| m.name == mailbox.name) {
                let span = sections.get(i).map_or(0..0, Spanned::span);
                let what = format!("a second mailbox is called `{}`", mailbox.name);
                self.problem(span, what, "give each [[mailbox]] its own name = \"...\"");
            }
        }
    }

    fn relay(&mut self, section: &Spanned<raw::Smtp>) -> Option<RelayConfig> {
        let s = section.get_ref();
        let keys = [
            ("password", &s.password),
            ("password_file", &s.password_file),
            ("password_command", &s.password_command),
            ("token_command", &s.token_command),
        ];
        let secret = self.secret(section.span(), keys, s.user.is_some());
        let tls = self.tls(s.tls.as_ref(), &s.host);
        Some(RelayConfig {
            host: self.host(&s.host),
            port: s.port.unwrap_or(match tls {
                Tls::Implicit => 465,
                Tls::Starttls => 587,
                Tls::None | Tls::Insecure => 25,
            }),
            ca_file: self.ca_file(s.ca_file.as_ref()),
            login: s.user.clone().zip(secret),
            hello: s.hello.clone(),
            tls,
        })
    }
}
