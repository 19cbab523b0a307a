//! Constants made by folding: one op per (value, type), at the start of the entry block of the nearest op that is
//! isolated from above, so that all code that may need it sees it.

use segra_ir::entity::{NearMap, NearSet};
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, Block, Builder, InsertPoint, Ir, Loc, Op, Trait, Type};

/// Makes the op for a constant: by the dialect `preferred`, else by the first registered dialect that can.
pub fn materialize_constant(
    b: &mut Builder<'_>,
    preferred: &str,
    attr: Attr,
    ty: Type,
) -> Option<Op> {
    let ctx = b.ir.context();
    let first = ctx.dialect(preferred);
    let others = ctx.dialects().filter(|dialect| dialect.name != preferred);
    first
        .into_iter()
        .chain(others)
        .filter_map(|dialect| dialect.materialize_constant)
        .find_map(|make| make(b, attr, ty))
}

/// The constants of a program, each kept once per isolated region.
#[derive(Debug, Default)]
pub struct ConstantPool {
    known: NearMap<(Block, Type, Attr), Op>,
    /// The last of the constants that open a block.
    last: NearMap<Block, Op>,
    /// The blocks whose opening constants are known from the start; `None`: they are found as they are met.
    opened: Option<NearSet<Block>>,
}

impl ConstantPool {
    /// No constant known yet.
    pub fn new() -> ConstantPool {
        ConstantPool::default()
    }
    /// No constant known yet, for ops that are looked at from the last one to the first: constants that open a block stay in
    /// their order.
    pub fn from_below() -> ConstantPool {
        ConstantPool {
            opened: Some(NearSet::default()),
            ..ConstantPool::default()
        }
    }
    /// The block constants for code at `op` go to.
    pub fn home(ir: &Ir, op: Op) -> Option<Block> {
        let mut at = op;
        loop {
            let region = ir.block_region(ir.block_of(at)?)?;
            let parent = ir.region_parent(region)?;
            // Around an op nothing is known about, its region is as far as one may go.
            let ends = ir
                .info(parent)
                .is_none_or(|info| info.has(Trait::IsolatedFromAbove));
            if ends || ir.block_of(parent).is_none() {
                return ir.entry_block(region);
            }
            at = parent;
        }
    }
    /// Takes in a constant op found in the program: returns the equal one that is already known, or keeps this one,
    /// moved to its home.
    pub fn adopt(&mut self, ir: &mut Ir, op: Op) -> Adopted {
        if ir.num_results(op) != 1 {
            return Adopted::Kept;
        }
        let result = ir.result(op, 0);
        let (Some(attr), Some(home)) = (constant_of(ir, result), Self::home(ir, op)) else {
            return Adopted::Kept;
        };
        self.open(ir, home);
        let key = (home, ir.value_type(result), attr);
        match self.lookup(ir, key) {
            Some(known) if known == op => Adopted::Kept,
            Some(known) if ir.op_name(known) == ir.op_name(op) => Adopted::Duplicate(known),
            Some(_) => Adopted::Kept,
            None => {
                let moved = self.place(ir, home, op);
                self.known.insert(key, op);
                moved
            }
        }
    }
    /// The known op for a constant, unless a pattern moved or changed it behind the pool's back.
    fn lookup(&self, ir: &Ir, key: (Block, Type, Attr)) -> Option<Op> {
        let known = *self.known.get(&key)?;
        let holds = ir.block_of(known) == Some(key.0)
            && ir.num_results(known) == 1
            && constant_of(ir, ir.result(known, 0)) == Some(key.2);
        holds.then_some(known)
    }
    /// Takes in the constants that open a block, the first time it is met.
    fn open(&mut self, ir: &Ir, home: Block) {
        if !self
            .opened
            .as_mut()
            .is_some_and(|opened| opened.insert(home))
        {
            return;
        }
        let mut at = ir.first_op(home);
        while let Some(op) = at.filter(|&op| ir.has_trait(op, Trait::ConstantLike)) {
            at = ir.next_op(op);
            if ir.num_results(op) != 1 {
                return;
            }
            let result = ir.result(op, 0);
            if let Some(attr) = constant_of(ir, result) {
                let key = (home, ir.value_type(result), attr);
                self.known.entry(key).or_insert(op);
            }
            self.last.insert(home, op);
        }
    }
    /// Puts `op` after the constants that open `home`.
    fn place(&mut self, ir: &mut Ir, home: Block, op: Op) -> Adopted {
        let next = self.next(ir, home);
        self.last.insert(home, op);
        match next {
            Some(next) if next == op => Adopted::Kept,
            None => Adopted::Kept,
            Some(next) => {
                ir.move_before(op, next);
                Adopted::Moved
            }
        }
    }
    /// The first op after the constants that open `home`.
    fn next(&self, ir: &Ir, home: Block) -> Option<Op> {
        match self.last.get(&home) {
            Some(&last) if ir.block_of(last) == Some(home) => ir.next_op(last),
            _ => ir.first_op(home),
        }
    }
    /// The constant `attr` of type `ty` for code at `op`: a known one, or a new one. Second: whether it is new.
    pub fn get(&mut self, ir: &mut Ir, op: Op, attr: Attr, ty: Type) -> Option<(Op, bool)> {
        let home = Self::home(ir, op)?;
        self.open(ir, home);
        let key = (home, ty, attr);
        if let Some(known) = self.lookup(ir, key) {
            return Some((known, false));
        }
        let point = match self.next(ir, home) {
            Some(next) => InsertPoint::Before(next),
            None => InsertPoint::End(home),
        };
        let ctx = ir.context();
        let name = ctx.op_name_str(ir.op_name(op));
        let dialect = name.split('.').next().unwrap_or_default();
        // A constant serves many places, so it has the location of none.
        let mut b = Builder::new(ir, point, Loc::UNKNOWN);
        let made = materialize_constant(&mut b, dialect, attr, ty)?;
        self.last.insert(home, made);
        self.known.insert(key, made);
        Some((made, true))
    }
    /// Forgets an op that is about to be erased.
    pub fn forget(&mut self, ir: &Ir, op: Op) {
        if !ir.has_trait(op, Trait::ConstantLike) || ir.num_results(op) != 1 {
            return;
        }
        let result = ir.result(op, 0);
        if let (Some(attr), Some(block)) = (constant_of(ir, result), ir.block_of(op)) {
            let key = (block, ir.value_type(result), attr);
            if self.known.get(&key) == Some(&op) {
                self.known.remove(&key);
            }
            if self.last.get(&block) == Some(&op) {
                match ir.prev_op(op) {
                    Some(prev) => self.last.insert(block, prev),
                    None => self.last.remove(&block),
                };
            }
        }
    }
}

/// The outcome for a constant op found in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adopted {
    /// It stays where it is.
    Kept,
    /// It was moved to where constants are kept.
    Moved,
    /// This other op is the same constant.
    Duplicate(Op),
}
