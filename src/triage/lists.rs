//! A list for each number, all in one piece of memory.

/// A search looks at hundreds of short lists: each with memory of its own would be a miss of the cache.
#[derive(Debug)]
pub(super) struct Lists<T> {
    ends: Vec<u32>,
    all: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { ends: Vec::new(), all: Vec::new() }
    }
}

impl<T> Lists<T> {
    pub(super) fn new(lists: Vec<Vec<T>>) -> Self {
        let mut flat = Self::default();
        for list in lists {
            flat.all.extend(list);
            flat.ends.push(flat.all.len() as u32);
        }
        flat
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn of(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[number] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_list() {
        let lists = Lists::new(vec![vec![], vec![1, 2], vec![], vec![3]]);
        let all: Vec<&[i32]> = (0..lists.len()).map(|number| lists.of(number)).collect();
        assert_eq!(all, [&[][..], &[1, 2], &[], &[3]]);
    }
}
