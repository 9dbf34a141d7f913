//! Names for the moments between two steps, so that tests can let the daemon die at each of them.

/// In a debug build with `REGARD_STOP_AT=<name>`, says so on stderr and stands still until somebody kills it. Otherwise
/// nothing.
#[cfg(debug_assertions)]
pub(super) fn step(name: &str) {
    if std::env::var("REGARD_STOP_AT").is_ok_and(|wanted| wanted == name) {
        tracing::error!("stopped at {name}");
        loop {
            std::thread::park();
        }
    }
}

#[cfg(not(debug_assertions))]
pub(super) fn step(_: &str) {}
