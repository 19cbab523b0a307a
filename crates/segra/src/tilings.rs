//! Which nests of a program may be tiled, and which schedules are tried for them, taken or declined.
//!
//! Deliberately absent: the choice itself, and the dependences (`segra-schedule`).

use crate::compile::Compiler;
use crate::failure::Failure;
use crate::program::Program;
use segra_ir::diag::file_position;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op};
use segra_kernel::segop::SegmentedOp;
use segra_pass::options::PassOptions;
use segra_pass::{Pass, Pipeline, PipelineItem};
use segra_schedule::tile::{Explained, Verdict, explained, given_schedules};
use segra_schedule::{ApplySchedules, TileBlocks};
use segra_std::func::FuncOp;

/// A nest.
#[derive(Clone, Debug)]
pub struct Nest {
    /// `kernel.segmap`, with the extents of its space where they are constants.
    pub what: String,
    /// `file:line:column`; empty where unknown.
    pub place: String,
    /// Direction vectors: a line with the loops' names, then one for each dependence.
    pub dependences: Vec<String>,
    /// Schedules, in the order in which they are tried.
    pub tried: Vec<Tried>,
}

/// A schedule.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Which shape of tiles it is, or where it comes from.
    pub shape: String,
    /// As text; none where the nest has none.
    pub schedule: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome for a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program gives it.
    Given,
    /// It is taken, under these conditions, if any.
    Taken(Vec<String>),
    /// It is not: why, and the place of the op that stands in its way.
    Declined {
        /// To be read after "the nest".
        reason: String,
        /// `file:line:column`; empty where unknown.
        place: String,
    },
}

/// The nests of a program that the compiler's pipeline would tile, or not: as they are where it does.
///
/// # Errors
/// A pass before fails, or a schedule of the program is refused.
pub fn tilings(compiler: &Compiler, program: Program) -> Result<Vec<Nest>, Failure> {
    let ir = program.into_ir();
    let ctx = ir.context();
    let mut before = compiler.pipeline(&ctx, &compiler.options().pipeline)?;
    let named = |pipeline: &Pipeline, name: &str| {
        pipeline.items.iter().position(|item| match item {
            PipelineItem::Pass(pass) => pass.info().name == name,
            PipelineItem::Nested(_) => false,
        })
    };
    let mut found = Vec::new();
    let name = |pass: &dyn Pass| pass.info().name;
    let (given, chosen) = (ApplySchedules::default(), TileBlocks::default());
    let first = [name(&given), name(&chosen)]
        .into_iter()
        .filter_map(|name| named(&before, name))
        .min()
        .unwrap_or(before.items.len());
    let mut rest = Pipeline::on("builtin.module");
    rest.items = before.items.split_off(first);
    let ir = compiler.run(ir, &before, None)?.ir;
    for (function, _) in functions(&ir) {
        let nests = given_schedules(&ir, function);
        found.extend(nests.into_iter().map(|nest| shown(&ir, nest)));
    }
    let Some(at) = named(&rest, name(&chosen)) else {
        return Ok(found);
    };
    let pass = rest.items.split_off(at).into_iter().next();
    let mut options = TileBlocks::default();
    if let Some(PipelineItem::Pass(pass)) = pass {
        for option in pass.option_texts() {
            let set = match &option.value {
                Some(value) => options.set_option(&option.name, Some(value)),
                None => Ok(()),
            };
            set.map_err(|error| Failure::new(ctx.clone(), error.to_string()))?;
        }
    }
    let mut ir = compiler.run(ir, &rest, None)?.ir;
    for (function, name) in functions(&ir) {
        let nests = explained(&mut ir, function, &name, &options);
        let nests = nests.map_err(|fault| Failure::new(ctx.clone(), fault))?;
        found.extend(nests.into_iter().map(|nest| shown(&ir, nest)));
    }
    Ok(found)
}

/// Functions with their names.
fn functions(ir: &Ir) -> Vec<(Op, String)> {
    let all = ir.walk(ir.root()).into_iter();
    let name = |op| symbol_name(ir, op).map_or(String::new(), |name| ir.ctx().str(name).to_owned());
    all.filter(|&op| ir.isa::<FuncOp>(op))
        .map(|op| (op, name(op)))
        .collect()
}

fn shown(ir: &Ir, nest: Explained) -> Nest {
    let sizes = ir
        .interface::<dyn SegmentedOp>(nest.op)
        .map(|model| model.sizes(ir, nest.op));
    let sizes: Vec<String> = sizes
        .unwrap_or_default()
        .into_iter()
        .map(|size| {
            let known = ir.constant_int(size);
            known.map_or_else(|| "?".to_owned(), |size| size.to_string())
        })
        .collect();
    let tried = nest.tried.into_iter().map(|tried| Tried {
        shape: tried.shape.to_owned(),
        schedule: tried.schedule.map(|schedule| schedule.to_string()),
        outcome: match tried.verdict {
            Verdict::Given => Outcome::Given,
            Verdict::Taken(conditions) => Outcome::Taken(conditions),
            Verdict::Declined(refusal) => Outcome::Declined {
                place: place(ir, refusal.op),
                reason: refusal.reason,
            },
        },
    });
    Nest {
        what: format!("{} over {}", ir.op_name_str(nest.op), sizes.join(" x ")),
        place: place(ir, nest.op),
        dependences: nest
            .dependences
            .to_string()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect(),
        tried: tried.collect(),
    }
}

fn place(ir: &Ir, op: Op) -> String {
    file_position(ir.ctx(), ir.loc(op)).map_or(String::new(), |(file, line, column)| {
        format!("{}:{line}:{column}", ir.ctx().str(file))
    })
}
