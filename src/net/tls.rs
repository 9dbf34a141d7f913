//! TLS modes, whom we trust, and what a failed handshake means.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use serde::{Deserialize, Serialize};
use thiserror::Error as ThisError;

/// How a connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tls {
    /// TLS from the first byte (IMAP 993, SMTP 465). RFC 8314.
    Implicit,
    /// Plain at first, then STARTTLS, which must succeed (IMAP 143, SMTP 587).
    Starttls,
    /// No TLS; refused unless the server is on this machine.
    None,
    /// No TLS, to whatever host: passwords and mail travel in the clear.
    Insecure,
}

/// The trust store cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub enum TrustError {
    /// The file of CA certificates cannot be used.
    #[error("cannot use the CA file {}: {why}", path.display())]
    CaFile {
        /// As configured.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The system has no CA certificates.
    #[error(
        "this system has no CA certificates (install the package ca-certificates, or set ca_file)"
    )]
    NoSystemRoots,
}

/// The certificates of a PEM file; at least one.
pub(crate) fn read_ca(path: &Path) -> Result<Vec<CertificateDer<'static>>, TrustError> {
    let failed = |why: String| TrustError::CaFile {
        path: path.to_owned(),
        why,
    };
    let text = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match found {
        Ok(certificates) if certificates.is_empty() => {
            Err(failed("it holds no PEM certificate".into()))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(failed(format!("it is not PEM: {error}"))),
    }
}

/// A client configuration that trusts the certificates of `ca_file` and nothing else, or the system's without one.
pub(crate) fn client_config(ca_file: Option<&Path>) -> Result<Arc<ClientConfig>, TrustError> {
    let mut roots = RootCertStore::empty();
    match ca_file {
        Some(path) => {
            for certificate in read_ca(path)? {
                roots.add(certificate).map_err(|e| TrustError::CaFile {
                    path: path.to_owned(),
                    why: e.to_string(),
                })?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            if roots.is_empty() {
                return Err(TrustError::NoSystemRoots);
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = versions
        .expect("ring speaks the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// The TLS failure somewhere inside `error`, if that is what it is. Libraries wrap it in one or two `io::Error`s.
pub(crate) fn tls_error_in<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        let inner = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

/// What a failed handshake means, and what to do about it.
pub(crate) fn explain(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "the certificate is signed by an authority that is not trusted: set ca_file to its CA certificate"
        }
        rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "the certificate is for another name: set host to the name that stands in it",
        rustls::Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        ) => "the certificate has expired: renew it on the server",
        rustls::Error::InvalidCertificate(_) => "the certificate is not acceptable",
        rustls::Error::InvalidMessage(_) => {
            "the server does not speak TLS here: check the port, or set tls to starttls"
        }
        _ => "check that the port and the tls mode belong together",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ca_file_without_a_certificate_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ca.pem");
        std::fs::write(&path, "not a certificate\n").unwrap();
        let why = read_ca(&path).unwrap_err().to_string();
        assert!(
            why.ends_with("ca.pem: it holds no PEM certificate"),
            "{why}"
        );
        assert!(client_config(Some(&path)).is_err());
    }

    #[test]
    fn a_tls_failure_is_found_inside_io_errors() {
        let inner = rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer);
        let error = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, inner));
        assert!(explain(tls_error_in(&error).unwrap()).contains("ca_file"));
        assert!(tls_error_in(&io::Error::other("plain")).is_none());
    }
}
