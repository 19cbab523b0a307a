//! `array.with_loop genarray [9, %n] default (%z : i32) partition ([0, %a] <= (%i, %j) < [9, %n] step [2, 3] width [1, 2]) {...} : [9][n]i32`
//! `array.with_loop modarray (%xs : [n]f32) partition (...) {...}`
//! `array.with_loop fold init (%s : f32) neutral (%e : f32) partition (...) {...} combine (%a, %b) {...}`

use super::{Bound, Kind, Loop, Range, WithLoopOp};
use crate::syntax::{
    parse_bare_types, parse_combine, parse_typed_values, print_bare_types, print_combine,
    print_region, print_typed_values, region_args, types_of,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Op, OpView, Region, Type, Value};
use segra_text::lexer::Tok;
use segra_text::parser::Pos;
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

const ATTRIBUTES: [&str; 6] = ["kind", "rank", "bounds", "shape", "mappings", "explicit"];

fn print_bounds(p: &mut Printer<'_>, bounds: impl Iterator<Item = Bound>) {
    p.text("[");
    for (at, bound) in bounds.enumerate() {
        p.text(if at > 0 { ", " } else { "" });
        match bound {
            Bound::Constant(constant) => p.integer(constant),
            Bound::Value(value) => p.value(value),
        }
    }
    p.text("]");
}

fn print_space(p: &mut Printer<'_>, space: &[Range], indices: &[Value]) {
    let (zero, one) = (Bound::Constant(0), Bound::Constant(1));
    let all = |of: fn(&Range) -> Bound| space.iter().map(of);
    p.text("(");
    if !all(|range| range.lower).all(|lower| lower == zero) {
        print_bounds(p, all(|range| range.lower));
        p.text(" <= ");
    }
    p.text("(");
    p.values(indices.iter().copied());
    p.text(") < ");
    print_bounds(p, all(|range| range.upper));
    let narrow = all(|range| range.width).all(|width| width == one);
    if !narrow || !all(|range| range.step).all(|step| step == one) {
        p.text(" step ");
        print_bounds(p, all(|range| range.step));
    }
    if !narrow {
        p.text(" width ");
        print_bounds(p, all(|range| range.width));
    }
    p.text(")");
}

/// Numbers and operands of all bounds read so far.
#[derive(Default)]
struct Bounds {
    numbers: Vec<i64>,
    operands: Vec<Value>,
}

impl Bounds {
    /// `[1, %n]`
    fn parse(&mut self, p: &mut Parser<'_>, rank: Option<usize>) -> ParseResult<usize> {
        let (pos, mut count) = (p.pos(), 0);
        let index = p.ctx().index();
        p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            count += 1;
            let pos = p.pos();
            if let Some(number) = p.parse_optional_integer()? {
                if number == DYNAMIC {
                    return Err(p.error_at(pos, "the least of all 64-bit integers is no bound"));
                }
                self.numbers.push(number);
                return Ok(());
            }
            let operand = p.parse_operand()?;
            self.numbers.push(DYNAMIC);
            self.operands.push(p.resolve_operand(operand, index)?);
            Ok(())
        })?;
        check_rank(p, pos, count, rank)?;
        Ok(count)
    }

    fn fill(&mut self, rank: usize, number: i64) {
        self.numbers.extend(std::iter::repeat_n(number, rank));
    }
}

fn check_rank(p: &mut Parser<'_>, pos: Pos, count: usize, rank: Option<usize>) -> ParseResult<()> {
    match rank {
        Some(rank) if rank != count => {
            let message = format!("{count} entries, but the index spaces have {rank} dimensions");
            Err(p.error_at(pos, message))
        }
        _ => Ok(()),
    }
}

/// `([0] <= (%i) < [%n] step [2] width [1])`: the indices as region arguments; sets the rank.
fn parse_space<'a>(
    p: &mut Parser<'a>,
    bounds: &mut Bounds,
    rank: &mut Option<usize>,
) -> ParseResult<Vec<BlockArg<'a>>> {
    p.expect(Tok::LParen)?;
    let lower = p.at(Tok::LSquare);
    if lower {
        *rank = Some(bounds.parse(p, *rank)?);
        p.expect(Tok::Less)?;
        p.expect(Tok::Equal)?;
    }
    let (pos, index) = (p.pos(), p.ctx().index());
    let mut indices = Vec::new();
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        indices.push(p.parse_typed_block_arg(index)?);
        Ok(())
    })?;
    check_rank(p, pos, indices.len(), *rank)?;
    let count = indices.len();
    *rank = Some(count);
    if !lower {
        bounds.fill(count, 0);
    }
    p.expect(Tok::Less)?;
    bounds.parse(p, *rank)?;
    for keyword in ["step", "width"] {
        if p.eat_keyword(keyword) {
            bounds.parse(p, *rank)?;
        } else {
            bounds.fill(count, 1);
        }
    }
    p.expect(Tok::RParen)?;
    Ok(indices)
}

/// The parts of a with-loop that were read so far.
#[derive(Default)]
struct Read {
    rank: Option<usize>,
    bounds: Bounds,
    shape: Bounds,
    mappings: Vec<Option<Attr>>,
    bodies: Vec<Region>,
}

