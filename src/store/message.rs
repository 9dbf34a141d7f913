//! Mail that was seen and what was understood of it.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};

use super::{StoreError, Tx};
use crate::mail::{Address, Origin};
use crate::regression::RegressionId;

/// One mail.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMessage {
    /// Message-ID without `<>`, or `sha256-...`.
    pub key: String,
    /// Mailbox, UIDVALIDITY and UID where it was first read.
    pub place: Option<(String, u32, u32)>,
    /// When the server got it.
    pub received: Timestamp,
    /// Its Date header.
    pub sent: Option<Timestamp>,
    /// What sort of mail it is.
    pub origin: Origin,
    /// Who wrote it.
    pub from: Option<Address>,
    /// Its subject.
    pub subject: String,
    /// Canonical addresses of To and Cc.
    pub recipients: Vec<String>,
    /// The author's own words.
    pub new_text: String,
    /// The regression that it belongs to.
    pub regression: Option<RegressionId>,
    /// Verdicts, most important first.
    pub labels: Vec<String>,
    /// The words that decided.
    pub evidence: Option<String>,
    /// The rule that decided.
    pub rule: Option<String>,
    /// What could not be understood.
    pub defects: Vec<String>,
}

const COLUMNS: &str = "key, mailbox, uid_validity, uid, received, sent, origin, from_name, from_email, subject, \
                       recipients, new_text, regression, labels, evidence, rule, defects";

impl Tx<'_> {
    /// Whether a mail was seen already.
    ///
    /// # Errors
    /// Of the database.
    pub fn knows_message(&self, key: &str) -> Result<bool, StoreError> {
        let mut statement = self.db.prepare_cached("select 1 from message where key = ?")?;
        Ok(statement.exists([key])?)
    }

    /// Stores a mail. `false` when its key is known already: then nothing changes.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_message(&mut self, m: &StoredMessage) -> Result<bool, StoreError> {
        let sql = format!(
            "insert or ignore into message ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.execute(params![
            m.key,
            m.place.as_ref().map(|p| &p.0),
            m.place.as_ref().map(|p| p.1),
            m.place.as_ref().map(|p| p.2),
            m.received.as_second(),
            m.sent.map(Timestamp::as_second),
            word(&m.origin)?,
            m.from.as_ref().map_or("", |a| &a.name),
            m.from.as_ref().map_or("", |a| &a.email),
            m.subject,
            json(&m.recipients)?,
            m.new_text,
            m.regression.as_ref().map(RegressionId::as_str),
            json(&m.labels)?,
            m.evidence,
            m.rule,
            json(&m.defects)?,
        ])?;
        Ok(rows == 1)
    }

    /// One mail by key.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn message(&self, key: &str) -> Result<Option<StoredMessage>, StoreError> {
        let sql = format!("select {COLUMNS} from message where key = ?");
        let mut statement = self.db.prepare_cached(&sql)?;
        statement.query_row([key], |r| Ok(decode(r))).optional()?.transpose()
    }

    /// Moves a mail into a regression's thread, with what was understood of it there.
    ///
    /// # Errors
    /// Of the database.
    pub fn adopt_message(&mut self, m: &StoredMessage) -> Result<(), StoreError> {
        self.db.execute(
            "update message set regression = ?, labels = ?, evidence = ?, rule = ? where key = ?",
            params![
                m.regression.as_ref().map(RegressionId::as_str),
                json(&m.labels)?,
                m.evidence,
                m.rule,
                m.key
            ],
        )?;
        Ok(())
    }

    /// Mails under exactly this subject that open a thread: reports, others' or ours.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn reports_by_subject(&self, subject: &str) -> Result<Vec<StoredMessage>, StoreError> {
        let sql = format!(
            "select {COLUMNS} from message where subject = ? and origin in ('report', 'own') and regression is not null
             order by received limit 50"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map([subject], |r| Ok(decode(r)))?;
        rows.collect::<Result<Vec<_>, _>>()?.into_iter().collect()
    }

    /// How many mails are stored.
    ///
    /// # Errors
    /// Of the database.
    pub fn message_count(&self) -> Result<usize, StoreError> {
        let count: i64 = self.db.query_row("select count(*) from message", [], |r| r.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Mail in the order in which it was stored, behind a row number, at most `limit`: each with its row number.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn messages_after(
        &self,
        row: i64,
        limit: usize,
    ) -> Result<Vec<(i64, StoredMessage)>, StoreError> {
        let sql = format!(
            "select rowid, {COLUMNS} from message where rowid > ? order by rowid limit {limit}"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map([row], |r| Ok((r.get::<_, i64>("rowid")?, decode(r))))?;
        rows.map(|row| row.map_err(StoreError::from).and_then(|(n, m)| Ok((n, m?)))).collect()
    }

    /// All mail of a regression, oldest first.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn messages_of(&self, id: &RegressionId) -> Result<Vec<StoredMessage>, StoreError> {
        let sql =
            format!("select {COLUMNS} from message where regression = ? order by received, key");
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map([id.as_str()], |r| Ok(decode(r)))?;
        rows.collect::<Result<Vec<_>, _>>()?.into_iter().collect()
    }
}

fn decode(r: &Row<'_>) -> Result<StoredMessage, StoreError> {
    let key: String = r.get("key")?;
    let bad = |what: &str| StoreError::row(format!("message {key}"), what);
    let place: (Option<String>, Option<u32>, Option<u32>) =
        (r.get("mailbox")?, r.get("uid_validity")?, r.get("uid")?);
    let place = match place {
        (Some(m), Some(v), Some(u)) => Some((m, v, u)),
        (None, None, None) => None,
        _ => return Err(bad("half a place")),
    };
    let seconds = |s: i64| Timestamp::from_second(s).map_err(|_| bad("a time out of range"));
    let list = |text: String, what: &str| serde_json::from_str(&text).map_err(|_| bad(what));
    let (name, email): (String, String) = (r.get("from_name")?, r.get("from_email")?);
    let regression: Option<String> = r.get("regression")?;
    let origin: String = r.get("origin")?;
    Ok(StoredMessage {
        place,
        received: seconds(r.get("received")?)?,
        sent: r.get::<_, Option<i64>>("sent")?.map(seconds).transpose()?,
        origin: serde_json::from_value(origin.into()).map_err(|_| bad("an unknown origin"))?,
        from: (!email.is_empty()).then_some(Address { name, email }),
        subject: r.get("subject")?,
        recipients: list(r.get("recipients")?, "recipients that are no JSON array")?,
        new_text: r.get("new_text")?,
        regression: regression
            .map(|id| RegressionId::parse(&id).ok_or_else(|| bad("a malformed regression id")))
            .transpose()?,
        labels: list(r.get("labels")?, "labels that are no JSON array")?,
        evidence: r.get("evidence")?,
        rule: r.get("rule")?,
        defects: list(r.get("defects")?, "defects that are no JSON array")?,
        key,
    })
}

/// JSON text of a value, for a column.
pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::row("a new row", e))
}

/// The serde name of an enum variant, without quotes.
pub(super) fn word<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    Ok(json(value)?.trim_matches('"').to_owned())
}
