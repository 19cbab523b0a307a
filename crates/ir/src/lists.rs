//! Lists of numbers by number (predecessors of blocks, children in a tree), two allocations for all of them.
//!
//! Made at once from rows, never changed afterwards.

/// One list of numbers for each of so many numbers, all in one vector.
#[derive(Debug, Default)]
pub struct Lists {
    /// Where each list begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// The lists of rows (list, item), items in the order of the rows, which are gone through twice.
    pub fn of<I: Iterator<Item = (u32, u32)>>(count: usize, rows: impl Fn() -> I) -> Lists {
        let mut starts = vec![0u32; count + 1];
        for (list, _) in rows() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..count {
            starts[list + 1] += starts[list];
        }
        let mut items = vec![0; starts[count] as usize];
        // Each start moves to the end of its list, which is where the next one begins.
        let mut ends = starts.clone();
        for (list, item) in rows() {
            let end = &mut ends[list as usize];
            items[*end as usize] = item;
            *end += 1;
        }
        Lists { starts, items }
    }
    /// How many lists there are.
    pub fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// The list of a number.
    pub fn list(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[test]
    fn rows_end_up_in_the_lists_they_name_in_their_order() {
        let rows = [(2, 7), (0, 1), (2, 5), (2, 7), (3, 0)];
        let lists = Lists::of(5, || rows.into_iter());
        let all: Vec<&[u32]> = (0..lists.count()).map(|index| lists.list(index)).collect();
        assert_eq!(all, [&[1][..], &[], &[7, 5, 7], &[0], &[]]);
        assert_eq!(Lists::default().count(), 0);
    }
}
