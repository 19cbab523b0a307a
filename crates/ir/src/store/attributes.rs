//! Attributes of ops, and which operands, results, regions and successors belong to which field of a definition.

use super::*;
use crate::def::Arity;

impl Ir {
    /// The inherent attributes (MLIR: properties).
    pub fn properties(&self, op: Op) -> Dict {
        self.ops[op].properties
    }
    /// The discardable attributes.
    pub fn discardable_attrs(&self, op: Op) -> Dict {
        self.ops[op].attrs
    }
    /// Replaces the inherent attributes.
    pub fn set_properties(&mut self, op: Op, dict: Dict) {
        let data = &mut self.ops[op];
        (data.properties, data.signature) = (dict, None);
    }
    /// Replaces the discardable attributes.
    pub fn set_discardable_attrs(&mut self, op: Op, dict: Dict) {
        let data = &mut self.ops[op];
        (data.attrs, data.signature) = (dict, None);
    }
    /// The attribute of that name, inherent first.
    #[inline]
    pub fn attr(&self, op: Op, name: Ident) -> Option<Attr> {
        let data = &self.ops[op];
        self.ctx
            .lookup(data.properties, name)
            .or_else(|| self.ctx.lookup(data.attrs, name))
    }
    /// The attribute of that name, given as text. Interns nothing: threads that ask do not meet.
    pub fn attr_named(&self, op: Op, name: &str) -> Option<Attr> {
        let data = &self.ops[op];
        [data.properties, data.attrs]
            .into_iter()
            .filter(|&dict| dict != Dict::EMPTY)
            .find_map(|dict| {
                let entry = self
                    .ctx
                    .entries(dict)
                    .iter()
                    .find(|entry| self.ctx.str(entry.0) == name);
                entry.map(|entry| entry.1)
            })
    }
    /// The `index`-th inherent attribute of the op's definition.
    pub fn inherent_attr(&self, op: Op, index: usize) -> Option<Attr> {
        let name = *self.info(op)?.attr_names.get(index)?;
        self.attr(op, name)
    }
    /// Sets or removes an attribute; the definition decides whether it is inherent.
    pub fn set_attr(&mut self, op: Op, name: Ident, attr: Option<Attr>) {
        let ctx = self.ctx.clone();
        let inherent = self.info(op).is_some_and(|info| info.is_inherent(name));
        let data = &mut self.ops[op];
        let dict = if inherent {
            &mut data.properties
        } else {
            &mut data.attrs
        };
        let mut entries = ctx.entries(*dict).to_vec();
        entries.retain(|entry| entry.0 != name);
        entries.extend(attr.map(|attr| (name, attr)));
        *dict = ctx.dict(&entries);
        data.signature = None;
    }
    /// Sets or removes an attribute by the text of its name.
    pub fn set_attr_named(&mut self, op: Op, name: &str, attr: Option<Attr>) {
        let name = self.ctx.ident(name);
        self.set_attr(op, name, attr);
    }
    /// Operand positions of the `group`-th operand field, by the definition and the segment sizes.
    ///
    /// Empty where the op does not have that many operands (an op that does not verify).
    pub fn operand_group(&self, op: Op, group: usize) -> Range<usize> {
        let Some(info) = self.info(op) else {
            return 0..0;
        };
        let arities = info.def.operands.iter().map(|operand| operand.arity);
        self.group_range(
            op,
            group,
            arities,
            info.operand_segments,
            self.num_operands(op),
        )
    }
    /// Result positions of the `group`-th result field.
    pub fn result_group(&self, op: Op, group: usize) -> Range<usize> {
        let Some(info) = self.info(op) else {
            return 0..0;
        };
        let arities = info.def.results.iter().map(|result| result.arity);
        self.group_range(
            op,
            group,
            arities,
            info.result_segments,
            self.num_results(op),
        )
    }

    /// Replaces the operands of the `group`-th operand field; segment sizes follow.
    pub fn set_operand_group(&mut self, op: Op, group: usize, values: &[Value]) {
        let range = self.operand_group(op, group);
        let old = range.len();
        let mut operands: Vec<Value> = self.operands(op).collect();
        operands.splice(range, values.iter().copied());
        self.set_operands(op, &operands);
        let Some(name) = self
            .info(op)
            .and_then(|info| info.operand_segments)
            .filter(|_| old != values.len())
        else {
            return;
        };
        let sizes = self
            .attr(op, name)
            .and_then(|attr| attr.as_dense_i64(&self.ctx))
            .unwrap_or_default();
        let mut sizes: Vec<i32> = sizes.into_iter().map(|size| size as i32).collect();
        if let Some(size) = sizes.get_mut(group) {
            *size = values.len() as i32;
        }
        let attr = self.ctx.dense_i32_attr(&sizes);
        self.set_attr(op, name, Some(attr));
    }

    /// Region positions of the `group`-th region field: one, but all that are left for a variadic one (the last).
    pub fn region_group(&self, op: Op, group: usize) -> Range<usize> {
        let fields = self.info(op).map_or(&[][..], |info| info.def.regions);
        last_group(
            fields.get(group).map(|field| field.arity),
            group,
            self.regions(op).len(),
        )
    }
    /// Successor positions of the `group`-th successor field, likewise.
    pub fn successor_group(&self, op: Op, group: usize) -> Range<usize> {
        let fields = self.info(op).map_or(&[][..], |info| info.def.successors);
        last_group(
            fields.get(group).map(|field| field.arity),
            group,
            self.successors(op).len(),
        )
    }

    fn group_range(
        &self,
        op: Op,
        group: usize,
        arities: impl ExactSizeIterator<Item = Arity> + Clone,
        segments: Option<Ident>,
        total: usize,
    ) -> Range<usize> {
        if let Some(name) = segments {
            let sizes = self
                .attr(op, name)
                .and_then(|attr| attr.as_dense_i64(&self.ctx))
                .unwrap_or_default();
            let size = |index: usize| sizes.get(index).copied().unwrap_or(0).max(0) as usize;
            let start: usize = (0..group).map(size).sum();
            let start = start.min(total);
            return start..(start + size(group)).min(total);
        }
        let fields = arities.len();
        let loose = arities.clone().position(|arity| arity != Arity::One);
        let flexible = (total + usize::from(loose.is_some())).saturating_sub(fields);
        let range = match loose {
            Some(at) if group == at => group..group + flexible,
            Some(at) if group > at => group + flexible - 1..group + flexible,
            _ => group..group + 1,
        };
        range.start.min(total)..range.end.min(total)
    }
}

fn last_group(arity: Option<Arity>, group: usize, total: usize) -> Range<usize> {
    let start = group.min(total);
    match arity {
        None => 0..0,
        Some(Arity::One) => start..(start + 1).min(total),
        Some(_) => start..total,
    }
}
