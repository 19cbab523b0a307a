//! Statements to ops.

use crate::check::{Assignment, Checked, Part, Shape};
use crate::syntax::{Element, Operator, Source};
use segra::dialects::arith;
use segra::graph::{Built, Extent, Node, Parameter};
use segra::ir::Type;

/// The function that a script becomes.
const MAIN: &str = "main";

/// Adds the function of a script to the program.
///
/// # Errors
/// None that the checks of the script leave over, but for those of the program as a whole.
pub(crate) fn build(source: &Source<'_>, checked: &Checked<'_>) -> Built<()> {
    let graph = source.graph;
    let parameters: Vec<Parameter> = checked
        .inputs
        .iter()
        .map(|&input| {
            let variable = &checked.variables[input];
            let ty = type_of(source, checked, &variable.shape);
            Parameter::new(variable.name, ty, source.place(variable.at))
        })
        .collect();
    let (at, results) = &checked.results;
    graph.function(source.place(*at), MAIN, &parameters, |arguments| {
        let mut values: Vec<Option<Node>> = vec![None; checked.variables.len()];
        for (&input, &argument) in checked.inputs.iter().zip(arguments) {
            values[input] = Some(argument);
        }
        for assignment in &checked.assignments {
            assign(source, checked, assignment, &mut values)?;
        }
        let missing = || graph.error(source.place(*at), "a result has no value");
        let results = results
            .iter()
            .map(|&result| values[result].ok_or_else(missing));
        results.collect()
    })?;
    Ok(())
}

fn type_of(source: &Source<'_>, checked: &Checked<'_>, shape: &Shape) -> Type {
    let extents: Vec<Extent> = shape
        .sizes
        .iter()
        .map(|&size| {
            checked
                .extents
                .get(size)
                .cloned()
                .unwrap_or(Extent::Unknown)
        })
        .collect();
    source
        .graph
        .array_type(&extents, element_type(source, shape.element))
}

fn element_type(source: &Source<'_>, element: Element) -> Type {
    let ctx = source.graph.ctx();
    match element {
        Element::F32 => ctx.f32(),
        Element::F64 => ctx.f64(),
        Element::I64 => ctx.i64(),
    }
}

fn assign(
    source: &Source<'_>,
    checked: &Checked<'_>,
    assignment: &Assignment,
    values: &mut [Option<Node>],
) -> Built<()> {
    let graph = source.graph;
    let mut made: Vec<Vec<Node>> = Vec::new();
    for (at, part) in &assignment.parts {
        let loc = source.place(*at);
        let lost = || graph.error(loc, "a value is missing");
        let get = |part: &usize| {
            made.get(*part)
                .and_then(|nodes| nodes.first())
                .copied()
                .ok_or_else(lost)
        };
        let nodes = match part {
            Part::Number(value, element) => {
                vec![graph.number(loc, *value, element_type(source, *element))?]
            }
            Part::Variable(variable) => vec![values[*variable].ok_or_else(lost)?],
            Part::Call(function, arguments) => {
                let arguments: Vec<Node> = arguments.iter().map(get).collect::<Built<_>>()?;
                graph.call(loc, function, &arguments)?
            }
            Part::Arithmetic(operator, left, right) => {
                let operands = [get(left)?, get(right)?];
                vec![match operator {
                    Operator::Add => graph.apply::<arith::AddFOp>(loc, &operands)?,
                    Operator::Subtract => graph.apply::<arith::SubFOp>(loc, &operands)?,
                    Operator::Multiply => graph.apply::<arith::MulFOp>(loc, &operands)?,
                    Operator::Divide => graph.apply::<arith::DivFOp>(loc, &operands)?,
                }]
            }
            Part::Negate(operand) => vec![graph.apply::<arith::NegFOp>(loc, &[get(operand)?])?],
        };
        made.push(nodes);
    }
    let results = made.pop().unwrap_or_default();
    let copies = matches!(assignment.parts.last(), Some((_, Part::Variable(_))));
    for (target, node) in assignment.targets.iter().zip(results) {
        if let Some(target) = *target {
            values[target] = Some(node);
            // A second name for a value leaves it the first.
            if !copies {
                graph.set_name(node, checked.variables[target].name);
            }
        }
    }
    Ok(())
}
