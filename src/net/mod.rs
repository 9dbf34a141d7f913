//! What both mail edges share: TLS and whom it trusts, secrets, and how long to wait after a failure.

mod backoff;
mod secret;
mod tls;

pub use backoff::backoff;
pub use secret::{Credential, Secret, SecretError};
pub use tls::{Tls, TrustError};
pub(crate) use tls::{client_config, explain, may_be_plain, read_ca, tls_error_in};
