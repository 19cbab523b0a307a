//! The rows of the table: scalar ops by the types the verifier accepts, grouped by the types of their operands.

use super::{TYPES, values};
use segra::ir::def::{OpDef, Trait};
use segra::ir::verify::{VerifyOptions, verify_op};
use segra::ir::{Context, FloatKind};
use segra_artifact::Scalar;
use segra_text::{ParseOptions, parse_source};
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

/// Ops that are no function of numbers, or have no evaluation: formats with scales need types that are not here.
const NO_FUNCTIONS: &[&str] = &[
    "arith.constant",
    "arith.scaling_extf",
    "arith.scaling_truncf",
];

/// Functions that are approximated.
const APPROXIMATED: &[&str] = &[
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atan2",
    "math.atanh",
    "math.cbrt",
    "math.cos",
    "math.cosh",
    "math.erf",
    "math.erfc",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.fpowi",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.rsqrt",
    "math.sin",
    "math.sincos",
    "math.sinh",
    "math.tan",
    "math.tanh",
];

/// Ops that kernels refuse.
pub(crate) const NOT_IN_KERNELS: &[&str] = &["arith.remf", "math.clampf", "math.ipowi"];

/// Ops that host code refuses.
pub(crate) const NOT_ON_HOSTS: &[&str] = &[
    "arith.addui_extended",
    "arith.mulsi_extended",
    "arith.mului_extended",
    "math.clampf",
    "math.fma",
    "math.ipowi",
    "math.isfinite",
    "math.isinf",
    "math.isnan",
    "math.isnormal",
];

/// Ops that stop where the divisor is zero.
pub(crate) const DIVISIONS: &[&str] = &[
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.divsi",
    "arith.divui",
    "arith.floordivsi",
    "arith.remsi",
    "arith.remui",
];

/// Ops whose right operand is a constant, too: kernels treat those apart.
const WITH_CONSTANTS: &[&str] = &["arith.shli", "arith.shrsi", "arith.shrui"];

/// An op on operands of a group.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    name: &'static str,
    predicate: Option<i64>,
    operands: Vec<Operand>,
    operand_types: Vec<&'static str>,
    results: Vec<&'static str>,
}

#[derive(Clone, Debug)]
enum Operand {
    /// A column of the group's rows.
    Column(usize),
    Constant(Scalar),
}

/// Ops on the same operands.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) operands: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Scalar>>,
    pub(crate) cases: Vec<Case>,
}

impl Group {
    /// Types of all results, case by case.
    pub(crate) fn results(&self) -> Vec<&'static str> {
        self.cases
            .iter()
            .flat_map(|case| case.results.iter().copied())
            .collect()
    }
    /// The ops, and names of their results; `column` names the operands.
    pub(crate) fn text(&self, column: &dyn Fn(usize) -> String) -> (String, Vec<String>) {
        let (mut text, mut values) = (String::new(), Vec::new());
        for case in &self.cases {
            let mut operands = Vec::new();
            for (index, operand) in case.operands.iter().enumerate() {
                operands.push(match operand {
                    Operand::Column(number) => column(*number),
                    Operand::Constant(value) => {
                        let (name, value) = (
                            format!("%vk{}", values.len()),
                            values::literal(case.operand_types[index], *value),
                        );
                        writeln!(text, "{name} = arith.constant {value}")
                            .expect("a string takes it");
                        name
                    }
                });
            }
            let names: Vec<String> = (0..case.results.len())
                .map(|it| format!("%v{}", values.len() + it))
                .collect();
            writeln!(
                text,
                "{}",
                case.text(&names.join(", "), &operands.join(", "))
            )
            .expect("a string takes it");
            values.extend(names);
        }
        (text, values)
    }
    /// The op that a result is of.
    pub(crate) fn describe(&self, result: usize) -> String {
        let mut results = self
            .cases
            .iter()
            .flat_map(|case| case.results.iter().map(move |_| case));
        results.nth(result).map(Case::describe).unwrap_or_default()
    }
    /// Without these ops.
    pub(crate) fn without(&self, names: &[&str]) -> Group {
        let mut group = self.clone();
        group.cases.retain(|case| !names.contains(&case.name));
        group
    }
    /// This op alone.
    pub(crate) fn only(&self, name: &str) -> Option<Group> {
        let mut group = self.clone();
        group.cases.retain(|case| case.name == name);
        (!group.cases.is_empty()).then_some(group)
    }
}

