//! Histories drawn as text, SVG and PNG.

use std::path::Path;

use regard::plot::{History, PlotError, png, svg, text};
use regard::stats::Measured;

/// Compares with a golden file; `REGARD_BLESS=1` rewrites it.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plot").join(name);
    if std::env::var_os("REGARD_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, found).expect("written");
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    if wanted != found {
        panic!(
            "{name} differs:\n{}",
            similar::TextDiff::from_lines(wanted.as_str(), found).unified_diff()
        );
    }
}

/// `count` commits around the level of each, deterministic, three runs each; every 17th came back without a run.
fn history(levels: &[(usize, f64)]) -> Vec<Measured> {
    let mut seed = 9u64;
    let mut dice = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    let levels = levels.iter().flat_map(|&(count, level)| std::iter::repeat_n(level, count));
    levels
        .enumerate()
        .map(|(i, level)| {
            let mut run = || if i % 17 == 16 { None } else { Some(level * (1.0 + 0.01 * dice())) };
            Measured { commit: format!("v6.{i}"), runs: vec![run(), run(), run()] }
        })
        .collect()
}

fn stepped() -> History {
    History::new(
        "unixbench on lab-a: unixbench.score",
        Some("score"),
        &history(&[(40, 13300.0), (30, 12600.0)]),
    )
}

#[test]
fn a_step_as_text() {
    let history = stepped();
    assert_eq!(history.steps.len(), 1);
    golden("step.txt", &text(&history));
}

#[test]
fn many_commits_share_columns() {
    let long = History::new("long", None, &history(&[(150, 5.0), (150, 5.5), (151, 5.0)]));
    let drawn = text(&long);
    assert!(drawn.lines().all(|line| line.chars().count() <= 120), "{drawn}");
    golden("long.txt", &drawn);
}

#[test]
fn nothing_to_draw_is_said_so() {
    let empty = History::new(
        "empty",
        Some("ms"),
        &[Measured { commit: "v6.0".to_owned(), runs: vec![None] }],
    );
    assert_eq!(text(&empty), "empty [ms]\nno values\n");
    assert_eq!(svg(&empty), Err(PlotError::Empty));
    let single =
        History::new("one", None, &[Measured { commit: "v6.0".to_owned(), runs: vec![Some(0.0)] }]);
    assert!(text(&single).contains('*'));
    assert!(svg(&single).expect("drawn").contains("</svg>"));
}

#[test]
fn an_svg_needs_no_font_and_names_the_step() {
    golden("step.svg", &svg(&stepped()).expect("drawn"));
}

#[test]
fn a_title_cannot_break_out_of_the_svg() {
    let nasty = History::new("<script>alert(1)</script>&", None, &history(&[(5, 1.0)]));
    let drawn = svg(&nasty).expect("drawn");
    assert!(!drawn.contains("<script"), "{drawn}");
}

#[test]
fn a_png_is_a_picture_of_the_size_that_was_asked() {
    let bytes = match png(&stepped()) {
        Ok(bytes) => bytes,
        Err(PlotError::Font(what)) => {
            assert!(what.contains("fonts-dejavu-core"), "{what}");
            return;
        }
        Err(other) => panic!("{other}"),
    };
    // To look at it: REGARD_PNG=picture.png.
    if let Some(path) = std::env::var_os("REGARD_PNG") {
        std::fs::write(path, &bytes).expect("written");
    }
    let decoder = ::png::Decoder::new(std::io::Cursor::new(&bytes));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (1000, 460));
    let red = pixels.chunks_exact(3).filter(|p| p[0] > 180 && p[1] < 80 && p[2] < 80).count();
    assert!(red > 500, "the step is drawn in red: {red} pixels");
}
