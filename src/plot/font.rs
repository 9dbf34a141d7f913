//! A font for pixels: SVG leaves letters to its viewer, PNG needs one from the system.

use std::path::Path;
use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

/// Where distributions put a plain sans-serif font.
const PLACES: &[&str] = &[
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
];

/// Makes `sans-serif` known to the drawing library, once.
///
/// # Errors
/// What to install when no font is found.
pub(super) fn register() -> Result<(), String> {
    static DONE: OnceLock<Result<(), String>> = OnceLock::new();
    DONE.get_or_init(|| {
        let own = std::env::var("REGARD_FONT").ok();
        let places = own.as_deref().into_iter().chain(PLACES.iter().copied());
        let Some(bytes) = places.map(Path::new).find_map(|path| std::fs::read(path).ok()) else {
            return Err("no font was found: install fonts-dejavu-core (Debian) or dejavu-sans-fonts (Fedora), or name a \
                        TrueType file in REGARD_FONT; SVG needs none"
                .to_owned());
        };
        // The library keeps fonts for the whole life of the process.
        register_font("sans-serif", FontStyle::Normal, Box::leak(bytes.into_boxed_slice()))
            .map_err(|_| "the font file is no TrueType font".to_owned())
    })
    .clone()
}
