//! One file, many mistakes: each has its message at its place, from the reader or from the verifier on what could be
//! read.

use segra_ir::constraint::*;
use segra_ir::interfaces::SymbolUser;
use segra_ir::symbol::SymbolTables;
use segra_ir::*;
use segra_text::*;
use std::sync::Arc;

/// The module.
#[op(
    "builtin.module",
    traits(SymbolTable, NoTerminator, IsolatedFromAbove),
    format = "$body attr-dict"
)]
pub struct ModuleOp {
    body: AnyRegion,
}

/// A function.
#[op(
    "e.func",
    traits(IsolatedFromAbove, Symbol),
    format = "$sym_name $body attr-dict"
)]
pub struct FuncOp {
    sym_name: Attr<SymbolNameAttr>,
    body: AnyRegion,
}

/// A sum.
#[op(
    "e.add",
    traits(Pure, SameOperandsAndResultType),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct AddOp {
    lhs: Operand<AnyInteger>,
    rhs: Operand<AnyInteger>,
    result: OpResult<AnyInteger>,
}

/// A constant.
#[op(
    "e.const",
    traits(Pure, ConstantLike),
    format = "$value attr-dict `:` type($result)"
)]
pub struct ConstOp {
    value: Attr<I32Attr>,
    result: OpResult<AnyScalar>,
}

/// Ends a block.
#[op("e.end", traits(Terminator, ReturnLike), format = "attr-dict")]
pub struct EndOp {}

/// A call.
#[op("e.call", interfaces(SymbolUser), format = "$callee attr-dict")]
pub struct CallOp {
    callee: Attr<FlatSymbolRefAttr>,
}

impl SymbolUser for CallOp {
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    ) {
        let Some(callee) = ir.attr_named(op, "callee") else {
            return;
        };
        match tables.resolve(ir, op, callee) {
            Some(found) if ir.isa::<FuncOp>(found) => {}
            _ => {
                diags.error("calls what is no function");
            }
        }
    }
}

/// A branch.
#[op("e.br", traits(Terminator), format = "$dest attr-dict")]
pub struct BrOp {
    dest: Successor,
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "builtin",
        ops: vec![ModuleOp::DEF],
        ..Dialect::default()
    });
    let ops = vec![
        FuncOp::DEF,
        AddOp::DEF,
        ConstOp::DEF,
        EndOp::DEF,
        CallOp::DEF,
        BrOp::DEF,
    ];
    ctx.register(Dialect {
        name: "e",
        ops,
        ..Dialect::default()
    });
    ctx
}

/// Line and message of every error.
fn check(text: &str) -> Vec<(u32, String)> {
    let ctx = context();
    let parsed = parse_source(&ctx, "errors.mlir", text, &ParseOptions::default());
    let mut diags = parsed.diags;
    verify::verify(&parsed.ir, &mut diags);
    let line = |d: &Diagnostic| diag::file_position(&ctx, d.loc).map_or(0, |place| place.1);
    diags.iter().map(|d| (line(d), d.message.clone())).collect()
}

#[test]
fn mistakes_do_not_hide_each_other() {
    let found = check(
        "\
module {
  e.func @unknown_op {
    %0 = e.nothing : i32
    %1 = e.add %0, %0 : i32
    e.end
  }
  e.func @wrong_type {
    %0 = e.const 1 : i32
    %1 = e.add %0, %0 : i64
    e.end
  }
  e.func @wrong_constraint {
    %0 = e.const 1 : f32
    %1 = e.add %0, %0 : f32
    e.end
  }
  e.func @use_before_definition {
    %1 = e.add %0, %0 : i32
    %0 = e.const 1 : i32
    e.end
  }
  e.func @undefined {
    %1 = e.add %none, %none : i32
    e.end
  }
  e.func @no_terminator {
    %0 = e.const 1 : i32
  }
  e.func @bad_symbol {
    e.call @nobody
    e.end
  }
  e.func @malformed_attribute {
    e.call @undefined {x = dense<[1, [2]]> : tensor<2xi32>}
    e.end
  }
  e.func @duplicate {
    e.end
  }
  e.func @duplicate {
    e.end
  }
  e.func @malformed_header [ {
    e.end
  }
  e.func @calls_malformed {
    e.call @malformed_header
    e.br ^nowhere
  }
  e.func @unclosed {
    e.end
",
    );
    let lines: Vec<u32> = found.iter().map(|row| row.0).collect();
    // The reader's first, then the verifier's; one message per operand at fault.
    let read = [3, 9, 9, 23, 34, 43, 48, 51];
    let verified = [13, 14, 14, 14, 18, 18, 26, 30, 40];
    assert_eq!(lines, [&read[..], &verified].concat(), "{found:#?}");
}

#[test]
fn a_program_without_mistakes_has_no_messages() {
    assert_eq!(
        check("module {\n  e.func @f {\n    e.call @f\n    e.end\n  }\n}\n"),
        []
    );
}
