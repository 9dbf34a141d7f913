//! The renderer: embedded templates, some of them replaced by the user's.

use std::collections::BTreeMap;

use tera::Tera;

use super::error::TemplateError;
use super::finish::{MOST_BYTES, finish};
use super::frame::Frame;
use super::letter::{EXTENTS, Sheet};
use super::{filter, samples};
use crate::embedded::TEMPLATES;
use crate::engine::Letter;
use crate::report::plain;

/// Words letters. Cheap to clone is not needed: build it once.
#[derive(Debug)]
pub struct Renderer {
    tera: Tera,
}

/// A worded letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Decoded, one line, without `Subject:`.
    pub subject: String,
    /// LF line ends; at most [`super::WIDTH`] columns a line (commands and addresses aside) and [`MOST_BYTES`] bytes where
    /// leaving out rows can reach that.
    pub text: String,
}

impl Renderer {
    /// The embedded templates, each replaced by a file of the same name in `overrides` (file name, text).
    ///
    /// # Errors
    ///
    /// Every mistake found: unknown file names, syntax, and what only shows when the samples of [`samples`] are rendered.
    pub fn new(overrides: &[(String, String)]) -> Result<Self, Vec<TemplateError>> {
        let mut texts: BTreeMap<&str, &str> = TEMPLATES.iter().copied().collect();
        let mut errors = Vec::new();
        for (file, text) in overrides {
            match texts.get_mut(file.as_str()) {
                Some(slot) => *slot = text,
                None => errors.push(unknown(file)),
            }
        }
        let tera = load(texts, &mut errors);
        let renderer = Self { tera };
        if errors.is_empty() {
            errors.extend(renderer.check());
        }
        if errors.is_empty() { Ok(renderer) } else { Err(errors) }
    }

    /// Renders every sample; what is wrong with a template shows here and not in the night.
    fn check(&self) -> Vec<TemplateError> {
        let mut errors: Vec<TemplateError> = Vec::new();
        for (letter, frame) in samples() {
            if let Err(error) = self.letter(&letter, &frame)
                && !errors.contains(&error)
            {
                errors.push(error);
            }
        }
        errors
    }

    /// Words a letter. A text over [`MOST_BYTES`] is worded again with fewer rows, then without plot and further tables.
    ///
    /// # Errors
    ///
    /// When the template cannot be rendered with this view, or has no subject line.
    pub fn letter(&self, letter: &Letter, frame: &Frame) -> Result<Rendered, TemplateError> {
        let mut extents = EXTENTS.into_iter().peekable();
        while let Some(extent) = extents.next() {
            let sheet = Sheet::of(letter, frame, extent);
            let rendered = self.render(&sheet, frame.ascii)?;
            if rendered.text.len() <= MOST_BYTES || extents.peek().is_none() {
                return Ok(rendered);
            }
        }
        // EXTENTS is not empty.
        Err(TemplateError::new("", "nothing was rendered", "report this as a bug"))
    }

    fn render(&self, sheet: &Sheet, ascii: bool) -> Result<Rendered, TemplateError> {
        let file = sheet.template;
        let text = self.tera.render(file, &sheet.context).map_err(|e| {
            let mut errors = TemplateError::from_tera(&e, file);
            errors.swap_remove(0)
        })?;
        let no_subject = || {
            let cure = "begin the file with `Subject: {{ subject }}` and an empty line";
            TemplateError {
                line: 1,
                column: 1,
                ..TemplateError::new(file, "no subject line", cure)
            }
        };
        let (subject, text) = text.split_once('\n').ok_or_else(no_subject)?;
        let subject = plain::one_line(subject.strip_prefix("Subject:").ok_or_else(no_subject)?);
        if subject.is_empty() {
            return Err(no_subject());
        }
        // A user's template may hold any letters.
        let text = if ascii { plain::ascii(text) } else { text.to_owned() };
        Ok(Rendered { subject, text: finish(&text) })
    }
}

/// All templates at once, as they include each other. A broken one is reported and its embedded original taken, so that the next
/// mistake is found too.
fn load(mut texts: BTreeMap<&str, &str>, errors: &mut Vec<TemplateError>) -> Tera {
    loop {
        let mut tera = Tera::new();
        filter::register(&mut tera);
        let Err(error) = tera.add_raw_templates(texts.clone()) else { return tera };
        let mut mended = false;
        for error in TemplateError::from_tera(&error, "") {
            let original = TEMPLATES.iter().find(|(name, _)| *name == error.file);
            if let (Some(slot), Some((_, original))) =
                (texts.get_mut(error.file.as_str()), original)
            {
                mended |= slot != original;
                *slot = original;
            }
            errors.push(error);
        }
        if !mended {
            return tera;
        }
    }
}

fn unknown(file: &str) -> TemplateError {
    let names: Vec<&str> = TEMPLATES.iter().map(|(name, _)| *name).collect();
    TemplateError::new(
        file,
        "no template has this name",
        format!("rename it to one of {}", names.join(", ")),
    )
}
