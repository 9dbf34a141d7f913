//! What verbs share: the configuration, the store, and how they fail.

use std::fmt;

use super::args::Args;
use crate::bench::Knowledge;
use crate::config::{self, Config, Diagnostic};
use crate::mail::{Address, Identity};
use crate::store::{Store, StoreError};

/// Why a verb could not do its work. Printed to stderr, exit 2.
#[derive(Debug)]
pub enum Failure {
    /// Files that a person wrote have problems.
    Diagnostics(Vec<Diagnostic>),
    /// Anything else, in one line.
    Message(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Diagnostics(list) => {
                let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Failure::Message(text) => f.write_str(text),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(e: StoreError) -> Self {
        Failure::Message(e.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(e: std::io::Error) -> Self {
        Failure::Message(e.to_string())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(e: anyhow::Error) -> Self {
        Failure::Message(format!("{e:#}"))
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Failure::Message(text)
    }
}

impl Args {
    /// The configuration, with all that is needed for talking to servers.
    pub(super) fn ready_config(&self) -> Result<Config, Failure> {
        let config = self.config()?;
        if config.unready.is_empty() {
            Ok(config)
        } else {
            Err(Failure::Diagnostics(config.unready))
        }
    }

    /// The configuration. Passwords may be missing: who only looks at the store needs none.
    pub(super) fn config(&self) -> Result<Config, Failure> {
        config::load(&self.config).map_err(Failure::Diagnostics)
    }

    /// Who "we" are: the configuration's bot and robots where there is a configuration, and the robots that were named.
    pub(super) fn identity(&self, robots: &[String]) -> Result<Identity, Failure> {
        let mut identity = Identity::default();
        if self.config.exists() {
            let policy = self.config()?.policy;
            identity.robots = policy.robots.addresses().map(str::to_owned).collect();
            identity.addresses = vec![policy.bot];
        }
        let canonical =
            |email: &String| Address { name: String::new(), email: email.clone() }.canonical();
        identity.robots.extend(robots.iter().map(canonical));
        Ok(identity)
    }

    /// What is known of metrics: the configuration's own files beside the shipped ones, where there is a configuration.
    pub(super) fn knowledge(&self) -> Result<Knowledge, Failure> {
        if !self.config.exists() {
            return Ok(Knowledge::embedded());
        }
        crate::daemon::knowledge(&self.config()?).map_err(Failure::Diagnostics)
    }

    /// The store of the configuration; it must exist already.
    pub(super) fn store(&self) -> Result<Store, Failure> {
        let config = self.config()?;
        if !config.store.exists() {
            let path = config.store.display();
            return Err(Failure::Message(format!(
                "store {path}: does not exist yet; `regard run` makes it"
            )));
        }
        Ok(Store::open_existing(&config.store)?)
    }
}
