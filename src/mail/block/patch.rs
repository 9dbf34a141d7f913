//! Inline diffs, pasted commits with their diff, and patches behind a scissors line.

/// Lines of a broken (wrapped) hunk that are still taken for the patch.
const WRAPPED: usize = 3;

/// Lines where a diff starts. Found once, so that no test looks far ahead in vain.
pub(super) fn diffs(lines: &[&str]) -> Vec<usize> {
    let starts = |at: usize| {
        let line = lines[at];
        line.starts_with("diff --git ")
            || line.starts_with("--- ") && lines.get(at + 1).is_some_and(|l| l.starts_with("+++ "))
    };
    (0..lines.len()).filter(|&at| starts(at)).collect()
}

/// The next diff from line `at` on, if it is not too far away.
fn next_diff(diffs: &[usize], at: usize) -> Option<usize> {
    let next = *diffs.get(diffs.partition_point(|&n| n < at))?;
    (next - at < AHEAD).then_some(next)
}

/// The line after a patch that starts here; `None` when none does. `diffs` comes from [`diffs`].
pub(super) fn end(lines: &[&str], diffs: &[usize], at: usize, first: u8) -> Option<usize> {
    let line = lines[at];
    match first {
        b'd' if line.starts_with("diff --git ") || line.starts_with("diff -") => {
            diff_end(lines, at)
        }
        b'-' if line.starts_with("--- ")
            && lines.get(at + 1).is_some_and(|l| l.starts_with("+++ ")) =>
        {
            diff_end(lines, at)
        }
        b'-' if line.starts_with("---") && line.trim_end() == "---" => separated(lines, diffs, at),
        b'I' if line.starts_with("Index: ")
            && lines.get(at + 1).is_some_and(|l| l.starts_with("====")) =>
        {
            diff_end(lines, at)
        }
        b'@' if line.starts_with("@@ -") => diff_end(lines, at),
        b'c' if is_commit_line(line) => pasted_commit(lines, at),
        b'F' if is_format_patch(line) || is_pseudo_header(lines, at) => described(lines, diffs, at),
        b'S' if line.starts_with("Subject: ") => described(lines, diffs, at),
        b'8' | b'>' | b'-' if is_scissors(line) => described(lines, diffs, at + 1).or(Some(at + 1)),
        _ if line.starts_with(' ') && line.contains(" | ") && is_diffstat(line) => {
            next_diff(diffs, at).and_then(|_| diff_end(lines, at))
        }
        _ => None,
    }
}

