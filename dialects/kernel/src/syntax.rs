//! Custom text forms of the segmented ops.
//!
//! `kernel.segmap LEVEL [async [boxes] | contract [since 80] | exclusive | distinct] [form FORM] [capacity 512] [points 2] [vector 4] [registers [8, 8] runs [1, 4]] (%i < %n, ...)
//! [mapping #kernel.mapping<...>] [schedule #kernel.schedule<...>] [into (%xs : tensor<?xf32>)] [init (%zero : f32)] -> (types) {body} [combine (%a, %b) {operator}]`

use crate::form::{Form, FormAttr};
use crate::level::{Level, LevelAttr};
use crate::registers::Registers;
use crate::segop::{SegMapOp, SegRedOp, SegScanOp};
use crate::update::{ScatterOp, SegHistOp};
use segra_ir::constraint::AttrConstraint;
use segra_ir::{Attr, Op, OpView, Region, Type, Value};
use segra_std::parse_operator_args;
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

const ASYNC: &str = "async";
const BOXES: &str = "boxes";
const CONTRACT: &str = "contract";
const WARPGROUPS: &str = "warpgroups";
const SINCE: &str = "since";
const EXCLUSIVE: &str = "exclusive";
const DISTINCT: &str = "distinct";

/// The common text of the ops.
struct Parts {
    level: Level,
    /// `async`, `contract` or `exclusive`.
    flag: Option<&'static str>,
    /// `boxes` behind `async`, `warpgroups` behind `contract`.
    how: Option<&'static str>,
    /// The oldest target, as a number, that `contract` is for.
    since: Option<i64>,
    form: Option<Form>,
    /// Bins of the form `shared`.
    capacity: Option<i64>,
    /// Dimensions that are the points of a segment.
    points: Option<i64>,
    registers: Option<Registers>,
    vector: Option<i64>,
    mapping: Option<Attr>,
    schedule: Option<Attr>,
    sizes: Vec<Value>,
    destinations: Vec<Value>,
    body: Region,
    operator: Option<(Vec<Value>, Region)>,
}

fn args(p: &Printer<'_>, region: Region) -> Vec<Value> {
    p.ir()
        .entry_block(region)
        .map(|block| p.ir().block_args(block).to_vec())
        .unwrap_or_default()
}

/// ` KEYWORD (%a, %b : f32, i32)`; nothing where there are no values.
fn print_group(p: &mut Printer<'_>, keyword: &str, values: &[Value]) {
    if values.is_empty() {
        return;
    }
    p.text(" ");
    p.text(keyword);
    p.text(" (");
    p.values(values.iter().copied());
    p.text(" : ");
    p.types_of(values.iter().copied());
    p.text(")");
}

/// `KEYWORD (%a, %b : f32, i32)`: the operands go to the op, the types are returned.
fn parse_group(p: &mut Parser<'_>, op: &mut ParsedOp, keyword: &str) -> ParseResult<Vec<Type>> {
    p.expect_keyword(keyword)?;
    p.expect(Tok::LParen)?;
    let pos = p.pos();
    let operands = p.parse_operand_list()?;
    p.expect(Tok::Colon)?;
    let types = p.parse_type_list()?;
    if types.len() != operands.len() {
        return Err(p.error_at(
            pos,
            format!("{} operands, but {} types", operands.len(), types.len()),
        ));
    }
    p.resolve_operands(&operands, &types, &mut op.state.operands)?;
    p.expect(Tok::RParen)?;
    Ok(types.to_vec())
}

fn set_segments(p: &Parser<'_>, op: &mut ParsedOp, sizes: &[usize]) {
    let sizes: Vec<i32> = sizes
        .iter()
        .map(|&size| i32::try_from(size).unwrap_or(i32::MAX))
        .collect();
    op.set_attr(
        p.ctx(),
        p.ctx().ident("operandSegmentSizes"),
        p.ctx().dense_i32_attr(&sizes),
    );
}

