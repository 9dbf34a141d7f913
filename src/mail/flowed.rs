//! format=flowed, undone (RFC 3676).

/// Joins the lines that a format=flowed mailer parted. `delsp` drops the blank that marked the break.
///
/// Quote marks come out as `>` times the depth and one blank.
pub(super) fn unflow(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let depth = line.bytes().take_while(|&b| b == b'>').count();
        let content = &line[depth..];
        let content = content.strip_prefix(' ').unwrap_or(content);
        let signature = content == "-- ";
        if open != Some(depth) || signature {
            if open.is_some() {
                end_line(&mut out);
            }
            if depth > 0 {
                out.extend(std::iter::repeat_n('>', depth));
                if !content.is_empty() {
                    out.push(' ');
                }
            }
        }
        let flows = content.ends_with(' ') && !signature;
        let content = if flows && delsp { &content[..content.len() - 1] } else { content };
        out.push_str(content);
        open = flows.then_some(depth);
        if !flows {
            out.push('\n');
        }
    }
    if open.is_some() {
        end_line(&mut out);
    }
    out
}

/// A paragraph whose last line claimed to flow on, but nothing followed.
fn end_line(out: &mut String) {
    while out.ends_with(' ') {
        out.pop();
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::unflow;

    #[test]
    fn joins_paragraphs_and_quotes_apart() {
        let text = "> a long \n> quote\nan \nanswer\n\n-- \nme\n";
        assert_eq!(unflow(text, false), "> a long quote\nan answer\n\n-- \nme\n");
    }

    #[test]
    fn a_change_of_depth_ends_a_paragraph() {
        assert_eq!(unflow(">> deep \n> less\nmine \n", false), ">> deep\n> less\nmine\n");
    }

    #[test]
    fn delsp_joins_without_a_blank() {
        assert_eq!(unflow("re-\nlonglong \nword\n", true), "re-\nlonglongword\n");
    }

    #[test]
    fn stuffed_blanks_go_away() {
        assert_eq!(unflow(" > not a quote\n From here\n", false), "> not a quote\nFrom here\n");
    }
}
