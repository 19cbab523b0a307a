//! The conversion of types, and the ops that stand between a value of an old type and values of the new ones.

use segra_ir::build::OpState;
use segra_ir::{Builder, Context, Op, Type, Value};
use smallvec::SmallVec;
use std::fmt;

/// The answer of one conversion for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Converted {
    /// It is not about this type.
    Skip,
    /// This type cannot be converted.
    Fail,
    /// It becomes these types: itself (legal), another, several, or none.
    To(Vec<Type>),
}

type TypeRule = Box<dyn Fn(&Context, Type) -> Converted + Send + Sync>;
/// Builds values of these types that stand for those values; `None`: it cannot.
type Materialization =
    Box<dyn Fn(&mut Builder<'_>, &[Type], &[Value]) -> Option<Vec<Value>> + Send + Sync>;

/// Name of the op that stands between types where no rule of the converter builds something better.
pub const CAST: &str = "builtin.unrealized_conversion_cast";

/// The converted types.
#[derive(Default)]
pub struct TypeConverter {
    rules: Vec<TypeRule>,
    to_new: Vec<Materialization>,
    to_old: Vec<Materialization>,
    to_old_arguments: Vec<Materialization>,
}

impl fmt::Debug for TypeConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeConverter({} rules)", self.rules.len())
    }
}

impl TypeConverter {
    /// A converter that knows no type.
    pub fn new() -> TypeConverter {
        TypeConverter::default()
    }
    /// Adds a rule; rules added later are asked first.
    pub fn rule(
        mut self,
        rule: impl Fn(&Context, Type) -> Converted + Send + Sync + 'static,
    ) -> Self {
        self.rules.push(Box::new(rule));
        self
    }
    /// Adds a way to make values of new types from values of old ones (MLIR: target materialization).
    pub fn target_materialization(
        mut self,
        build: impl Fn(&mut Builder<'_>, &[Type], &[Value]) -> Option<Vec<Value>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.to_new.push(Box::new(build));
        self
    }
    /// Adds a way to make values of old types from values of new ones (MLIR: source materialization): for old ops that
    /// stay, and for block arguments they use where no rule for arguments does.
    pub fn source_materialization(
        mut self,
        build: impl Fn(&mut Builder<'_>, &[Type], &[Value]) -> Option<Vec<Value>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.to_old.push(Box::new(build));
        self
    }
    /// Adds a way to make block arguments of old types from the new ones (MLIR: argument materialization): asked before
    /// source materializations, for arguments only.
    pub fn argument_materialization(
        mut self,
        build: impl Fn(&mut Builder<'_>, &[Type], &[Value]) -> Option<Vec<Value>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.to_old_arguments.push(Box::new(build));
        self
    }
    /// The conversion of a type; `None`: no rule converts it.
    pub fn convert(&self, ctx: &Context, ty: Type) -> Option<Vec<Type>> {
        for rule in self.rules.iter().rev() {
            match rule(ctx, ty) {
                Converted::Skip => {}
                Converted::Fail => return None,
                Converted::To(types) => return Some(types),
            }
        }
        None
    }
    /// The conversion of a type to exactly one type.
    pub fn convert_one(&self, ctx: &Context, ty: Type) -> Option<Type> {
        match self.convert(ctx, ty)?[..] {
            [one] => Some(one),
            _ => None,
        }
    }
    /// The conversions of several types, in a row.
    pub fn convert_all(&self, ctx: &Context, types: &[Type]) -> Option<Vec<Type>> {
        let converted: Option<Vec<Vec<Type>>> =
            types.iter().map(|&ty| self.convert(ctx, ty)).collect();
        converted.map(|types| types.concat())
    }
    /// Whether a type stays as it is.
    pub fn is_legal(&self, ctx: &Context, ty: Type) -> bool {
        self.convert(ctx, ty).is_some_and(|types| types == [ty])
    }
    /// The converter that does this and then the other.
    pub fn then(self, other: TypeConverter) -> TypeConverter {
        let (first, second) = (std::sync::Arc::new(self), std::sync::Arc::new(other));
        let (for_new, for_old, for_arguments) = (second.clone(), first.clone(), first.clone());
        TypeConverter::new()
            .rule(move |ctx, ty| match first.convert(ctx, ty) {
                None => Converted::Fail,
                Some(types) => second
                    .convert_all(ctx, &types)
                    .map_or(Converted::Fail, Converted::To),
            })
            .target_materialization(move |b, types, values| {
                for_new.build(&for_new.to_new, b, types, values)
            })
            .source_materialization(move |b, types, values| {
                for_old.build(&for_old.to_old, b, types, values)
            })
            .argument_materialization(move |b, types, values| {
                for_arguments.build(&for_arguments.to_old_arguments, b, types, values)
            })
    }
    fn build(
        &self,
        rules: &[Materialization],
        b: &mut Builder<'_>,
        types: &[Type],
        values: &[Value],
    ) -> Option<Vec<Value>> {
        rules.iter().rev().find_map(|rule| rule(b, types, values))
    }
    /// Values of new types for values of old ones.
    pub(super) fn to_new(
        &self,
        b: &mut Builder<'_>,
        types: &[Type],
        values: &[Value],
    ) -> Option<Vec<Value>> {
        self.build(&self.to_new, b, types, values)
    }
    /// Values of old types for values of new ones.
    pub(super) fn to_old(
        &self,
        b: &mut Builder<'_>,
        what: Materialized,
        types: &[Type],
        values: &[Value],
    ) -> Option<Vec<Value>> {
        let of_argument = match what {
            Materialized::Argument => self.build(&self.to_old_arguments, b, types, values),
            Materialized::Result => None,
        };
        of_argument.or_else(|| self.build(&self.to_old, b, types, values))
    }
}

/// The original of a value of an old type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Materialized {
    /// A block's argument.
    Argument,
    /// An op's result.
    Result,
}

/// The op that only says "these values stand for those".
pub(super) fn cast(b: &mut Builder<'_>, types: &[Type], values: &[Value]) -> Op {
    let mut state = OpState::new(b.ctx().op_name(CAST), b.loc);
    state.operands.extend_from_slice(values);
    state.result_types = SmallVec::from_slice(types);
    b.insert(state)
}