impl Read {
    /// `partition (...) mapping "..." {...}`, any number of them.
    fn partitions(&mut self, p: &mut Parser<'_>) -> ParseResult<()> {
        while p.eat_keyword("partition") {
            let indices = parse_space(p, &mut self.bounds, &mut self.rank)?;
            let mapping = if p.eat_keyword("mapping") {
                let text = p.parse_string()?;
                Some(p.ctx().str_attr(&text))
            } else {
                None
            };
            self.mappings.push(mapping);
            self.bodies
                .push(p.parse_region(&indices, Isolation::Shared)?);
        }
        Ok(())
    }

    fn finish(self, p: &mut Parser<'_>, op: &mut ParsedOp, kind: Kind, sizes: [usize; 2]) {
        let ctx = p.ctx();
        let [init, neutral] = sizes;
        let groups = [
            self.bounds.operands.len(),
            self.shape.operands.len(),
            init,
            neutral,
        ];
        let groups = groups.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let rest = std::mem::take(&mut op.state.operands);
        op.state.operands.extend(self.bounds.operands);
        op.state.operands.extend(self.shape.operands);
        op.state.operands.extend(rest);
        // Without partitions the index spaces of folds and modarrays have any rank.
        let rank = self.rank.unwrap_or(1);
        let mut set = |name: &str, attr: Attr| op.set_attr(ctx, ctx.ident(name), attr);
        set("kind", kind.attr(ctx));
        set("rank", ctx.i64_attr(rank as i64));
        set("bounds", ctx.dense_i64_attr(&self.bounds.numbers));
        set("shape", ctx.dense_i64_attr(&self.shape.numbers));
        set("operandSegmentSizes", ctx.dense_i32_attr(&groups));
        if self.mappings.iter().any(Option::is_some) {
            let list = self
                .mappings
                .iter()
                .map(|at| at.unwrap_or_else(|| ctx.unit()));
            let list: Vec<Attr> = list.collect();
            set("mappings", ctx.array_attr(&list));
        }
        op.regions.extend(self.bodies);
    }
}

impl Syntax for WithLoopOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let with = WithLoopOp::from_op(op);
        let Some(parts) = Loop::of(p.ir(), op) else {
            p.text(" malformed");
            return;
        };
        if parts.explicit {
            p.text(" explicit");
        }
        p.text(" ");
        p.text(parts.kind.keyword());
        match parts.kind {
            Kind::Genarray => {
                p.text(" ");
                print_bounds(p, parts.shape.iter().copied());
                if !parts.init.is_empty() {
                    print_typed_values(p, " default ", &parts.init);
                }
            }
            Kind::Modarray => print_typed_values(p, " ", &parts.init),
            Kind::Fold => {
                print_typed_values(p, " init ", &parts.init);
                if !parts.neutral.is_empty() {
                    print_typed_values(p, " neutral ", &parts.neutral);
                }
            }
        }
        let bodies = with.bodies(p.ir()).to_vec();
        for (partition, region) in parts.partitions.iter().zip(bodies) {
            p.text(" partition ");
            let indices = region_args(p, region);
            print_space(p, &partition.space, &indices);
            if let Some(mapping) = partition.mapping.and_then(|at| at.as_str(p.ctx())) {
                p.text(" mapping ");
                p.string(mapping);
            }
            print_region(p, region);
        }
        if parts.kind == Kind::Fold {
            print_combine(p, with.combine(p.ir()));
        }
        p.attr_dict(op, &ATTRIBUTES);
        if parts.kind == Kind::Genarray {
            p.text(" : ");
            let results: Vec<Value> = p.ir().results(op).collect();
            let types = types_of(p, &results);
            print_bare_types(p, &types);
        }
    }

    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        if p.eat_keyword("explicit") {
            op.set_attr(p.ctx(), p.ctx().ident("explicit"), p.ctx().unit());
        }
        let pos = p.pos();
        let Some(kind) = p.parse_optional_keyword().and_then(Kind::from_keyword) else {
            return Err(p.error_at(pos, "expected `genarray`, `modarray` or `fold`"));
        };
        let mut read = Read::default();
        let mut init: Vec<Type> = Vec::new();
        let mut neutral = 0;
        match kind {
            Kind::Genarray => {
                read.rank = Some(read.shape.parse(p, None)?);
                if p.eat_keyword("default") {
                    init = parse_typed_values(p, op)?;
                }
            }
            Kind::Modarray => init = parse_typed_values(p, op)?,
            Kind::Fold => {
                p.expect_keyword("init")?;
                init = parse_typed_values(p, op)?;
                if p.eat_keyword("neutral") {
                    neutral = parse_typed_values(p, op)?.len();
                }
            }
        }
        read.partitions(p)?;
        let mut operator = None;
        if kind == Kind::Fold {
            let first = op.regions.len();
            parse_combine(p, op, &init)?;
            operator = op.regions.drain(first..).next();
        }
        let operator = match operator {
            Some(region) => region,
            None => p.ir_mut().create_region(),
        };
        op.regions.push(operator);
        p.parse_attr_dict_into(op)?;
        let count = init.len();
        if kind == Kind::Genarray {
            p.expect(Tok::Colon)?;
            op.state.result_types = parse_bare_types(p)?.into();
        } else {
            op.state.result_types = init.into();
        }
        read.finish(p, op, kind, [count, neutral]);
        Ok(())
    }
}
