//! The file as it is written. Unknown keys are refused, with their place.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

type Text = Spanned<String>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub bot: Spanned<Bot>,
    #[serde(default)]
    pub store: Store,
    #[serde(default)]
    pub mailbox: Vec<Spanned<Mailbox>>,
    pub smtp: Option<Spanned<Smtp>>,
    #[serde(default)]
    pub tree: Vec<Spanned<Tree>>,
    #[serde(default)]
    pub commands: BTreeMap<Text, Text>,
    pub authentication: Option<Spanned<Authentication>>,
    #[serde(default)]
    pub private_tree: Vec<Spanned<PrivateTree>>,
    #[serde(default)]
    pub opt_out: Vec<Spanned<OptOut>>,
    #[serde(default)]
    pub policy: Policy,
    #[serde(default)]
    pub outbox: Outbox,
    #[serde(default)]
    pub templates: Folder,
    #[serde(default)]
    pub rules: Folder,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bot {
    pub name: Option<String>,
    pub address: Text,
    pub mode: Option<Text>,
    #[serde(default)]
    pub operators: Vec<Text>,
    #[serde(default)]
    pub labs: Vec<Text>,
    #[serde(default)]
    pub robots: Vec<Text>,
    #[serde(default)]
    pub lists: Vec<Text>,
    #[serde(default)]
    pub allow_recipients: Vec<Text>,
    pub archive_url: Option<Text>,
    pub help_url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Store {
    pub path: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Folder {
    pub dir: Option<Text>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mailbox {
    pub name: Option<String>,
    pub host: Text,
    pub port: Option<u16>,
    pub tls: Option<Text>,
    pub ca_file: Option<Text>,
    pub user: String,
    pub password: Option<Text>,
    pub password_file: Option<Text>,
    pub password_command: Option<Text>,
    pub token_command: Option<Text>,
    pub mailbox: Option<String>,
    #[serde(default)]
    pub slices: bool,
    pub since: Option<Text>,
    pub idle_seconds: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Smtp {
    pub host: Text,
    pub port: Option<u16>,
    pub tls: Option<Text>,
    pub ca_file: Option<Text>,
    pub user: Option<String>,
    pub password: Option<Text>,
    pub password_file: Option<Text>,
    pub password_command: Option<Text>,
    pub token_command: Option<Text>,
    pub hello: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tree {
    pub name: Text,
    pub path: Text,
    pub url: Option<Text>,
    pub branch: Option<Text>,
    pub order: Option<Text>,
    pub maintainers: Option<Text>,
    pub interval_minutes: Option<Spanned<u64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Authentication {
    pub authserv_id: Text,
    #[serde(default)]
    pub require: Vec<Text>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PrivateTree {
    pub tree: Text,
    pub owner: Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OptOut {
    pub who: Text,
    pub area: Option<Text>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Policy {
    pub confirm: Option<Text>,
    pub confirm_runs: Option<u32>,
    pub improvements: Option<bool>,
    pub daily_limit: Option<u32>,
    pub max_recipients: Option<usize>,
    pub write_to_maintainers: Option<bool>,
    pub announce_close_after_days: Option<u32>,
    pub close_after_days: Option<u32>,
    pub fix_missing_after_days: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Outbox {
    pub retry_seconds: Option<Vec<u64>>,
    pub give_up_hours: Option<u64>,
    pub resend_after_seconds: Option<u64>,
}
