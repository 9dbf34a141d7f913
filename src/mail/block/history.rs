//! Earlier mail without quote marks: header blocks as Outlook and others write them, "Original Message" lines.

use std::sync::LazyLock;

use regex::Regex;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    From,
    Date,
    To,
    Cc,
    Subject,
}

const FROM: &[&str] = &[
    "from",
    "von",
    "de",
    "da",
    "från",
    "fra",
    "od",
    "от",
    "发件人",
    "寄件者",
    "差出人",
    "보낸 사람",
    "lähettäjä",
    "feladó",
    "van",
    "gönderen",
    "отправитель",
];
const DATE: &[&str] = &[
    "sent",
    "date",
    "gesendet",
    "datum",
    "envoyé",
    "enviado",
    "enviado el",
    "enviada em",
    "fecha",
    "data",
    "inviato",
    "skickat",
    "sendt",
    "dato",
    "wysłano",
    "отправлено",
    "дата",
    "发送时间",
    "日期",
    "傳送時間",
    "寄件日期",
    "送信日時",
    "日付",
    "보낸 날짜",
    "verzonden",
    "lähetetty",
    "gönderildi",
    "sent at",
    "date sent",
];
const TO: &[&str] = &[
    "to",
    "an",
    "à",
    "para",
    "a",
    "till",
    "til",
    "do",
    "кому",
    "收件人",
    "收件者",
    "宛先",
    "받는 사람",
    "aan",
    "kime",
    "vastaanottaja",
];
const CC: &[&str] = &["cc", "kopie", "抄送", "副本", "kopia", "copie", "dw", "копия", "참조"];
const SUBJECT: &[&str] = &[
    "subject",
    "betreff",
    "objet",
    "asunto",
    "oggetto",
    "assunto",
    "ämne",
    "emne",
    "temat",
    "тема",
    "主题",
    "主旨",
    "件名",
    "제목",
    "onderwerp",
    "aihe",
    "konu",
];

/// "-----Original Message-----" and its kin.
static MARKER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\s*[-_*=]{2,}\s*(original message|forwarded message|original mail|reply message|replied message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d'origine|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|original besked|исходное сообщение|пересылаемое сообщение|原始邮件|邮件原件|原邮件|回复的原邮件|回复的邮件|轉寄郵件|转发邮件|元のメッセージ|원본 메일)\b?.{0,80}$|^\s*begin forwarded message:\s*$",
    )
    .ok()
});

/// Whether a copy of earlier mail starts on this line.
pub(super) fn starts(lines: &[&str], at: usize, first: u8) -> bool {
    let line = lines[at];
    match first {
        b'-' | b'_' | b'*' | b'=' if line.len() < 200 => {
            let rule =
                line.trim().len() >= 10 && line.trim().bytes().all(|b| b == b'_' || b == b'-');
            let below =
                || lines.iter().skip(at + 1).position(|l| !l.trim().is_empty()).map(|n| at + 1 + n);
            MARKER.as_ref().is_some_and(|m| m.is_match(line))
                || rule
                    && below().is_some_and(|next| next <= at + 2 && is_header_block(lines, next))
                || first == b'*' && is_header_block(lines, at)
        }
        b'B' | b'b' if line.len() < 40 && MARKER.as_ref().is_some_and(|m| m.is_match(line)) => true,
        b'F' | b'V' | b'v' | b'f' | b'D' | b'd' | b'O' | b'o' | b'L' | b'G' | 128.. => {
            is_header_block(lines, at)
        }
        _ => false,
    }
}

/// A From line, then within a few lines a date and a recipient or subject.
fn is_header_block(lines: &[&str], at: usize) -> bool {
    if field(lines[at]) != Some(Field::From) {
        return false;
    }
    let mut seen = [false; 4];
    for line in lines.iter().skip(at + 1).take(9) {
        match field(line) {
            Some(Field::Date) => seen[0] = true,
            Some(Field::To) => seen[1] = true,
            Some(Field::Subject) => seen[2] = true,
            Some(Field::Cc) => seen[3] = true,
            Some(Field::From) => return false,
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let [date, to, subject, _] = seen;
    date && (to || subject) || to && subject
}

fn field(line: &str) -> Option<Field> {
    let line = line.trim_start_matches(['*', ' ']);
    let end = line.find([':', '：']).filter(|&end| (1..=30).contains(&end))?;
    let name = line[..end].trim_matches(['*', ' ', '\u{3000}']).to_lowercase();
    let tables = [
        (FROM, Field::From),
        (DATE, Field::Date),
        (TO, Field::To),
        (CC, Field::Cc),
        (SUBJECT, Field::Subject),
    ];
    tables.iter().find(|(names, _)| names.contains(&name.as_str())).map(|(_, field)| *field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts_at(text: &str) -> bool {
        let lines: Vec<&str> = text.lines().collect();
        starts(&lines, 0, text.trim_start().bytes().next().unwrap_or(b'\n'))
    }

    #[test]
    fn header_blocks() {
        assert!(starts_at("From: Jo\nSent: Friday\nTo: Me\nSubject: x\n"));
        assert!(starts_at("________________________________\nFrom: Jo\nSent: Friday\nTo: Me\n"));
        assert!(starts_at("Von: Jo\nGesendet: Freitag\nAn: Ich\nBetreff: x\n"));
        assert!(starts_at("*From:* Jo\n*Sent:* Friday\n*To:* Me\n*Subject:* x\n"));
        assert!(starts_at("发件人： Jo\n发送时间： 2026\n收件人： x\n主题： y\n"));
        assert!(starts_at("-----Original Message-----\nFrom: x\n"));
        assert!(starts_at("Begin forwarded message:\n"));
        assert!(!starts_at("From: Jo Doe <jo@example.org>\n\nSubject line of a patch\n"));
        assert!(!starts_at("From: here\nto there\n"));
        assert!(!starts_at("----------\nmore words\n"));
    }
}
