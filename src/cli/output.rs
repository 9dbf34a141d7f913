//! stdout for data, stderr for logs.

use std::io::{self, IsTerminal, Write};

use tracing_subscriber::filter::LevelFilter;

use super::context::Failure;

/// Sets the log up.
pub(super) fn log(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::INFO,
        (false, 1) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .try_init();
}

/// Tells why a verb failed.
pub(super) fn complain(failure: &Failure) {
    let _ = writeln!(io::stderr(), "regard: {failure}");
}

/// Writes data to stdout. A closed pipe (`| head`) is the reader's wish, not an error.
pub(super) fn print(text: &str) -> io::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// One JSON value on one line.
pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<(), Failure> {
    let line = serde_json::to_string(value).map_err(|e| Failure::Message(e.to_string()))?;
    Ok(print(&(line + "\n"))?)
}

/// The serde name of an enum variant.
pub(super) fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default().trim_matches('"').to_owned()
}

/// A spinner on a terminal's stderr; nothing elsewhere. Shown only while something takes longer than a moment.
pub(super) fn spinner(message: &'static str) -> indicatif::ProgressBar {
    let bar = indicatif::ProgressBar::new_spinner().with_message(message);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

/// A bar on a terminal's stderr that knows how much there is; nothing elsewhere.
pub(super) fn bar(total: usize) -> indicatif::ProgressBar {
    let style = "{bar:30} {human_pos}/{human_len} mails, {eta} left";
    let bar = indicatif::ProgressBar::new(total as u64);
    bar.with_style(
        indicatif::ProgressStyle::with_template(style)
            .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()),
    )
}

/// Rows in columns, each as wide as its widest cell; the last column is not padded.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    use unicode_width::UnicodeWidthStr;
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line += cell;
            line += &" ".repeat(width + 2 - cell.width());
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
