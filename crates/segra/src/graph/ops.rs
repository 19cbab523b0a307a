//! Any op without regions, by its definition; constants.

use super::{Built, Graph, Node};
use segra_ir::def::{Arity, OpParts, build_op, infer_result_types};
use segra_ir::{Attr, Loc, OpDef, OpState, OpView, Trait, Type, Value};
use segra_std::arith;

/// The parts of an op besides its operands.
#[derive(Clone, Copy, Debug, Default)]
pub struct With<'a> {
    /// Its own attributes by name.
    pub attrs: &'a [(&'a str, Attr)],
    /// The types of its results; `None`: inferred.
    pub results: Option<&'a [Type]>,
}

impl Graph {
    /// An op with one result whose type follows from the operands: arithmetic and functions on numbers.
    ///
    /// # Errors
    /// Operands that do not fit the op, at `loc`.
    pub fn apply<V: OpView>(&self, loc: Loc, operands: &[Node]) -> Built<Node> {
        self.apply_with::<V>(loc, operands, With::default())
    }

    /// An op with one result, such as a comparison (with its predicate) or a conversion (with its result type).
    ///
    /// # Errors
    /// As [`Graph::op`]; an op that has not one result.
    pub fn apply_with<V: OpView>(
        &self,
        loc: Loc,
        operands: &[Node],
        with: With<'_>,
    ) -> Built<Node> {
        match self.op(loc, V::DEF, operands, with)?[..] {
            [result] => Ok(result),
            _ => Err(self.error(loc, format!("`{}` has not one result", V::DEF.name))),
        }
    }

    /// Any op without regions, chosen at run time. Operands that the definition's single ones leave over are its list.
    ///
    /// # Errors
    /// Operands, attributes or types that do not fit the op, at `loc`; an op with regions or several lists of operands, or
    /// one that ends a block: those have methods of their own.
    pub fn op(
        &self,
        loc: Loc,
        def: &'static OpDef,
        operands: &[Node],
        with: With<'_>,
    ) -> Built<Vec<Node>> {
        let groups = self.grouped(loc, def, operands)?;
        self.grouped_op(loc, def, &groups, with)
    }

    /// A constant: an integer, a float, or a dense tensor.
    ///
    /// # Errors
    /// An attribute that is no constant.
    pub fn constant(&self, loc: Loc, value: Attr) -> Built<Node> {
        let attrs = [("value", value)];
        let with = With {
            attrs: &attrs,
            results: None,
        };
        self.apply_with::<arith::ConstantOp>(loc, &[], with)
    }

    /// A constant of type `index`.
    ///
    /// # Errors
    /// None but for a broken context.
    pub fn index(&self, loc: Loc, value: i64) -> Built<Node> {
        self.constant(loc, self.ctx.index_attr(value))
    }

    /// A constant of a number type: integers wrap at their width, floats round to nearest.
    ///
    /// # Errors
    /// A type that is no number's.
    pub fn number(&self, loc: Loc, value: f64, ty: Type) -> Built<Node> {
        let attr = match ty.float_kind(&self.ctx) {
            Some(kind) => self.ctx.float_bits_attr(kind.encode(value), ty),
            None if ty.is_integer_or_index(&self.ctx) => self.ctx.int_attr(value as i128, ty),
            None => {
                let found = segra_text::print_type(&self.ctx, ty);
                return Err(self.error(loc, format!("`{found}` is no number's type")));
            }
        };
        self.constant(loc, attr)
    }

