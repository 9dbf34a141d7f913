//! How many UIDs to list at once: what the server can bear, over gaps and on slow disks.

use super::ImapError;

/// Never more than this, however wide the gaps are.
const WIDEST: u32 = 500_000;
/// Never fewer.
const NARROWEST: u32 = 100;

/// Lives across connections: a server that fell silent over a list is asked for less the next time.
#[derive(Debug)]
pub(super) struct Listing {
    usual: u32,
    window: u32,
    sizeless: bool,
}

impl Listing {
    /// `usual` UIDs at once (see [`super::Limits`]).
    pub(super) fn new(usual: u32) -> Self {
        let usual = usual.clamp(1, WIDEST);
        Self { usual, window: usual, sizeless: false }
    }

    pub(super) fn window(&self) -> u32 {
        self.window
    }

    /// Sizes cannot be listed: one above 4 GiB makes the whole answer unreadable. The UIDs alone must do.
    pub(super) fn sizeless(&self) -> bool {
        self.sizeless
    }

    /// A window with nothing in it: the next is wider.
    pub(super) fn found_nothing(&mut self) {
        self.window = self.window.saturating_mul(4).min(WIDEST);
    }

    pub(super) fn found_some(&mut self) {
        self.window = self.window.min(self.usual);
    }

    pub(super) fn failed(&mut self, error: &ImapError) {
        match error {
            ImapError::Protocol(_) => self.sizeless = true,
            _ => self.window = (self.window.min(self.usual) / 4).max(NARROWEST.min(self.usual)),
        }
    }

    /// All has been listed.
    pub(super) fn done(&mut self) {
        *self = Self::new(self.usual);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_widen_the_window_and_mails_narrow_it_again() {
        let mut listing = Listing::new(10_000);
        (0..9).for_each(|_| listing.found_nothing());
        assert_eq!(listing.window(), WIDEST);
        listing.found_some();
        assert_eq!(listing.window(), 10_000);
    }

    #[test]
    fn silence_narrows_the_window_until_all_is_done() {
        let mut listing = Listing::new(10_000);
        let silence = ImapError::Lost("silent".into());
        listing.failed(&silence);
        listing.found_some();
        assert_eq!(listing.window(), 2500);
        (0..9).for_each(|_| listing.failed(&silence));
        assert_eq!(listing.window(), 100);
        listing.done();
        assert_eq!(listing.window(), 10_000);
        let mut tiny = Listing::new(3);
        tiny.failed(&silence);
        assert_eq!(tiny.window(), 3);
    }

    #[test]
    fn nonsense_gives_up_sizes_for_this_time() {
        let mut listing = Listing::new(10);
        listing.failed(&ImapError::Protocol("?".into()));
        assert!(listing.sizeless() && listing.window() == 10);
        listing.done();
        assert!(!listing.sizeless());
    }
}
