//! SVG and PNG, drawn with the same strokes.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::text::levels;
use super::{History, amount, font, sentence};

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// No font for a PNG.
    #[error("{0}")]
    Font(String),
    /// Nothing to draw.
    #[error("the history holds no value")]
    Empty,
    /// The drawing library refused.
    #[error("drawing failed: {0}")]
    Draw(String),
}

/// Pixels.
const SIZE: (u32, u32) = (1000, 460);
/// A PNG is drawn that many times larger and averaged down: round dots, even letters.
const FINE: u32 = 3;
const LEFT: i32 = 90;
const RIGHT: i32 = 20;
const TOP: i32 = 44;
const BOTTOM: i32 = 80;

const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);
const QUIET: RGBColor = RGBColor(120, 120, 120);
const RUN: RGBColor = RGBColor(170, 190, 215);
const MEDIAN: RGBColor = RGBColor(31, 90, 160);
const STEP: RGBColor = RGBColor(200, 50, 40);

/// The history as an SVG document; letters are drawn by the viewer's own font.
///
/// # Errors
/// An empty history.
pub fn svg(history: &History) -> Result<String, PlotError> {
    let mut out = String::new();
    {
        let area = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
        draw(history, &area, 1)?;
    }
    Ok(out)
}

/// The history as a PNG file.
///
/// # Errors
/// An empty history; no font on this system.
pub fn png(history: &History) -> Result<Vec<u8>, PlotError> {
    font::register().map_err(PlotError::Font)?;
    let (width, height) = SIZE;
    let mut fine = vec![255u8; (width * height * 3 * FINE * FINE) as usize];
    {
        let size = (width * FINE, height * FINE);
        let area = BitMapBackend::with_buffer(&mut fine, size).into_drawing_area();
        draw(history, &area, FINE)?;
    }
    let pixels = averaged(&fine, width as usize, FINE as usize);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
    written.map_err(|error| PlotError::Draw(error.to_string()))?;
    Ok(file)
}

/// Means of squares of `side` pixels; rows of the result are `width` pixels of three bytes.
fn averaged(fine: &[u8], width: usize, side: usize) -> Vec<u8> {
    let row = width * side * 3;
    let mut pixels = Vec::with_capacity(fine.len() / (side * side));
    for rows in fine.chunks_exact(row * side) {
        for x in 0..width {
            for channel in 0..3 {
                let of = |dx: usize, dy: usize| {
                    u32::from(rows[dy * row + (x * side + dx) * 3 + channel])
                };
                let sum: u32 = (0..side)
                    .flat_map(|dy| (0..side).map(move |dx| (dx, dy)))
                    .map(|(dx, dy)| of(dx, dy))
                    .sum();
                pixels.push((sum / (side * side) as u32) as u8);
            }
        }
    }
    pixels
}

type Area<B> = DrawingArea<B, plotters::coord::Shift>;

fn draw<B: DrawingBackend>(history: &History, area: &Area<B>, scale: u32) -> Result<(), PlotError> {
    let (low, high) = history.range().ok_or(PlotError::Empty)?;
    let pen = Pen { area, scale, low, high, count: history.commits.len() };
    area.fill(&WHITE).map_err(failed)?;
    pen.frame(history)?;
    pen.curve(history)?;
    pen.steps(history)?;
    area.present().map_err(failed)
}

fn failed<E: std::error::Error>(error: E) -> PlotError {
    PlotError::Draw(error.to_string())
}

struct Pen<'a, B: DrawingBackend> {
    area: &'a Area<B>,
    /// Pixels of the canvas for one of the picture.
    scale: u32,
    low: f64,
    high: f64,
    count: usize,
}