fn print(p: &mut Printer<'_>, op: Op, parts: &Parts) {
    p.text(" ");
    p.text(parts.level.keyword());
    if let Some(flag) = parts.flag {
        p.text(" ");
        p.text(flag);
    }
    if let Some(how) = parts.how {
        p.text(" ");
        p.text(how);
    }
    if let Some(since) = parts.since {
        p.text(&format!(" {SINCE} {since}"));
    }
    if let Some(form) = parts.form {
        p.text(" form ");
        p.text(form.keyword());
    }
    if let Some(capacity) = parts.capacity {
        p.text(&format!(" capacity {capacity}"));
    }
    if let Some(points) = parts.points {
        p.text(&format!(" points {points}"));
    }
    if let Some(registers) = &parts.registers {
        for (keyword, numbers) in [
            (" registers ", &registers.counts),
            (" runs ", &registers.runs),
        ] {
            p.text(keyword);
            p.text(&format!("{numbers:?}"));
        }
        if let Some(apart) = registers.apart {
            p.text(&format!(" apart {apart}"));
        }
    }
    if let Some(lanes) = parts.vector {
        p.text(&format!(" vector {lanes}"));
    }
    p.text(" (");
    let indices = args(p, parts.body);
    for (index, (&at, &size)) in indices.iter().zip(&parts.sizes).enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.value(at);
        p.text(" < ");
        p.value(size);
    }
    p.text(")");
    for (keyword, attr) in [(" mapping ", parts.mapping), (" schedule ", parts.schedule)] {
        if let Some(attr) = attr {
            p.text(keyword);
            p.attr(attr);
        }
    }
    print_group(p, "into", &parts.destinations);
    if let Some((neutral, _)) = &parts.operator {
        print_group(p, "init", neutral);
    }
    p.text(" -> (");
    let results: Vec<Value> = p.ir().results(op).collect();
    p.types_of(results);
    p.text(") ");
    p.region(parts.body, EntryArgs::Hidden, LastOp::Shown);
    if let Some((_, combine)) = &parts.operator {
        p.text(" combine (");
        let operands = args(p, *combine);
        p.values(operands);
        p.text(") ");
        p.region(*combine, EntryArgs::Hidden, LastOp::Shown);
    }
    let mut shown = vec![
        ASYNC,
        CONTRACT,
        EXCLUSIVE,
        "form",
        "level",
        "mapping",
        "registers",
        "capacity",
        "runs",
        "apart",
        DISTINCT,
        "points",
    ];
    shown.extend(parts.how);
    shown.extend(parts.since.map(|_| SINCE));
    shown.extend(parts.vector.map(|_| "vector"));
    shown.extend(parts.schedule.map(|_| "schedule"));
    p.attr_dict(op, &shown);
}

/// `(%i < %n, ...)`: the extents, and the indices as region arguments.
fn parse_space<'a>(p: &mut Parser<'a>, op: &mut ParsedOp) -> ParseResult<Vec<BlockArg<'a>>> {
    let ty = p.ctx().index();
    let mut indices = Vec::new();
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        let index = p.parse_operand()?;
        p.expect(Tok::Less)?;
        let size = p.parse_operand()?;
        op.state.operands.push(p.resolve_operand(size, ty)?);
        indices.push(BlockArg {
            name: index.name,
            ty,
            loc: None,
            pos: index.pos,
        });
        Ok(())
    })?;
    Ok(indices)
}

