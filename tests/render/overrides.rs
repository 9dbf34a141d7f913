//! Templates of the user: one file replaces one file, and what is wrong is named where it is.

use regard::render::{Renderer, TemplateError, samples};

fn errors(file: &str, text: &str) -> Vec<TemplateError> {
    Renderer::new(&[(file.to_owned(), text.to_owned())]).expect_err("the template is wrong")
}

#[test]
fn one_file_replaces_one_file() {
    let mine =
        "Subject: {{ subject }}\n\nDear all, {{ lead.headline.metric | pad(width=30) }}moved.\n"
            .to_owned();
    let renderer = Renderer::new(&[("report.txt".to_owned(), mine)]).unwrap();
    let (letter, frame) = &samples()[0];
    let mail = renderer.letter(letter, frame).unwrap();
    assert_eq!(mail.text, "Dear all, hackbench.throughput          moved.\n");
    let (letter, frame) = &samples()[2];
    assert!(
        renderer
            .letter(letter, frame)
            .unwrap()
            .text
            .starts_with("FYI, we noticed a -10.0% improvement")
    );
}

#[test]
fn a_part_replaces_a_part_of_all() {
    let renderer =
        Renderer::new(&[("part-footer.txt".to_owned(), "\n-- \nthe lab\n".to_owned())]).unwrap();
    for (letter, frame) in samples() {
        assert!(renderer.letter(&letter, &frame).unwrap().text.ends_with("\n-- \nthe lab\n"));
    }
}

#[test]
fn mistakes_are_named_with_line_column_and_cure() {
    let cases = [
        ("report.txt", "Subject: x\n\n{{ lead.heading }}\n", 3, "heading"),
        ("report.txt", "Subject: x\n\n{{ lead.headline.metric | fxed }}\n", 3, "fxed"),
        ("report.txt", "Subject: x\n\n  {% if lead %}\n", 4, "end"),
        ("report.txt", "Hello\n", 1, "subject"),
        ("part-due.txt", "{{ nothing }}", 1, "nothing"),
        ("rapport.txt", "Subject: x\n\n", 0, "no template"),
        ("report.txt", "Subject: x\n\n{% include \"part-head.txt\" %}\n", 3, "part-head.txt"),
    ];
    for (file, text, line, word) in cases {
        let errors = errors(file, text);
        let error = &errors[0];
        assert_eq!((error.file.as_str(), error.line), (file, line), "{error}");
        assert!(error.to_string().to_lowercase().contains(word), "{error}");
        assert!(!error.cure.is_empty());
    }
}

#[test]
fn every_mistake_is_found_at_once() {
    let broken = |file: &str| (file.to_owned(), "Subject: x\n\n{{ }}\n".to_owned());
    let errors =
        Renderer::new(&[broken("report.txt"), broken("change.txt"), broken("nowhere.txt")])
            .unwrap_err();
    let mut files: Vec<&str> = errors.iter().map(|e| e.file.as_str()).collect();
    files.sort_unstable();
    assert_eq!(files, ["change.txt", "nowhere.txt", "report.txt"]);
}
