//! A mail that an archive put on one line, or that a mail program filled like a paragraph, becomes lines again.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::pattern;

/// A line shorter than this is left alone unless it mixes table parts.
const LONG: usize = 400;

/// Where a line of a report begins.
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?:FYI, we noticed|FYI, there are|kernel test robot noticed|There is no primary kpi change",
        r#"| commit:? [0-9a-f]{10,40} \("| commit: (?:[0-9a-f]{10,40}|v\d)"#,
        r"| url: +http| base: | patch link: | patch subject: | (?:in )?test ?case: | (?:on )?test machine: ",
        r"| (?:with following )?parameters: | test-description: | test-url: | config: | compiler: ",
        r"|\[(?:test failed|still regression) on |In addition to that, |\+-{10,}\+-{3,}|\| testcase: change ",
        r"|If you fix the issue|(?:\| )?Reported-by: |(?:\| )?Closes: |(?:\| )?Link: http|Details are as below",
        r"|To reproduce:|The kernel config and materials| git clone | cd lkp-tests\b|(?: sudo)? bin/lkp ",
        r"|={20,}|\*{40,}|-{90,}|-{12,18}(?: +-{20,30}){1,16}|%stddev +%?change\b|fail:runs +%reproduction",
        r"|\\(?: +\| +\\)+|Disclaimer:|Thanks, )",
    ))
});

/// What closes a line besides opening one: the rules and heads of a table, and a tree's address with its branch.
static CLOSED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:-{12,18}(?: +-{20,30}){1,16}|={20,}|\*{40,}|-{90,}>?|\\(?: +\| +\\)+|fail:runs(?: +%reproduction +fail:runs)+(?: +\|)*)",
    )
});

/// The head of a comparison table: it stands alone on its line unless the line was filled.
static HEAD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"%stddev\s+%?change\s+%stddev|%?change\s+%stddev\s+\\"));

/// Lines again. A line that was never rolled up passes through.
pub(super) fn unroll(lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    let rolled: Vec<bool> = lines.iter().map(|l| is_rolled(&l.text)).collect();
    if !rolled.contains(&true) {
        return lines;
    }
    let mut out = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let block = block(&lines, at);
        if !rolled[block.clone()].contains(&true) {
            out.extend(lines[block.clone()].iter().cloned());
        } else {
            let text = lines[block.clone()].iter().map(Line::trim).collect::<Vec<_>>().join(" ");
            split(&text, &lines[at], &mut out);
        }
        at = block.end;
    }
    out
}

/// The lines around `at` that a filling program would have made one paragraph.
fn block(lines: &[Line], at: usize) -> Range<usize> {
    let depth = lines[at].depth;
    let same = |l: &&Line| l.depth == depth && !l.is_blank();
    at..at + lines[at..].iter().take_while(same).count().max(1)
}

fn is_rolled(text: &str) -> bool {
    if text.len() > LONG {
        return ANCHOR.find_iter(text).take(3).count() == 3;
    }
    text.contains("%stddev") && HEAD.is_match(text) && {
        let head = |t: &str| matches!(t, "%stddev" | "%change" | "change");
        text.split_whitespace().any(|t| !head(t))
    }
}

fn split<'a>(text: &str, first: &Line<'a>, out: &mut Vec<Line<'a>>) {
    let mut push = |part: &str| {
        if !part.trim().is_empty() {
            out.push(Line {
                depth: first.depth,
                text: Cow::Owned(part.trim().to_owned()),
                number: first.number,
            });
        }
    };
    let mut start = 0;
    for found in ANCHOR.find_iter(text) {
        if found.start() < start {
            continue;
        }
        push(&text[start..found.start()]);
        start = found.start();
        if let Some(closed) = CLOSED.find(&text[start..]) {
            push(&text[start..start + closed.end()]);
            start += closed.end();
        }
    }
    push(&text[start..]);
}