fn parse_head<'a>(p: &mut Parser<'a>, op: &mut ParsedOp) -> ParseResult<Vec<BlockArg<'a>>> {
    let pos = p.pos();
    let keyword = p.parse_keyword()?;
    let Some(level) = LevelAttr.keyword_attr(p.ctx(), keyword) else {
        return Err(p.error_at(pos, format!("`{keyword}` is not {}", LevelAttr.describe())));
    };
    op.set_attr(p.ctx(), p.ctx().ident("level"), level);
    for flag in [ASYNC, CONTRACT, EXCLUSIVE, DISTINCT] {
        if p.eat_keyword(flag) {
            op.set_attr(p.ctx(), p.ctx().ident(flag), p.ctx().unit());
        }
        for (of, how) in [(ASYNC, BOXES), (CONTRACT, WARPGROUPS)] {
            if flag == of && p.eat_keyword(how) {
                op.set_attr(p.ctx(), p.ctx().ident(how), p.ctx().unit());
            }
        }
        if flag == CONTRACT && p.eat_keyword(SINCE) {
            let since = p.parse_integer()?;
            op.set_attr(p.ctx(), p.ctx().ident(SINCE), p.ctx().i64_attr(since));
        }
    }
    if p.eat_keyword("form") {
        let pos = p.pos();
        let keyword = p.parse_keyword()?;
        let Some(form) = FormAttr.keyword_attr(p.ctx(), keyword) else {
            return Err(p.error_at(pos, format!("`{keyword}` is not {}", FormAttr.describe())));
        };
        op.set_attr(p.ctx(), p.ctx().ident("form"), form);
        if keyword == Form::Shared.keyword() && p.eat_keyword("capacity") {
            let capacity = p.parse_integer()?;
            op.set_attr(
                p.ctx(),
                p.ctx().ident("capacity"),
                p.ctx().i64_attr(capacity),
            );
        }
    }
    if p.eat_keyword("points") {
        let points = p.parse_integer()?;
        op.set_attr(p.ctx(), p.ctx().ident("points"), p.ctx().i64_attr(points));
    }
    for name in ["registers", "runs"] {
        if p.eat_keyword(name) {
            let mut numbers = Vec::new();
            p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
                numbers.push(p.parse_integer()?);
                Ok(())
            })?;
            let numbers = p.ctx().dense_i64_attr(&numbers);
            op.set_attr(p.ctx(), p.ctx().ident(name), numbers);
        }
    }
    if p.eat_keyword("apart") {
        let apart = p.parse_integer()?;
        op.set_attr(p.ctx(), p.ctx().ident("apart"), p.ctx().i64_attr(apart));
    }
    if p.eat_keyword("vector") {
        let lanes = p.parse_integer()?;
        op.set_attr(p.ctx(), p.ctx().ident("vector"), p.ctx().i64_attr(lanes));
    }
    let indices = parse_space(p, op)?;
    parse_attr_of(p, op, "mapping")?;
    Ok(indices)
}

/// `NAME #ATTRIBUTE`, if it is there.
fn parse_attr_of(p: &mut Parser<'_>, op: &mut ParsedOp, name: &str) -> ParseResult<()> {
    if p.eat_keyword(name) {
        let attr = p.parse_attr()?;
        op.set_attr(p.ctx(), p.ctx().ident(name), attr);
    }
    Ok(())
}

fn parse_results(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
    p.expect(Tok::Arrow)?;
    let types = p.parse_type_list_in_parens()?;
    op.state.result_types.extend(types);
    Ok(())
}

/// Whether an op says what its results start as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Destinations {
    None,
    Given,
}

/// Everything after the op's name where there is an operator.
fn parse_with_operator(
    p: &mut Parser<'_>,
    op: &mut ParsedOp,
    destinations: Destinations,
) -> ParseResult<()> {
    let indices = parse_head(p, op)?;
    let mut groups = vec![op.state.operands.len()];
    if destinations == Destinations::Given {
        groups.push(parse_group(p, op, "into")?.len());
    }
    let types = parse_group(p, op, "init")?;
    groups.push(types.len());
    parse_results(p, op)?;
    let body = p.parse_region(&indices, Isolation::Shared)?;
    op.regions.push(body);
    p.expect_keyword("combine")?;
    let args = parse_operator_args(p, &types)?;
    let combine = p.parse_region(&args, Isolation::Shared)?;
    op.regions.push(combine);
    set_segments(p, op, &groups);
    p.parse_attr_dict_into(op)
}

