//! The syntax tree of a PTX module: names are still text, opcodes are still words.
//!
//! Scopes (`{ … }` inside a body) are numbered; registers, variables and labels belong to one, and a name is
//! looked up from the innermost scope outwards. Nothing here says what an instruction means.

use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// An operand as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand<'a> {
    /// A register, special register, variable, label or function.
    Name(&'a str),
    /// `!%p`
    Not(&'a str),
    Int(i64),
    /// `0f…`: the bits.
    F32(u32),
    /// `0d…` or a decimal number: the bits.
    F64(u64),
    /// `name+offset`
    Offset(&'a str, i64),
    /// `a|b`
    Pair(&'a str, &'a str),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`
    List(Vec<Operand<'a>>),
    /// `[base+offset]`
    Address {
        base: Option<&'a str>,
        offset: i64,
    },
    /// `[a, {b, c}]`: tensor and texture coordinates.
    Compound(Vec<Operand<'a>>),
}

/// `@p` or `@!p`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'a> {
    pub(crate) register: &'a str,
    pub(crate) negated: bool,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction<'a> {
    pub(crate) line: u32,
    pub(crate) scope: u32,
    pub(crate) guard: Option<Guard<'a>>,
    pub(crate) opcode: &'a str,
    pub(crate) operands: Vec<Operand<'a>>,
    pub(crate) location: Option<Location>,
}

/// A `.loc`: file number, line, column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// One value of an initialiser.
#[derive(Clone, Debug)]
pub(crate) enum Initial<'a> {
    Int(i64),
    F32(u32),
    F64(u64),
    Symbol {
        name: &'a str,
        offset: i64,
        generic: bool,
    },
}

/// A variable in any state space.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    pub(crate) space: Space,
    pub(crate) ty: Type,
    pub(crate) align: u32,
    pub(crate) bytes: u64,
    pub(crate) external: bool,
    pub(crate) initial: Vec<Initial<'a>>,
    pub(crate) line: u32,
}

/// A formal parameter of an entry or function.
#[derive(Clone, Debug)]
pub(crate) struct Formal<'a> {
    pub(crate) variable: Variable<'a>,
    /// `.reg` formals live in registers, all others in parameter space.
    pub(crate) in_register: bool,
}

/// `.reg .b32 %r<7>` (a range) or `.reg .b32 x` (one).
#[derive(Clone, Debug)]
pub(crate) struct RegisterDecl {
    pub(crate) ty: Type,
    pub(crate) count: Option<u32>,
}

/// An entry or function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) is_entry: bool,
    pub(crate) has_body: bool,
    pub(crate) line: u32,
    pub(crate) params: Vec<Formal<'a>>,
    pub(crate) results: Vec<Formal<'a>>,
    pub(crate) max_threads: Option<[u32; 3]>,
    pub(crate) required_threads: Option<[u32; 3]>,
    /// Parent of each scope; scope 0 is the body and has none.
    pub(crate) scopes: Vec<Option<u32>>,
    pub(crate) registers: FxHashMap<(u32, &'a str), RegisterDecl>,
    pub(crate) variables: FxHashMap<(u32, &'a str), Variable<'a>>,
    /// Labels name the index of the instruction they stand before.
    pub(crate) labels: FxHashMap<(u32, &'a str), u32>,
    /// `.branchtargets` lists, by label.
    pub(crate) branch_targets: FxHashMap<(u32, &'a str), Vec<&'a str>>,
    pub(crate) instructions: Vec<Instruction<'a>>,
}

impl<'a> Function<'a> {
    /// Looks `name` up from `scope` outwards in one of the maps above.
    pub(crate) fn resolve<'m, T>(
        &self,
        map: &'m FxHashMap<(u32, &'a str), T>,
        scope: u32,
        name: &'a str,
    ) -> Option<(u32, &'m T)> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(found) = map.get(&(scope, name)) {
                return Some((scope, found));
            }
            at = self.scopes.get(scope as usize).copied().flatten();
        }
        None
    }
}

/// A whole module.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModuleAst<'a> {
    pub(crate) target: &'a str,
    pub(crate) version: &'a str,
    /// Line of the `.target`.
    pub(crate) target_line: u32,
    pub(crate) functions: Vec<Function<'a>>,
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) files: FxHashMap<u32, &'a str>,
    /// Functions (by index) whose address is taken: those a call through a register may reach.
    pub(crate) addressed: Vec<usize>,
}
