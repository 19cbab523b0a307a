//! Sizes of a script's matrices and vectors: which are the same, and what they are called.
//!
//! A size that a declaration names or counts is rigid; one that it leaves out becomes what calls make it equal to. Two
//! different rigid sizes never become one.

use segra::graph::Extent;
use std::collections::{HashMap, HashSet};

/// A size of a declared name or of a result.
pub(crate) type SizeId = usize;

/// A declaration's extent of a size, and where it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rigid {
    pub(crate) extent: Extent,
    pub(crate) at: usize,
}

impl Rigid {
    pub(crate) fn text(&self) -> String {
        match &self.extent {
            Extent::Named(name) => name.clone(),
            Extent::Fixed(extent) => extent.to_string(),
            Extent::Unknown => "?".to_owned(),
        }
    }
}

/// All sizes of a script, in classes of equal ones.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    /// The parent in the class; the root is its own.
    parents: Vec<SizeId>,
    /// The declaration of the class, if there is one; at its root.
    rigid: Vec<Option<Rigid>>,
    /// The name the size gets where nothing is said.
    fallback: Vec<String>,
    /// Sizes that have a name in declarations.
    named: HashMap<String, SizeId>,
}

impl Sizes {
    /// A size nothing is said of.
    pub(crate) fn open(&mut self, fallback: String) -> SizeId {
        self.add(None, fallback)
    }
    /// The size a declaration names.
    pub(crate) fn named(&mut self, name: &str, at: usize) -> SizeId {
        if let Some(&size) = self.named.get(name) {
            return size;
        }
        let extent = Extent::named(name);
        let size = self.add(Some(Rigid { extent, at }), name.to_owned());
        self.named.insert(name.to_owned(), size);
        size
    }
    /// A size that is a number.
    pub(crate) fn fixed(&mut self, extent: u32, at: usize) -> SizeId {
        let rigid = Rigid {
            extent: Extent::Fixed(extent),
            at,
        };
        self.add(Some(rigid), String::new())
    }
    fn add(&mut self, rigid: Option<Rigid>, fallback: String) -> SizeId {
        let size = self.parents.len();
        self.parents.push(size);
        self.rigid.push(rigid);
        self.fallback.push(fallback);
        size
    }

    fn root(&mut self, mut size: SizeId) -> SizeId {
        while self.parents[size] != size {
            // Paths are halved on the way.
            self.parents[size] = self.parents[self.parents[size]];
            size = self.parents[size];
        }
        size
    }

    /// Makes two sizes one.
    ///
    /// # Errors
    /// The two declarations, where they differ.
    pub(crate) fn unify(&mut self, a: SizeId, b: SizeId) -> Result<(), Box<(Rigid, Rigid)>> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        // The older root stays: the fallback name is that of the first size of the class.
        let (keep, join) = (a.min(b), a.max(b));
        match (&self.rigid[a], &self.rigid[b]) {
            (Some(one), Some(other)) if one.extent != other.extent => {
                return Err(Box::new((one.clone(), other.clone())));
            }
            (one, other) => {
                let rigid = one.clone().or_else(|| other.clone());
                self.rigid[keep] = rigid;
            }
        }
        self.parents[join] = keep;
        Ok(())
    }

    /// The extents, one per size: what was said, or else a name that no other class has.
    pub(crate) fn extents(&mut self) -> Vec<Extent> {
        let mut taken: HashSet<String> = self.named.keys().cloned().collect();
        let mut extents: Vec<Extent> = Vec::new();
        for size in 0..self.parents.len() {
            let root = self.root(size);
            // A root comes before the others of its class.
            let extent = match (extents.get(root), &self.rigid[root]) {
                (Some(known), _) => known.clone(),
                (None, Some(rigid)) => rigid.extent.clone(),
                (None, None) => {
                    let mut name = self.fallback[root].clone();
                    while !taken.insert(name.clone()) {
                        name.push('_');
                    }
                    Extent::Named(name)
                }
            };
            extents.push(extent);
        }
        extents
    }
}
