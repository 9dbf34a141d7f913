//! Exim, which passes all mail on to a Dovecot. See `tests/servers/exim.sh` for the faults that it can be asked for.

use super::dovecot::Dovecot;
use super::server::{Server, open_folder};

pub(crate) struct Exim {
    server: Server,
    _folder: tempfile::TempDir,
}

impl Exim {
    /// Its certificate is the same as Dovecot's.
    pub(crate) fn start(dovecot: &Dovecot) -> Self {
        let folder = open_folder();
        let arguments = [dovecot.lmtp().to_string(), dovecot.tls().to_str().unwrap().to_owned()];
        let server = Server::start("exim.sh", folder.path(), &arguments);
        Self { server, _folder: folder }
    }

    /// Plain and STARTTLS.
    pub(crate) fn smtp(&self) -> u16 {
        self.server.port("SMTP")
    }

    /// Implicit TLS.
    pub(crate) fn smtps(&self) -> u16 {
        self.server.port("SMTPS")
    }

    pub(crate) fn freeze(&self) {
        self.server.freeze();
    }

    pub(crate) fn thaw(&self) {
        self.server.thaw();
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill();
    }

    pub(crate) fn restart(&mut self) {
        self.server.restart();
    }
}