impl Case {
    fn text(&self, results: &str, operands: &str) -> String {
        let predicate = self
            .predicate
            .map(|it| format!(" <{{predicate = {it} : i64}}>"))
            .unwrap_or_default();
        format!(
            "{results} = \"{}\"({operands}){predicate} : ({}) -> ({})",
            self.name,
            self.operand_types.join(", "),
            self.results.join(", ")
        )
    }
    fn describe(&self) -> String {
        let operands: Vec<String> = self
            .operands
            .iter()
            .map(|operand| match operand {
                Operand::Column(number) => format!("#{number}"),
                Operand::Constant(value) => value.to_string(),
            })
            .collect();
        self.text("", &operands.join(", ")).replacen(" = ", "", 1)
    }
}

/// The groups whose last operand has this type.
pub(crate) fn groups(ty: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut add = |operands: &[&'static str], divides: bool, case: Case| {
        let rows = || rows(operands, divides);
        let same = |group: &&mut Group| group.operands == operands && (group.divides() == divides);
        match groups.iter_mut().find(same) {
            Some(group) => group.cases.push(case),
            None => groups.push(Group {
                operands: operands.to_vec(),
                rows: rows(),
                cases: vec![case],
            }),
        }
    };
    for case in table()
        .iter()
        .filter(|case| case.operand_types.last() == Some(&ty))
    {
        let divides = DIVISIONS.contains(&case.name);
        add(&case.operand_types, divides, case.clone());
        let [left, right] = case.operand_types[..] else {
            continue;
        };
        if left == right {
            let operands = vec![Operand::Column(0), Operand::Column(0)];
            add(
                &[left],
                divides,
                Case {
                    operands,
                    ..case.clone()
                },
            );
        }
        if divides || WITH_CONSTANTS.contains(&case.name) {
            for value in values::few(right)
                .into_iter()
                .filter(|&value| !divides || values::is_divisor(value))
            {
                let operands = vec![Operand::Column(0), Operand::Constant(value)];
                add(
                    &[left],
                    false,
                    Case {
                        operands,
                        ..case.clone()
                    },
                );
            }
        }
    }
    groups
}

impl Group {
    /// Whether rows have divisors.
    fn divides(&self) -> bool {
        let divisor = |operand: Option<&Operand>| matches!(operand, Some(Operand::Column(_)));
        self.cases
            .iter()
            .any(|case| DIVISIONS.contains(&case.name) && divisor(case.operands.last()))
    }
}

/// Values for operands of these types.
fn rows(types: &[&str], divides: bool) -> Vec<Vec<Scalar>> {
    let mut rows: Vec<Vec<Scalar>> = vec![Vec::new()];
    for (index, ty) in types.iter().enumerate() {
        let mut values = if types.len() == 1 {
            values::all(ty)
        } else {
            values::few(ty)
        };
        if types.len() > 2 && index + 1 < types.len() {
            // Of three operands two take fewer values.
            values = values.into_iter().step_by(3).collect();
        }
        if divides && index + 1 == types.len() {
            values.retain(|&value| values::is_divisor(value));
        }
        rows = rows
            .iter()
            .flat_map(|row| {
                values
                    .iter()
                    .map(|&value| [row.as_slice(), &[value]].concat())
            })
            .collect();
    }
    rows
}

/// All ops on all types that the verifier accepts.
pub(crate) fn table() -> &'static [Case] {
    static TABLE: OnceLock<Vec<Case>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let ctx = segra::context();
        let dialects = ctx
            .dialects()
            .filter(|dialect| ["arith", "math"].contains(&dialect.name));
        let defs: Vec<&'static OpDef> = dialects
            .flat_map(|dialect| dialect.ops.iter().copied())
            .collect();
        defs.into_iter().flat_map(|def| cases(&ctx, def)).collect()
    })
}

