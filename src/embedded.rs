//! Files that travel inside the binary: rules, metrics and templates (written by `build.rs`, found by their folder).

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
