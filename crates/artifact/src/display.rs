//! The readable dump of an artifact: signatures, host plans, kernels, checks. Printed, never parsed.

use crate::manifest::{
    Access, Artifact, Branch, Dim, Entry, EntryParam, EntryResult, KernelParam, ParamType,
    ResultType, Side,
};
use crate::plan::{Instr, LaunchInstr, Plan};
use crate::{BlockId, ElemType, Slot};
use std::fmt::{self, Write as _};

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let producer = match &*self.producer {
            "" => "unknown",
            producer => producer,
        };
        writeln!(f, "artifact by {producer}")?;
        for target in &self.targets {
            let (chip, bytes) = (&target.chip, target.ptx.len());
            writeln!(f, "target {chip}: {bytes} bytes of PTX")?;
        }
        for tunable in &self.tunables {
            let (name, default) = (&tunable.name, tunable.default);
            write!(
                f,
                "tunable {name} = {default} in {}..={}",
                tunable.min, tunable.max
            )?;
            if let Some(Branch { tunable, side }) = tunable.under {
                let side = if side == Side::Below {
                    "below"
                } else {
                    "at least"
                };
                write!(f, " where {side} {}", self.tunable_name(tunable))?;
            }
            let location = self.location_text(tunable.location);
            writeln!(f, "  // {}, {location}", tunable.compared)?;
        }
        for (index, site) in self.check_sites.iter().enumerate() {
            let location = self.location_text(site.location);
            writeln!(f, "site{index} {:?}  // {location}", site.message)?;
        }
        for kernel in &self.kernels {
            let params: Vec<String> = kernel.params.iter().map(kernel_param).collect();
            write!(f, "kernel @{}({})", kernel.name, params.join(", "))?;
            let (threads, shared) = (kernel.max_threads_per_block, kernel.static_shared_bytes);
            write!(
                f,
                " at most {threads} threads, {shared} bytes of shared memory"
            )?;
            writeln!(f, "{}", comment(&kernel.summary))?;
        }
        for entry in &self.entries {
            let location = self.location_text(entry.location);
            writeln!(f, "{}  // {location}", signature(entry))?;
        }
        for plan in &self.plans {
            writeln!(f)?;
            PlanPrinter {
                artifact: self,
                plan,
                out: f,
            }
            .plan()?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&signature(self))
    }
}

fn comment(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("  // {text}")
    }
}

fn kernel_param(param: &KernelParam) -> String {
    match param {
        KernelParam::Buffer { elem, access } => {
            let access = match access {
                Access::Read => "read",
                Access::Write => "write",
                Access::ReadWrite => "readwrite",
            };
            format!("{access} buffer<{elem}>")
        }
        KernelParam::Scalar(elem) => elem.to_string(),
        KernelParam::TensorMap(map) => {
            let rank = usize::from(map.rank).min(map.extents.len());
            let boxes = map.extents_of_box[..rank].iter().map(ToString::to_string);
            let boxes: Vec<String> = boxes.collect();
            let lines = if map.in_lines { " in lines" } else { "" };
            format!("tensor_map<{}, box {}{lines}>", map.elem, boxes.join("x"))
        }
        KernelParam::ErrorRecord => "error_record".to_owned(),
    }
}

fn signature(entry: &Entry) -> String {
    let params: Vec<String> = entry
        .params
        .iter()
        .map(|param| entry_param(entry, param))
        .collect();
    let results: Vec<String> = entry
        .results
        .iter()
        .map(|result| entry_result(entry, result))
        .collect();
    format!(
        "entry {}({}) -> ({})",
        entry.name,
        params.join(", "),
        results.join(", ")
    )
}

fn entry_param(entry: &Entry, param: &EntryParam) -> String {
    let ty = match &param.ty {
        ParamType::Scalar(elem) => elem.to_string(),
        ParamType::Size(size) => format!("size {}", entry.size_name(*size)),
        ParamType::Array { elem, dims } => array(entry, *elem, dims),
    };
    format!("{}: {ty}", param.name)
}

fn entry_result(entry: &Entry, result: &EntryResult) -> String {
    let ty = match &result.ty {
        ResultType::Scalar(elem) => elem.to_string(),
        ResultType::Array { elem, dims } => array(entry, *elem, dims),
    };
    if result.name.is_empty() {
        ty
    } else {
        format!("{}: {ty}", result.name)
    }
}

fn array(entry: &Entry, elem: ElemType, dims: &[Dim]) -> String {
    let dims: Vec<String> = dims
        .iter()
        .map(|dim| match dim {
            Dim::Const(extent) => extent.to_string(),
            Dim::Size(size) => entry.size_name(*size),
            Dim::Any => "?".to_owned(),
        })
        .collect();
    format!("{elem}[{}]", dims.join(", "))
}