impl<B: DrawingBackend> Pen<'_, B> {
    fn x(&self, index: f64) -> i32 {
        let width = f64::from(SIZE.0 as i32 - LEFT - RIGHT);
        LEFT + (width * (index + 0.5) / self.count.max(1) as f64).round() as i32
    }

    fn y(&self, value: f64) -> i32 {
        let height = f64::from(SIZE.1 as i32 - TOP - BOTTOM);
        TOP + (height * (self.high - value) / (self.high - self.low)).round() as i32
    }

    fn line(
        &self,
        from: (i32, i32),
        to: (i32, i32),
        color: RGBColor,
        width: u32,
    ) -> Result<(), PlotError> {
        let stroke = color.stroke_width(width * self.scale);
        self.area.draw(&PathElement::new(vec![self.at(from), self.at(to)], stroke)).map_err(failed)
    }

    fn dot(&self, at: (i32, i32), radius: u32, color: RGBColor) -> Result<(), PlotError> {
        let circle = Circle::new(self.at(at), radius * self.scale, color.filled());
        self.area.draw(&circle).map_err(failed)
    }

    /// A place of the picture on the canvas.
    fn at(&self, (x, y): (i32, i32)) -> (i32, i32) {
        (x * self.scale as i32, y * self.scale as i32)
    }

    fn write(
        &self,
        text: &str,
        at: (i32, i32),
        size: u32,
        color: RGBColor,
        to: HPos,
    ) -> Result<(), PlotError> {
        let style = TextStyle::from(("sans-serif", size * self.scale).into_font())
            .color(&color)
            .pos(Pos::new(to, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), self.at(at), style)).map_err(failed)
    }

    fn frame(&self, history: &History) -> Result<(), PlotError> {
        let unit = history.unit.as_deref().map_or(String::new(), |unit| format!(" [{unit}]"));
        let (right, bottom) = (SIZE.0 as i32 - RIGHT, SIZE.1 as i32 - BOTTOM);
        self.write(&format!("{}{unit}", history.title), (LEFT, TOP / 2), 18, INK, HPos::Left)?;
        let step = tick(self.high - self.low);
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high {
            let y = self.y(value);
            self.line((LEFT, y), (right, y), GRID, 1)?;
            self.write(&amount(value), (LEFT - 8, y), 13, INK, HPos::Right)?;
            value += step;
        }
        let legend = "light: runs, dark: medians of commits, red: levels between steps";
        self.write(legend, (right, bottom + 38), 13, QUIET, HPos::Right)?;
        self.line((LEFT, TOP), (LEFT, bottom), INK, 1)?;
        self.line((LEFT, bottom), (right, bottom), INK, 1)?;
        // As many commit names as fit, the first and the last among them.
        let shown = self.count.clamp(1, 6);
        for i in 0..shown {
            let index = if shown == 1 { 0 } else { i * (self.count - 1) / (shown - 1) };
            let Some(commit) = history.commits.get(index) else { continue };
            let x = self.x(index as f64);
            self.line((x, bottom), (x, bottom + 4), INK, 1)?;
            let to = if i == 0 {
                HPos::Left
            } else if i + 1 == shown {
                HPos::Right
            } else {
                HPos::Center
            };
            self.write(&commit.id, (x, bottom + 16), 13, INK, to)?;
        }
        Ok(())
    }

    fn curve(&self, history: &History) -> Result<(), PlotError> {
        let mut last: Option<(i32, i32)> = None;
        for (index, commit) in history.commits.iter().enumerate() {
            let x = self.x(index as f64);
            for run in &commit.runs {
                self.dot((x, self.y(*run)), 2, RUN)?;
            }
            // A commit without a run is a gap, never a fall to zero.
            let here = commit.median.map(|median| (x, self.y(median)));
            if let (Some(from), Some(to)) = (last, here) {
                self.line(from, to, MEDIAN, 1)?;
            }
            if let Some(at) = here {
                self.dot(at, 3, MEDIAN)?;
            }
            last = here;
        }
        Ok(())
    }

    fn steps(&self, history: &History) -> Result<(), PlotError> {
        for (from, to, level) in levels(history) {
            let y = self.y(level);
            self.line((self.x(from as f64 - 0.5), y), (self.x(to as f64 - 0.5), y), STEP, 2)?;
        }
        let bottom = SIZE.1 as i32 - BOTTOM;
        for (i, seen) in history.steps.iter().enumerate() {
            let x = self.x(seen.index as f64 - 0.5);
            self.line((x, TOP), (x, bottom), STEP, 1)?;
            let change =
                seen.step.percent().map_or_else(String::new, |percent| format!("{percent:+.1} %"));
            self.write(&change, (x + 4, TOP + 8), 13, STEP, HPos::Left)?;
            if i < 2 {
                self.write(
                    &sentence(seen),
                    (LEFT, bottom + 38 + 18 * i as i32),
                    13,
                    STEP,
                    HPos::Left,
                )?;
            }
        }
        if history.steps.is_empty() {
            self.write("no step", (LEFT, bottom + 38), 13, INK, HPos::Left)?;
        }
        Ok(())
    }
}

/// A round distance that gives four to nine ticks.
fn tick(range: f64) -> f64 {
    let rough = range / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let digit = rough / power;
    power
        * if digit < 1.5 {
            1.0
        } else if digit < 3.5 {
            2.0
        } else if digit < 7.5 {
            5.0
        } else {
            10.0
        }
}
