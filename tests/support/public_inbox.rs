//! public-inbox-imapd, the software behind lore.kernel.org, with the list `inbox.test.perf`.

use regard::imap::{Account, Limits};
use regard::net::{Secret, Tls};

use super::dovecot::quick;
use super::server::{Server, open_folder, run};

pub(crate) struct PublicInbox {
    server: Server,
    folder: tempfile::TempDir,
}

impl PublicInbox {
    pub(crate) fn start() -> Self {
        let folder = open_folder();
        let server = Server::start("public-inbox.sh", folder.path(), &[]);
        Self { server, folder }
    }

    pub(crate) fn imaps(&self) -> u16 {
        self.server.port("IMAPS")
    }

    /// The list, read in slices.
    pub(crate) fn account(&self) -> Account {
        Account {
            name: "perf".to_owned(),
            host: "localhost".to_owned(),
            port: self.imaps(),
            tls: Tls::Implicit,
            ca_file: Some(self.folder.path().join("tls/ca.pem")),
            user: "anonymous".to_owned(),
            secret: Secret::Password("anonymous".to_owned()),
            mailbox: "inbox.test.perf".to_owned(),
            slices: true,
            since: None,
            timing: quick(),
            limits: Limits::default(),
        }
    }

    /// Adds a mail to the archive. It must have From, Date and Message-ID.
    pub(crate) fn deliver(&self, mail: &str) {
        run("public-inbox.sh", self.folder.path(), "deliver", mail.as_bytes());
    }

    /// Lets the next mail be the first of the second slice, as if 50,000 had come before.
    pub(crate) fn fill_slice(&self) {
        let path = self.folder.path().join("perf/msgmap.sqlite3");
        let database = rusqlite::Connection::open(path).unwrap();
        let changed =
            database.execute("UPDATE sqlite_sequence SET seq = 50000 WHERE name = 'msgmap'", []);
        assert_eq!(changed.unwrap(), 1);
    }
}
