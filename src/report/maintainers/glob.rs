//! File patterns, component by component. Linear in pattern times name, whatever the pattern.

/// Matches one path component: `*` any run, `?` one character, `[a-c]` one of a class, `\x` x itself.
pub(super) fn component(pattern: &str, name: &str) -> bool {
    let pattern = tokens(pattern);
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where to take up again after the last star.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(Token::Star) => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(token) if token.matches(name[n]) => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after, from)) => {
                    retry = Some((after, from + 1));
                    p = after;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|token| *token == Token::Star)
}

/// Whether a pattern has any wildcard.
pub(super) fn is_wild(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

#[derive(PartialEq)]
enum Token {
    Star,
    Any,
    One(char),
    Class { ranges: Vec<(char, char)>, negated: bool },
}

impl Token {
    fn matches(&self, c: char) -> bool {
        match self {
            Token::Star => false,
            Token::Any => true,
            Token::One(x) => *x == c,
            Token::Class { ranges, negated } => {
                ranges.iter().any(|(a, b)| (*a..=*b).contains(&c)) != *negated
            }
        }
    }
}

fn tokens(pattern: &str) -> Vec<Token> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let token = match chars[at] {
            '*' => Token::Star,
            '?' => Token::Any,
            '\\' if at + 1 < chars.len() => {
                at += 1;
                Token::One(chars[at])
            }
            '[' => match class(&chars[at..]) {
                Some((class, length)) => {
                    at += length - 1;
                    class
                }
                None => Token::One('['),
            },
            c => Token::One(c),
        };
        tokens.push(token);
        at += 1;
    }
    tokens
}

/// A class and its length in characters; `None` when it is never closed.
fn class(chars: &[char]) -> Option<(Token, usize)> {
    let negated = matches!(chars.get(1), Some('!' | '^'));
    let start = if negated { 2 } else { 1 };
    // A bracket that comes first stands for itself.
    let end = chars.iter().skip(start + 1).position(|c| *c == ']')? + start + 1;
    let mut ranges = Vec::new();
    let mut at = start;
    while at < end {
        if at + 2 < end && chars[at + 1] == '-' {
            ranges.push((chars[at], chars[at + 2]));
            at += 3;
        } else {
            ranges.push((chars[at], chars[at]));
            at += 1;
        }
    }
    Some((Token::Class { ranges, negated }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::component;

    #[test]
    fn components() {
        let yes = [
            ("*", ""),
            ("*.c", "a.c"),
            ("a*b*c", "aXbYc"),
            ("?x", "\u{e4}x"),
            ("m[a-c]d", "mbd"),
            ("[!a]", "b"),
            ("[]]", "]"),
            ("a\\*", "a*"),
            ("[", "["),
        ];
        let no = [
            ("*.c", "a.h"),
            ("a?", "a"),
            ("[a-c]", "d"),
            ("[!a]", "a"),
            ("a", "ab"),
            ("", "a"),
            ("a\\*", "ab"),
        ];
        for (pattern, name) in yes {
            assert!(component(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in no {
            assert!(!component(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn stars_are_not_exponential() {
        assert!(!component(&"a*".repeat(200), &"a".repeat(150)));
        assert!(!component(&format!("{}b", "a*".repeat(60)), &"a".repeat(2000)));
    }
}