    /// Operands as the fields of the definition take them.
    fn grouped<'n>(
        &self,
        loc: Loc,
        def: &'static OpDef,
        operands: &'n [Node],
    ) -> Built<Vec<&'n [Node]>> {
        let single = |arity| usize::from(arity == Arity::One);
        let fixed: usize = def.operands.iter().map(|field| single(field.arity)).sum();
        let lists = def.operands.len() - fixed;
        if lists > 1 {
            let message = format!(
                "`{}` has several lists of operands: it has a method of its own",
                def.name
            );
            return Err(self.error(loc, message));
        }
        let fits = operands.len() == fixed || lists == 1 && operands.len() > fixed;
        let Some(spare) = operands.len().checked_sub(fixed).filter(|_| fits) else {
            let message = format!(
                "`{}` takes {fixed} operands, not {}",
                def.name,
                operands.len()
            );
            return Err(self.error(loc, message));
        };
        let mut rest = operands;
        let mut groups = Vec::new();
        for field in def.operands {
            let taken = match field.arity {
                Arity::One => 1,
                Arity::Optional => spare.min(1),
                Arity::Variadic => spare,
            };
            let (group, others) = rest.split_at(taken);
            groups.push(group);
            rest = others;
        }
        Ok(groups)
    }

    /// The op with one group of operands per field.
    pub(super) fn grouped_op(
        &self,
        loc: Loc,
        def: &'static OpDef,
        groups: &[&[Node]],
        with: With<'_>,
    ) -> Built<Vec<Node>> {
        let mut values: Vec<Vec<Value>> = Vec::new();
        for group in groups {
            values.push(self.values(loc, group)?);
        }
        self.fitting(loc, def, &values, with)?;
        let types = self.result_types(loc, def, &values.concat(), with)?;
        let groups: Vec<&[Value]> = values.iter().map(Vec::as_slice).collect();
        let attrs: Vec<(&'static str, Option<Attr>)> = def
            .attrs
            .iter()
            .map(|field| {
                let given = with.attrs.iter().find(|given| given.0 == field.name);
                (field.name, given.map(|given| given.1))
            })
            .collect();
        let op = self.build(loc, |b| {
            let parts = OpParts {
                operands: &groups,
                attrs: &attrs,
                results: Some(&[&types]),
                ..OpParts::default()
            };
            build_op(b, def, parts)
        });
        self.verified(op)
    }

    /// Whether operands and attributes are such that types of results can be inferred from them.
    fn fitting(
        &self,
        loc: Loc,
        def: &'static OpDef,
        groups: &[Vec<Value>],
        with: With<'_>,
    ) -> Built<()> {
        let ctx = &self.ctx;
        let refused = |message: String| Err(self.error(loc, format!("`{}` {message}", def.name)));
        let several = |fields: usize| fields > 1;
        if !def.regions.is_empty()
            || !def.successors.is_empty()
            || def.traits.has(Trait::Terminator)
        {
            return refused("has regions or ends a block: it has a method of its own".to_owned());
        }
        if several(
            def.results
                .iter()
                .filter(|field| field.arity != Arity::One)
                .count(),
        ) {
            return refused("has several lists of results".to_owned());
        }
        for (field, group) in def.operands.iter().zip(groups) {
            for ty in self.types(group) {
                if !field.constraint.accepts(ctx, ty) {
                    let (name, wanted) = (field.name, field.constraint.describe());
                    let found = segra_text::print_type(ctx, ty);
                    return refused(format!(
                        "needs {wanted} for operand `{name}`, but this is `{found}`"
                    ));
                }
            }
        }
        for field in def.attrs {
            let given = with.attrs.iter().find(|given| given.0 == field.name);
            let fits = given.map_or(field.optional, |given| {
                field.constraint.accepts(ctx, given.1)
            });
            if !fits {
                let (name, wanted) = (field.name, field.constraint.describe());
                return refused(format!("needs {wanted} for attribute `{name}`"));
            }
        }
        let known = |name: &str| def.attrs.iter().any(|field| field.name == name);
        match with.attrs.iter().find(|given| !known(given.0)) {
            Some(other) => refused(format!("has no attribute `{}`", other.0)),
            None => Ok(()),
        }
    }

    fn result_types(
        &self,
        loc: Loc,
        def: &'static OpDef,
        operands: &[Value],
        with: With<'_>,
    ) -> Built<Vec<Type>> {
        if let Some(types) = with.results {
            return Ok(types.to_vec());
        }
        let mut state = OpState::new(self.ctx.op_name(def.name), loc);
        state.operands.extend_from_slice(operands);
        let named = with
            .attrs
            .iter()
            .map(|&(name, attr)| (self.ctx.ident(name), attr));
        state.properties.extend(named);
        let types = infer_result_types(&self.ir.borrow(), &state, def);
        types
            .map(|types| types.to_vec())
            .map_err(|reason| self.error(loc, format!("`{}`: {reason}", def.name)))
    }
}
