//! The desk: takes a mail, understands it, decides, keeps all of it in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;

use super::apply::apply;
use super::gather;
use super::post::Post;
use super::story::{Story, Understood};
use crate::bench::{Knowledge, Notification};
use crate::engine::{Event, MailRef, Policy, decide};
use crate::mail::{Identity, Message, Origin, mail};
use crate::report::Finding;
use crate::stats::{self, Prior, Settings};
use crate::store::{OutboxState, Quarantined, Store, StoreError, StoredMessage, Tx};
use crate::triage::{Reading, Rules};
