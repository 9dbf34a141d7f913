//! What both mail edges share: TLS and whom it trusts, secrets, and how long to wait after a failure.

mod backoff;
mod dial;
mod secret;
mod tls;

pub use backoff::backoff;
pub use dial::DialError;
pub use secret::{Credential, Secret, SecretError};
pub use tls::{Tls, TrustError};
pub(crate) use tls::{client_config, explain, read_ca, tls_error_in};