impl Syntax for SegMapOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let (seg, ir) = (SegMapOp::from_op(op), p.ir());
        let parts = Parts {
            level: seg.level(ir),
            flag: seg
                .asynchronous(ir)
                .map(|()| ASYNC)
                .or(seg.contract(ir).map(|()| CONTRACT)),
            how: (seg.boxes(ir).and(seg.asynchronous(ir)))
                .map(|()| BOXES)
                .or(seg
                    .warpgroups(ir)
                    .and(seg.contract(ir))
                    .map(|()| WARPGROUPS)),
            since: seg.since(ir).filter(|_| seg.contract(ir).is_some()),
            form: None,
            capacity: None,
            points: None,
            registers: seg
                .registers(ir)
                .zip(seg.runs(ir))
                .map(|(counts, runs)| Registers {
                    counts,
                    runs,
                    apart: seg.apart(ir),
                }),
            vector: seg.vector(ir),
            mapping: seg.mapping_attr(ir),
            schedule: seg.schedule_attr(ir),
            sizes: seg.sizes(ir),
            destinations: Vec::new(),
            body: seg.body(ir),
            operator: None,
        };
        print(p, op, &parts);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let indices = parse_head(p, op)?;
        parse_attr_of(p, op, "schedule")?;
        parse_results(p, op)?;
        let body = p.parse_region(&indices, Isolation::Shared)?;
        op.regions.push(body);
        p.parse_attr_dict_into(op)
    }
}

impl Syntax for ScatterOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let (seg, ir) = (ScatterOp::from_op(op), p.ir());
        let parts = Parts {
            level: seg.level(ir),
            flag: seg.distinct(ir).map(|()| DISTINCT),
            how: None,
            since: None,
            form: None,
            capacity: None,
            points: seg.points(ir),
            registers: None,
            vector: None,
            mapping: seg.mapping_attr(ir),
            schedule: None,
            sizes: seg.sizes(ir),
            destinations: seg.destinations(ir),
            body: seg.body(ir),
            operator: None,
        };
        print(p, op, &parts);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let indices = parse_head(p, op)?;
        let sizes = op.state.operands.len();
        let destinations = parse_group(p, op, "into")?.len();
        set_segments(p, op, &[sizes, destinations]);
        parse_results(p, op)?;
        let body = p.parse_region(&indices, Isolation::Shared)?;
        op.regions.push(body);
        p.parse_attr_dict_into(op)
    }
}

macro_rules! operator_syntax {
    ($($op:ident, $exclusive:expr, $capacity:expr, $vector:expr, $destinations:expr, $given:expr;)*) => {$(
        impl Syntax for $op {
            fn print(&self, p: &mut Printer<'_>, op: Op) {
                let (seg, ir) = ($op::from_op(op), p.ir());
                let parts = Parts {
                    level: seg.level(ir),
                    flag: $exclusive(seg, ir).then_some(EXCLUSIVE),
                    how: None,
            since: None,
                    form: seg.form(ir),
                    capacity: $capacity(seg, ir),
                    points: None,
                    registers: None,
                    vector: $vector(seg, ir),
                    mapping: seg.mapping_attr(ir),
                    schedule: None,
                    sizes: seg.sizes(ir),
                    destinations: $destinations(seg, ir),
                    body: seg.body(ir),
                    operator: Some((seg.neutral(ir), seg.combine(ir))),
                };
                print(p, op, &parts);
            }
            fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
                parse_with_operator(p, op, $given)
            }
        }
    )*};
}
operator_syntax! {
    SegRedOp, |_, _| false, |_, _| None, |red: SegRedOp, ir| red.vector(ir), |_, _| Vec::new(), Destinations::None;
    SegScanOp, |scan: SegScanOp, ir| scan.exclusive_attr(ir).is_some(), |_, _| None, |scan: SegScanOp, ir| scan.vector(ir), |_, _| Vec::new(), Destinations::None;
    SegHistOp, |_, _| false, |hist: SegHistOp, ir| hist.capacity(ir), |_, _| None, |hist: SegHistOp, ir| hist.destinations(ir), Destinations::Given;
}