fn slots(slots: &[Slot]) -> String {
    slots
        .iter()
        .map(Slot::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Enum variants are named as in the text: `FloorDiv` prints `floordiv`.
fn op_name(op: &dyn fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}

struct PlanPrinter<'a, 'f, 'g> {
    artifact: &'a Artifact,
    plan: &'a Plan,
    out: &'f mut fmt::Formatter<'g>,
}

impl PlanPrinter<'_, '_, '_> {
    fn typed(&self, list: &[Slot]) -> String {
        let typed = |slot: &Slot| match self.plan.slot_type(*slot) {
            Some(ty) => format!("{slot}: {ty}"),
            None => slot.to_string(),
        };
        list.iter().map(typed).collect::<Vec<_>>().join(", ")
    }

    fn plan(&mut self) -> fmt::Result {
        let params = self.typed(&self.plan.params);
        writeln!(self.out, "plan @{}({params}) {{", self.plan.name)?;
        self.block(Plan::BODY, "return", 1)?;
        self.out.write_str("}\n")
    }

    fn indent(&mut self, depth: usize) -> fmt::Result {
        (0..depth).try_for_each(|_| self.out.write_str("  "))
    }

    fn block(&mut self, id: BlockId, end: &str, depth: usize) -> fmt::Result {
        let plan = self.plan;
        // A dump is also made of artifacts that do not validate, so this walk must end by itself.
        let Some(block) = plan.block(id).filter(|_| depth <= crate::MAX_NESTING + 1) else {
            self.indent(depth)?;
            return writeln!(self.out, "...");
        };
        for stmt in &block.stmts {
            self.indent(depth)?;
            let defs = stmt.instr.defs();
            if !defs.is_empty() {
                let defs = self.typed(defs);
                write!(self.out, "{defs} = ")?;
            }
            self.instr(&stmt.instr, depth)?;
            match stmt
                .location
                .and_then(|id| self.artifact.source_map.render(id))
            {
                Some(place) => writeln!(self.out, "  // {place}")?,
                None => self.out.write_char('\n')?,
            }
        }
        self.indent(depth)?;
        let text = format!("{end} {}", slots(&block.results));
        writeln!(self.out, "{}", text.trim_end())
    }

    fn launch(&mut self, launch: &LaunchInstr) -> fmt::Result {
        let name = match self.artifact.kernels.get(launch.kernel.index()) {
            Some(kernel) => format!("@{}", kernel.name),
            None => launch.kernel.to_string(),
        };
        let (grid, block) = (slots(&launch.grid), slots(&launch.block));
        write!(self.out, "launch {name} grid ({grid}) block ({block})")?;
        if let Some(shared) = launch.dynamic_shared {
            write!(self.out, " shared {shared}")?;
        }
        write!(self.out, " ({})", slots(&launch.args))
    }

    fn instr(&mut self, instr: &Instr, depth: usize) -> fmt::Result {
        match instr {
            Instr::Const { value, .. } => write!(self.out, "const {value}"),
            Instr::Unary { op, src, .. } => write!(self.out, "{} {src}", op_name(op)),
            Instr::Binary { op, lhs, rhs, .. } => write!(self.out, "{} {lhs}, {rhs}", op_name(op)),
            Instr::Compare { op, lhs, rhs, .. } => {
                write!(self.out, "compare {} {lhs}, {rhs}", op_name(op))
            }
            Instr::Select {
                cond,
                on_true,
                on_false,
                ..
            } => {
                write!(self.out, "select {cond}, {on_true}, {on_false}")
            }
            Instr::Convert { op, src, .. } => write!(self.out, "convert {} {src}", op_name(op)),
            Instr::AtLeast { value, tunable, .. } => {
                let name = self.artifact.tunable_name(*tunable);
                write!(self.out, "{value} at least {name}")
            }
            Instr::Alloc { count, .. } => write!(self.out, "alloc {count}"),
            Instr::Free { buffer } => write!(self.out, "free {buffer}"),
            Instr::Slice {
                src, offset, count, ..
            } => write!(self.out, "slice {src}, {offset}, {count}"),
            Instr::Copy { dst, src, count } => write!(self.out, "copy {count} of {src} to {dst}"),
            Instr::Fill {
                buffer,
                value,
                count,
            } => write!(self.out, "fill {count} of {buffer} with {value}"),
            Instr::ReadElem { buffer, index, .. } => write!(self.out, "read {buffer}[{index}]"),
            Instr::WriteElem {
                buffer,
                index,
                value,
            } => write!(self.out, "write {buffer}[{index}], {value}"),
            Instr::Launch(launch) => self.launch(launch),
            Instr::Check { cond, site, values } => {
                write!(self.out, "check {cond}, {site} ({})", slots(values))
            }
            Instr::Call { plan, args, .. } => {
                let plan = self.artifact.plans.get(plan.index());
                let name = plan.map_or("?", |plan| &plan.name);
                write!(self.out, "call @{name}({})", slots(args))
            }
            Instr::If { .. } | Instr::For(_) | Instr::While(_) => self.control(instr, depth),
        }
    }

    fn control(&mut self, instr: &Instr, depth: usize) -> fmt::Result {
        match instr {
            Instr::If {
                cond,
                then_block,
                else_block,
                ..
            } => {
                writeln!(self.out, "if {cond} {{")?;
                self.block(*then_block, "yield", depth + 1)?;
                self.indent(depth)?;
                self.out.write_str("} else {\n")?;
                self.block(*else_block, "yield", depth + 1)?;
            }
            Instr::For(for_loop) => {
                let (lower, upper, step) = (for_loop.lower, for_loop.upper, for_loop.step);
                write!(
                    self.out,
                    "for {} = {lower} to {upper} step {step}",
                    for_loop.index
                )?;
                let (carried, inits) = (self.typed(&for_loop.carried), slots(&for_loop.inits));
                writeln!(self.out, " carry ({carried}) = ({inits}) {{")?;
                self.block(for_loop.body, "yield", depth + 1)?;
            }
            Instr::While(while_loop) => {
                let (args, inits) = (
                    self.typed(&while_loop.before_args),
                    slots(&while_loop.inits),
                );
                writeln!(self.out, "while ({args}) = ({inits}) {{")?;
                self.block(
                    while_loop.before,
                    &format!("condition {}:", while_loop.cond),
                    depth + 1,
                )?;
                self.indent(depth)?;
                let args = self.typed(&while_loop.after_args);
                writeln!(self.out, "}} do ({args}) {{")?;
                self.block(while_loop.after, "yield", depth + 1)?;
            }
            _ => {}
        }
        self.indent(depth)?;
        self.out.write_char('}')
    }
}