/// The exact results of an op, by type.
fn cases(ctx: &Arc<Context>, def: &'static OpDef) -> Vec<Case> {
    if NO_FUNCTIONS.contains(&def.name) || APPROXIMATED.contains(&def.name) {
        return Vec::new();
    }
    let one = def.traits.has(Trait::SameOperandsAndResultType);
    let same = one || def.traits.has(Trait::SameTypeOperands);
    let fits = |constraints: Vec<&'static dyn segra::ir::constraint::TypeConstraint>,
                equal: bool| {
        let mut tuples: Vec<Vec<&'static str>> = vec![Vec::new()];
        for constraint in constraints {
            let accepted: Vec<&'static str> = TYPES
                .into_iter()
                .filter(|ty| constraint.accepts(ctx, type_of(ctx, ty)))
                .collect();
            let extended = tuples.iter().flat_map(|tuple| {
                let alike = accepted
                    .iter()
                    .filter(move |&&ty| !equal || tuple.first().is_none_or(|&it| it == ty));
                alike.map(move |&ty| [tuple.as_slice(), &[ty]].concat())
            });
            tuples = extended.collect();
        }
        tuples
    };
    let operands = fits(def.operands.iter().map(|it| it.constraint).collect(), same);
    let results = fits(def.results.iter().map(|it| it.constraint).collect(), one);
    let predicates: Vec<Option<i64>> = match def.attrs.iter().any(|attr| !attr.optional) {
        true => (0..16).map(Some).collect(),
        false => vec![None],
    };
    let mut cases = Vec::new();
    for operand_types in &operands {
        for results in results
            .iter()
            .filter(|results| !one || results.first() == operand_types.first())
        {
            for &predicate in &predicates {
                let columns = (0..operand_types.len()).map(Operand::Column).collect();
                let case = Case {
                    name: def.name,
                    predicate,
                    operands: columns,
                    operand_types: operand_types.clone(),
                    results: results.clone(),
                };
                if is_accepted(ctx, &case) {
                    cases.push(case);
                }
            }
        }
    }
    cases
}

fn type_of(ctx: &Context, name: &str) -> segra::ir::Type {
    match name {
        "index" => ctx.index(),
        "f16" => ctx.float(FloatKind::F16),
        "bf16" => ctx.float(FloatKind::BF16),
        "f32" => ctx.f32(),
        "f64" => ctx.f64(),
        integer => ctx.integer(integer[1..].parse().expect("an integer type of the table")),
    }
}

fn is_accepted(ctx: &Arc<Context>, case: &Case) -> bool {
    let params: Vec<String> = case
        .operand_types
        .iter()
        .enumerate()
        .map(|(index, ty)| format!("%a{index}: {ty}"))
        .collect();
    let names = |letter: char, count: usize| {
        (0..count)
            .map(|index| format!("%{letter}{index}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let text = format!(
        "func.func @f({}) {{\n{}\nfunc.return\n}}\n",
        params.join(", "),
        case.text(
            &names('r', case.results.len()),
            &names('a', case.operands.len())
        )
    );
    let parsed = parse_source(ctx, "op.mlir", &text, &ParseOptions::default());
    let (ir, mut diags) = (parsed.ir, parsed.diags);
    if !diags.has_errors() {
        verify_op(&ir, ir.root(), &VerifyOptions::default(), &mut diags);
    }
    !diags.has_errors()
}

/// Names of ops that are neither in the table nor listed, and of listed ones that do not exist.
pub(crate) fn missing() -> Vec<&'static str> {
    let ctx = segra::context();
    let dialects = ctx
        .dialects()
        .filter(|dialect| ["arith", "math"].contains(&dialect.name));
    let names: Vec<&'static str> = dialects
        .flat_map(|dialect| dialect.ops.iter().map(|def| def.name))
        .collect();
    let listed = [NO_FUNCTIONS, APPROXIMATED].concat();
    let has_row = |name: &str| table().iter().any(|case| case.name == name);
    let without_row = names
        .iter()
        .filter(|name| !listed.contains(name) && !has_row(name));
    let mut missing: Vec<&'static str> = without_row.copied().collect();
    missing.extend(
        [&listed, DIVISIONS, WITH_CONSTANTS]
            .concat()
            .into_iter()
            .filter(|name| !names.contains(name)),
    );
    missing
}