/// `commit <hex>` as `git show` prints it.
fn is_commit_line(line: &str) -> bool {
    line.strip_prefix("commit ").is_some_and(|rest| {
        let hex = rest.split_whitespace().next().unwrap_or_default();
        (8..=64).contains(&hex.len()) && hex.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

/// `From <40 hex> Mon Sep 17 00:00:00 2001`.
fn is_format_patch(line: &str) -> bool {
    line.strip_prefix("From ")
        .and_then(|rest| rest.split(' ').next())
        .is_some_and(|hex| hex.len() == 40 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// In-body `From:` and `Subject: [PATCH ...]` without a To: a pasted patch, not copied mail.
pub(super) fn is_pseudo_header(lines: &[&str], at: usize) -> bool {
    let block = || lines[at..].iter().take(6).take_while(|l| !l.trim().is_empty());
    lines[at].starts_with("From: ")
        && block().any(|l| l.starts_with("Subject: [PATCH"))
        && !block().any(|l| l.starts_with("To:") || l.starts_with("Sent:"))
}

/// `-- >8 --`, `8< - - -`, `--- 8< ---`.
fn is_scissors(line: &str) -> bool {
    let blade = ["8<", ">8", "%<", ">%"].iter().any(|b| line.contains(b));
    blade
        && line.len() <= 120
        && line.matches('-').count() >= 2
        && line.chars().filter(|c| !" -<>8%".contains(*c)).count() <= 20
        && line.chars().all(|c| " -<>8%".contains(c) || c.is_alphabetic())
}

/// How far ahead the diff of a description is looked for.
const AHEAD: usize = 400;

/// A commit message with its diff below: in-body headers, text, trailers, `---`, diffstat, diff.
fn described(lines: &[&str], diffs: &[usize], at: usize) -> Option<usize> {
    let diff = next_diff(diffs, at)?;
    let own = |line: &&str| !line.starts_with('>');
    lines[at..diff].iter().all(own).then(|| diff_end(lines, diff)).flatten()
}

/// `git show` output: header, indented message, diff. Without a diff it is a reference, not a patch.
fn pasted_commit(lines: &[&str], at: usize) -> Option<usize> {
    let headers = ["Author:", "AuthorDate:", "Commit:", "CommitDate:", "Date:", "Merge:"];
    if !lines.get(at + 1).is_some_and(|l| headers.iter().any(|h| l.starts_with(h))) {
        return None;
    }
    let mut n = at + 1;
    while let Some(line) = lines.get(n) {
        let inside = line.trim().is_empty()
            || line.starts_with("    ")
            || line.starts_with('\t')
            || headers.iter().any(|h| line.starts_with(h));
        if !inside {
            break;
        }
        n += 1;
    }
    diff_end(lines, n)
}

/// `---` with a diffstat and a diff below it, as in a mailed patch. The changelog between is the author's.
fn separated(lines: &[&str], diffs: &[usize], at: usize) -> Option<usize> {
    let near = lines.iter().skip(at + 1).take(3);
    let next = near.clone().position(|l| !l.trim().is_empty()).map(|n| at + 1 + n)?;
    if !is_diffstat(lines[next]) {
        return None;
    }
    match next_diff(diffs, next) {
        Some(_) => diff_end(lines, next),
        None => {
            let rest = lines.iter().skip(next).take(AHEAD);
            Some(next + rest.take_while(|l| is_diffstat(l) || l.trim().is_empty()).count())
        }
    }
}

/// ` mm/slub.c | 22 ++++---`, ` 2 files changed, 15 insertions(+)`, ` create mode 100644 x`.
fn is_diffstat(line: &str) -> bool {
    line.starts_with(' ')
        && (line.split_once(" | ").is_some_and(|(_, n)| {
            n.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == 'B')
        }) || line.contains(" changed, ")
            || line.trim_start().starts_with("create mode ")
            || line.trim_start().starts_with("delete mode ")
            || line.trim_start().starts_with("rename "))
}

/// The line after a diff. Hunks tell how long they are; what does not add up is taken leniently.
fn diff_end(lines: &[&str], at: usize) -> Option<usize> {
    let mut n = at;
    let mut last = None;
    while let Some(line) = lines.get(n) {
        if let Some((old, new)) = hunk_sizes(line) {
            n = hunk_end(lines, n + 1, old, new);
            last = Some(n);
        } else if is_diff_header(line) {
            n += 1;
            last = Some(n);
        } else if is_diffstat(line) && last.is_none() {
            n += 1;
        } else if matches!(*line, "-- " | "--") && last.is_some() {
            // git's own signature: one line with its version.
            let version =
                lines.get(n + 1).is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit()));
            return Some(if version { n + 2 } else { last? });
        } else if line.trim().is_empty() {
            n += 1;
        } else {
            break;
        }
    }
    last
}

fn is_diff_header(line: &str) -> bool {
    const HEADERS: &[&str] = &[
        "diff ",
        "index ",
        "--- a/",
        "--- /",
        "--- ",
        "+++ ",
        "new file mode ",
        "deleted file mode ",
        "old mode ",
        "new mode ",
        "similarity index ",
        "dissimilarity index ",
        "rename ",
        "copy ",
        "Binary files ",
        "GIT binary patch",
        "Index: ",
        "=======",
        "\\ No newline",
    ];
    HEADERS.iter().any(|h| line.starts_with(h))
}

/// Old and new line counts of `@@ -1,7 +1,9 @@`.
fn hunk_sizes(line: &str) -> Option<(usize, usize)> {
    let rest = line.strip_prefix("@@ -")?;
    let mut words = rest.split_whitespace();
    let count = |word: &str| word.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok());
    let old = count(words.next()?)?;
    let new = count(words.next()?.strip_prefix('+')?)?;
    Some((old, new))
}

fn hunk_end(lines: &[&str], start: usize, mut old: usize, mut new: usize) -> usize {
    let mut n = start;
    let mut end = start;
    let mut odd = 0;
    while (old > 0 || new > 0) && n < lines.len() {
        let line = lines[n];
        match line.bytes().next() {
            Some(b'+') => new = new.saturating_sub(1),
            Some(b'-') if line != "-- " => old = old.saturating_sub(1),
            Some(b' ' | b'\t') => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
            Some(b'\\') => {}
            None if lines.get(n + 1).is_some_and(|l| l.starts_with([' ', '+', '-', '\t'])) => {
                (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
            }
            None | Some(b'@' | b'-') => break,
            Some(_) => {
                // A line that the mailer wrapped: believed while the hunk goes on below it.
                odd += 1;
                let goes_on =
                    lines.get(n + 1).is_some_and(|l| l.starts_with([' ', '+', '-', '\t']));
                if odd > WRAPPED || !goes_on {
                    break;
                }
            }
        }
        n += 1;
        end = n;
    }
    // An invented or cut hunk: what still looks like a diff right below belongs to it.
    while lines.get(end).is_some_and(|l| l.starts_with(['+', '-']) && !l.starts_with("--")) {
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use crate::mail::BlockKind;

    fn patched(text: &str) -> Vec<usize> {
        let blocks = super::super::split(text);
        blocks.into_iter().filter(|b| b.kind == BlockKind::Patch).flat_map(|b| b.lines).collect()
    }

    #[test]
    fn a_diff_and_words_below_it() {
        let text = "try this:\n\n--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n context\n-old\n+new\n\nDoes it help?\n";
        assert_eq!(patched(text), [2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_pasted_commit_is_a_patch_only_with_its_diff() {
        let commit = "commit 5db01e47c92f0f88\nAuthor: Jo\nDate: today\n\n    subject\n\n";
        assert_eq!(patched(&format!("{commit}?\n")), [0; 0]);
        assert_eq!(
            patched(&format!("{commit}diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n")).len(),
            10
        );
    }

    #[test]
    fn scissors_open_a_patch() {
        let text = "Here.\n\n8< - - - - -\nSubject: x\n\nwords\n\nFixes: 12345678 (\"y\")\n\ndiff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n";
        assert_eq!(patched(text).first(), Some(&2));
    }

    #[test]
    fn git_signature_ends_it() {
        let text = "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.51.0\n\nafterwards\n";
        assert_eq!(patched(text), [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_mailed_patch_keeps_its_message_as_words() {
        let text = "why\n\nSigned-off-by: Jo\n---\n x.c | 2 +-\n 1 file changed, 1 insertion(+)\n\ndiff --git a/x.c b/x.c\n@@ -1 +1 @@\n-a\n+b\n-- \n2.51.0\n";
        assert_eq!(patched(text).first(), Some(&3));
        assert_eq!(patched(text).len(), 10);
    }
}
