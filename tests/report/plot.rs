//! Plot and sparkline: labelled, gaps where runs are missing, marks as in the legend, no zero by accident.

use regard::report::plot::{Group, Plot, plot, sparkline};

fn group(label: &str, runs: &[Option<f64>]) -> Group {
    Group { label: label.to_owned(), runs: runs.to_vec() }
}

fn some(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|v| Some(*v)).collect()
}

fn marks(plot: &Plot, mark: char) -> usize {
    plot.lines.iter().filter(|l| l.contains('|')).map(|l| l.matches(mark).count()).sum()
}

#[test]
fn a_small_plot() {
    let base = [Some(100.0), None, Some(101.0), Some(99.0)];
    let plot = plot(
        "x.score (points)",
        &[group("base 012345", &base), group("head 7c1e0f", &some(&[90.0, 91.0, 89.0]))],
        60,
        12,
    )
    .unwrap();
    let expected = "                       x.score (points)
           +---------------------------------------+
     101.6 |           *                           |
           | *              *                      |
           |                                       |
      95.9 |                                       |
           |                                       |
           |                                       |
      90.3 |                       O    O          |
      88.4 |                                 O     |
           +---------------------------------------+
             base 012345           head 7c1e0f";
    assert_eq!(plot.lines.join("\n"), expected);
    assert_eq!(plot.legend, ["[*] base 012345 (3 runs, 1 missing)", "[O] head 7c1e0f (3 runs)"]);
    assert_eq!((plot.from.as_str(), plot.to.as_str(), plot.missing), ("88.4", "101.6", 1));
}

#[test]
fn the_legend_counts_the_marks_that_are_drawn() {
    let plot = plot(
        "m",
        &[group("a", &some(&[5.0; 7])), group("b", &some(&[6.0; 4])), group("c", &some(&[7.0; 2]))],
        78,
        16,
    )
    .unwrap();
    assert_eq!((marks(&plot, '*'), marks(&plot, 'O'), marks(&plot, '#')), (7, 4, 2));
    assert_eq!(plot.legend, ["[*] a (7 runs)", "[O] b (4 runs)", "[#] c (2 runs)"]);
}

#[test]
fn the_axis_starts_at_zero_only_where_the_runs_do() {
    let axis = |a: f64, b: f64| plot("m", &[group("a", &some(&[a, b]))], 60, 12).unwrap().from;
    assert_eq!(axis(1000.0, 1010.0), "999.5");
    assert_eq!(axis(0.0, 10.0), "0");
    assert_eq!(axis(5.0, 5.0), "4.950");
    assert_eq!(axis(-10.0, -20.0), "-20.5");
}

#[test]
fn hundreds_of_runs_fit() {
    let many: Vec<Option<f64>> = (0..500).map(|i| Some(f64::from(i % 7))).collect();
    let plot =
        plot(&"long title ".repeat(20), &[group("a", &many), group("b", &many)], 78, 16).unwrap();
    // The title is the caller's to cut; frame and marks fit.
    assert!(plot.lines[1..].iter().all(|l| l.chars().count() <= 78));
    assert!(marks(&plot, '*') > 100 && marks(&plot, 'O') > 100);
}

#[test]
fn hostile_numbers_are_drawn_or_left_out() {
    for pair in [
        [1e308, -1e308],
        [f64::NAN, 1.0],
        [f64::INFINITY, 1.0],
        [f64::MIN_POSITIVE, 0.0],
        [0.0, 0.0],
        [-0.0, 5e-324],
    ] {
        let drawn = plot("m", &[group("a", &some(&pair)), group("b", &some(&pair))], 60, 12);
        if let Some(plot) = drawn {
            assert!(
                plot.lines.iter().all(|l| l.chars().count() <= 60 && !l.contains("NaN")),
                "{pair:?}"
            );
        }
    }
    assert!(plot("m", &[group("a", &[None, Some(1.0)])], 60, 12).is_none(), "one value is no plot");
    assert!(plot("m", &[], 60, 12).is_none());
}

#[test]
fn sparklines() {
    let line = |values: &[Option<f64>]| sparkline(values);
    assert_eq!(
        line(&[Some(1.0), None, Some(2.0), Some(3.0), Some(4.0), Some(5.0)]).as_deref(),
        Some("_?.-'^")
    );
    assert_eq!(line(&some(&[7.0, 7.0, 7.0])).as_deref(), Some("---"));
    assert_eq!(line(&some(&[7.0, 7.0])), None);
    assert_eq!(
        line(&[Some(1e308), Some(-1e308), Some(f64::NAN), Some(0.0)]).as_deref(),
        Some("^_?-")
    );
}
