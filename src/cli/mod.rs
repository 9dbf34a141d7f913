//! The command line: one file per verb. stdout is data, stderr is logs; exit 0 fine, 1 findings, 2 error.

use std::process::ExitCode;

/// Parses the arguments and runs the verb.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
