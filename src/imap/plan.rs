//! Cuts what is on the server into batches.

use super::Limits;

/// A mail that is going to be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) uid: u32,
    /// As the server says.
    pub(super) size: u32,
    /// Only the first part of it.
    pub(super) cut: bool,
}

/// Batches in UID order of at most `limits.batch_mails` mails and `limits.batch_bytes` bytes. Up to and including
/// `careful`, each mail is a batch of its own: one of them breaks the connection, and we want to know which.
pub(super) fn batches(mut found: Vec<(u32, u32)>, careful: u32, limits: &Limits) -> Vec<Vec<Item>> {
    found.sort_unstable();
    found.dedup_by_key(|(uid, _)| *uid);
    let mut batches: Vec<Vec<Item>> = Vec::new();
    let mut bytes = 0;
    for (uid, size) in found {
        let cut = u64::from(size) > limits.mail_bytes;
        let cost = if cut { limits.cut_bytes } else { u64::from(size) };
        let room = batches.last().is_some_and(|batch| {
            batch.len() < limits.batch_mails
                && bytes + cost <= limits.batch_bytes
                && batch.last().is_some_and(|last| last.uid > careful)
        });
        let item = Item { uid, size, cut };
        match batches.last_mut() {
            Some(batch) if room => {
                batch.push(item);
                bytes += cost;
            }
            _ => {
                batches.push(vec![item]);
                bytes = cost;
            }
        }
    }
    batches
}

/// A UID set of RFC 3501 section 9: `3,7:9`. Rising UIDs expected.
pub(super) fn uid_set(uids: impl Iterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for uid in uids {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(uid) => *last = uid,
            _ => runs.push((uid, uid)),
        }
    }
    let text = runs.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}:{last}"),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(found: &[(u32, u32)], careful: u32) -> Vec<Vec<u32>> {
        let limits = Limits {
            batch_mails: 3,
            batch_bytes: 100,
            mail_bytes: 80,
            cut_bytes: 10,
            ..Limits::default()
        };
        let batches = batches(found.to_vec(), careful, &limits);
        batches.iter().map(|batch| batch.iter().map(|item| item.uid).collect()).collect()
    }

    #[test]
    fn batches_are_bounded_by_mails_and_bytes() {
        assert!(shape(&[], 0).is_empty());
        assert_eq!(shape(&[(4, 1), (1, 1), (2, 1), (3, 1), (3, 9)], 0), [vec![1, 2, 3], vec![4]]);
        assert_eq!(shape(&[(1, 60), (2, 60), (3, 40)], 0), [vec![1], vec![2, 3]]);
        // Too large to fetch whole: costs what is fetched of it.
        assert_eq!(shape(&[(1, 80), (2, 81), (3, u32::MAX), (4, 1)], 0), [vec![1, 2, 3], vec![4]]);
    }

    #[test]
    fn suspects_go_alone() {
        assert_eq!(shape(&[(1, 1), (2, 1), (3, 1), (4, 1)], 2), [vec![1], vec![2], vec![3, 4]]);
    }

    #[test]
    fn uid_sets_are_short() {
        assert_eq!(uid_set([3, 7, 8, 9, 11].into_iter()), "3,7:9,11");
        assert_eq!(uid_set([u32::MAX - 1, u32::MAX].into_iter()), "4294967294:4294967295");
        assert_eq!(uid_set(std::iter::empty()), "");
    }
}
