//! Rows of a text, found by the name in front of their tab.

/// An index over `name<TAB>values` lines: 8 bytes a row and slot, no row is looked at before it is asked for.
///
/// Open addressing, linear probing, at most two thirds full. A slot holds the upper half of the name's hash and the offset of its
/// line, plus one; 0 is an empty slot.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Table<'a> {
    text: &'a str,
    slots: Vec<(u32, u32)>,
}

/// A row: where its values begin. Rows of a sorted text are in the order of their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row(u32);

/// FNV-1a of 64 bits, with the last bits of a multiplication mixed in once more (its low ones are weak).
pub(super) fn hash(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'a> Table<'a> {
    /// An empty table for that many lines of a text. Longer texts than 4 GiB are not looked at beyond that.
    pub(super) fn new(text: &'a str, lines: usize) -> Self {
        Self { text, slots: vec![(0, 0); (lines + lines / 2 + 1).next_power_of_two()] }
    }

    /// Adds the line that begins at `start` and has its tab behind `name`. Of two with one name the last one counts.
    pub(super) fn add(&mut self, start: usize, name: &str) {
        let hash = hash(&[name]);
        let Ok(offset) = u32::try_from(start + 1) else { return };
        if let Some(at) = self.slot(hash, &[name]) {
            self.slots[at] = (tag(hash), offset);
        }
    }

    pub(super) fn get(&self, hash: u64, parts: &[&str]) -> Option<Row> {
        let (_, offset) = self.slots[self.slot(hash, parts)?];
        let name: usize = parts.iter().map(|part| part.len()).sum();
        // Behind the tab; the offset is one too large already.
        (offset > 0).then(|| Row(offset + name as u32))
    }

    /// The slot of a name, or the empty one where it belongs.
    fn slot(&self, hash: u64, parts: &[&str]) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                (_, 0) => return Some(at),
                (other, offset) if other == tag(hash) && self.is_named(offset, parts) => {
                    return Some(at);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn is_named(&self, offset: u32, parts: &[&str]) -> bool {
        let line = self.text.as_bytes().get(offset as usize - 1..).unwrap_or_default();
        let rest = parts.iter().try_fold(line, |line, part| line.strip_prefix(part.as_bytes()));
        rest.is_some_and(|rest| rest.first() == Some(&b'\t'))
    }

    /// What stands behind the tab, and whatever follows that line.
    pub(super) fn values(&self, row: Row) -> &'a [u8] {
        self.text.as_bytes().get(row.0 as usize..).unwrap_or_default()
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_the_parts_of_their_name() {
        let text = "a b\t1\nab\t2\nc\t3\n";
        let mut table = Table::new(text, 3);
        for (start, name) in [(0, "a b"), (6, "ab"), (11, "c")] {
            table.add(start, name);
        }
        let values = |parts: &[&str]| table.get(hash(parts), parts).map(|row| table.values(row)[0]);
        assert_eq!(values(&["a", " ", "b"]), Some(b'1'));
        assert_eq!(values(&["a", "b"]), Some(b'2'));
        assert_eq!(values(&["c"]), Some(b'3'));
        assert_eq!(values(&["a"]), None);
        assert!(table.get(hash(&["ab"]), &["ab"]) < table.get(hash(&["c"]), &["c"]));
        assert_eq!(Table::default().get(hash(&["c"]), &["c"]), None);
    }
}
