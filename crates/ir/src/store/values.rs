//! Operands, results, values, and the uses that connect them.

use super::*;

impl Ir {
    /// Number of operands.
    #[inline]
    pub fn num_operands(&self, op: Op) -> usize {
        self.ops[op].num_operands as usize
    }
    /// The `index`-th operand.
    #[inline]
    pub fn operand(&self, op: Op, index: usize) -> Value {
        let data = &self.ops[op];
        assert!(
            index < data.num_operands as usize,
            "operand {index} of `{}`",
            self.op_name_str(op)
        );
        self.used[Use::from_index(data.first_use as usize + index)]
            .expect("operands of live ops are set")
    }
    /// All operands.
    #[inline]
    pub fn operands(
        &self,
        op: Op,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + '_ {
        self.row_operands(&self.ops[op])
    }
    /// Replaces one operand.
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        let data = &self.ops[op];
        assert!(
            index < data.num_operands as usize,
            "operand {index} of `{}`",
            self.op_name_str(op)
        );
        self.set_use(Use::from_index(data.first_use as usize + index), value);
    }
    /// Replaces all operands; their number may change.
    pub fn set_operands(&mut self, op: Op, values: &[Value]) {
        if values.len() == self.num_operands(op) {
            for (index, &value) in values.iter().enumerate() {
                self.set_operand(op, index, value);
            }
            return;
        }
        self.release_operands(op);
        let first = self.alloc_operands(op, values);
        let data = &mut self.ops[op];
        (data.first_use, data.num_operands, data.signature) = (first, values.len() as u32, None);
    }
    /// Points a use slot at another value.
    pub fn set_use(&mut self, id: Use, value: Value) {
        if self.used[id] != Some(value) {
            let before = self.used[id].map(|before| self.values[before].ty);
            if before != Some(self.values[value].ty) {
                let owner = self.uses[id].owner;
                self.ops[owner].signature = None;
            }
            self.unlink_use(id);
            self.link_use(id, value);
        }
    }
    /// Number of results.
    #[inline]
    pub fn num_results(&self, op: Op) -> usize {
        self.ops[op].num_results as usize
    }
    /// The `index`-th result.
    #[inline]
    pub fn result(&self, op: Op, index: usize) -> Value {
        let data = &self.ops[op];
        assert!(
            index < data.num_results as usize,
            "result {index} of `{}`",
            self.op_name_str(op)
        );
        Value::from_index(data.first_result as usize + index)
    }
    /// All results.
    #[inline]
    pub fn results(
        &self,
        op: Op,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<> {
        let data = &self.ops[op];
        let first = data.first_result as usize;
        (first..first + data.num_results as usize).map(Value::from_index)
    }

    // ---- values ----

    /// Type.
    #[inline]
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }
    /// Changes the type; uses are not checked. Linear in the number of uses.
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        let data = &mut self.values[value];
        if std::mem::replace(&mut data.ty, ty) == ty {
            return;
        }
        // The signatures of the op that defines it and of all that use it are others now.
        let (def, mut next) = (data.def, data.first_use);
        if let ValueDef::Result { op, .. } = def {
            self.ops[op].signature = None;
        }
        while let Some(id) = next {
            let slot = &self.uses[id];
            next = slot.next;
            self.ops[slot.owner].signature = None;
        }
    }
    /// Where the value comes from.
    #[inline]
    pub fn value_def(&self, value: Value) -> ValueDef {
        self.values[value].def
    }
    /// The op whose result it is; `None` for block arguments.
    #[inline]
    pub fn defining_op(&self, value: Value) -> Option<Op> {
        match self.values[value].def {
            ValueDef::Result { op, .. } => Some(op),
            ValueDef::Argument { .. } => None,
        }
    }
    /// The block it is defined in.
    pub fn value_block(&self, value: Value) -> Option<Block> {
        match self.values[value].def {
            ValueDef::Result { op, .. } => self.block_of(op),
            ValueDef::Argument { block, .. } => Some(block),
        }
    }
    /// Whether a value is defined in a region of `op`, at any depth.
    pub fn is_defined_inside(&self, value: Value, op: Op) -> bool {
        let around = self
            .value_block(value)
            .and_then(|block| self.block_parent(block));
        around.is_some_and(|around| self.is_inside(around, op))
    }
    /// Whether a value is defined neither in a region of `op` nor by it.
    pub fn is_defined_outside(&self, value: Value, op: Op) -> bool {
        self.defining_op(value) != Some(op) && !self.is_defined_inside(value, op)
    }
    /// Location of the op, or of the block argument.
    pub fn value_loc(&self, value: Value) -> Loc {
        match self.values[value].def {
            ValueDef::Result { op, .. } => self.loc(op),
            ValueDef::Argument { .. } => self.arg_locs[value].unwrap_or(Loc::UNKNOWN),
        }
    }
    /// Changes the location of a block argument; results have that of their op.
    pub fn set_arg_loc(&mut self, argument: Value, loc: Loc) {
        if matches!(self.values[argument].def, ValueDef::Argument { .. }) {
            self.arg_locs[argument] = Some(loc);
        }
    }
    /// Whether anything uses it.
    #[inline]
    pub fn has_uses(&self, value: Value) -> bool {
        self.values[value].first_use.is_some()
    }
    /// Whether exactly one operand uses it.
    pub fn has_one_use(&self, value: Value) -> bool {
        self.values[value]
            .first_use
            .is_some_and(|id| self.uses[id].next.is_none())
    }
    /// All use slots, latest first.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = Use> + '_ {
        std::iter::successors(self.values[value].first_use, |&id| self.uses[id].next)
    }
    /// The op a use slot belongs to.
    pub fn use_owner(&self, id: Use) -> Op {
        self.uses[id].owner
    }
    /// The operand position of a use slot.
    pub fn use_index(&self, id: Use) -> usize {
        id.index() - self.ops[self.uses[id].owner].first_use as usize
    }
    /// The ops that use it (an op that uses it twice comes twice).
    pub fn users(&self, value: Value) -> impl Iterator<Item = Op> + '_ {
        self.uses(value).map(|id| self.uses[id].owner)
    }
    /// Makes every use of `from` a use of `to`.
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        if from == to {
            return;
        }
        while let Some(id) = self.values[from].first_use {
            self.set_use(id, to);
        }
    }
    /// Makes the uses of `from` for which `choose` holds uses of `to`.
    pub fn replace_uses_if(
        &mut self,
        from: Value,
        to: Value,
        mut choose: impl FnMut(&Ir, Use) -> bool,
    ) {
        let chosen: Vec<Use> = self.uses(from).collect();
        for id in chosen {
            if choose(self, id) {
                self.set_use(id, to);
            }
        }
    }
    /// Replaces an op's results by other values and erases it.
    pub fn replace_op(&mut self, op: Op, values: &[Value]) {
        assert_eq!(
            values.len(),
            self.num_results(op),
            "one replacement per result"
        );
        for (result, &value) in self.results(op).zip(values) {
            self.replace_all_uses(result, value);
        }
        self.erase_op(op);
    }
    /// The values `op` depends on: its operands and what its regions use from outside, each once, in the order of
    /// their first use. Linear in the size of `op`.
    pub fn free_values(&self, op: Op) -> Vec<Value> {
        let inner = self.walk(op);
        let inside: FxHashSet<Op> = inner.iter().copied().collect();
        let is_inside = |value: Value| match self.values[value].def {
            ValueDef::Result { op: def, .. } => def != op && inside.contains(&def),
            ValueDef::Argument { block, .. } => self
                .block_parent(block)
                .is_some_and(|parent| inside.contains(&parent)),
        };
        let (mut seen, mut free) = (FxHashSet::default(), Vec::new());
        for user in inner {
            for value in self.operands(user) {
                if !is_inside(value) && seen.insert(value) {
                    free.push(value);
                }
            }
        }
        free
    }
    /// The name a value had in the source text, without `%`.
    pub fn value_name(&self, value: Value) -> Option<Ident> {
        self.names[value]
    }
    /// Names a value for the text form, without `%`.
    pub fn set_value_name(&mut self, value: Value, name: Ident) {
        self.names[value] = Some(name);
    }
}
