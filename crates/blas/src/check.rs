//! Names, element types and sizes: what every part of a script is, or what is wrong with it.
//!
//! Calls are in `calls`. After an error the statement's
//! targets count as given, so that one mistake is one message.

use crate::calls::function_of;
use crate::sizes::{SizeId, Sizes};
use crate::syntax::{
    Declared, Element, Name, Node, NodeKind, Operator, Script, Size, Source, Statement,
};
use segra::Failure;
use segra::graph::{Extent, Function};
use segra::ir::Diagnostics;
use std::collections::HashMap;

/// Number of a variable.
pub(crate) type VariableId = usize;

/// The element type and the sizes of a value.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) element: Element,
    /// One per dimension.
    pub(crate) sizes: Vec<SizeId>,
}

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    /// Where it is declared.
    pub(crate) at: usize,
    pub(crate) shape: Shape,
    /// Where it gets its value, once it has one.
    given: Option<usize>,
    is_input: bool,
    is_used: bool,
}

/// A part of a value that is known to be right; indices are those of earlier parts.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Number(f64, Element),
    Variable(VariableId),
    Call(Function, Vec<usize>),
    Arithmetic(Operator, usize, usize),
    Negate(usize),
}

/// An assignment: parts with their places, and the variables that get the results of the last part.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) parts: Vec<(usize, Part)>,
    pub(crate) targets: Vec<Option<VariableId>>,
}

/// A script without mistakes.
#[derive(Debug)]
pub(crate) struct Checked<'a> {
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) extents: Vec<Extent>,
    pub(crate) inputs: Vec<VariableId>,
    pub(crate) assignments: Vec<Assignment>,
    /// Where `return` stands, and the results.
    pub(crate) results: (usize, Vec<VariableId>),
}

/// Checks a script.
///
/// # Errors
/// All mistakes that were found.
pub(crate) fn check<'a>(source: &Source<'a>, script: &Script<'a>) -> Result<Checked<'a>, Failure> {
    let mut checker = Checker {
        source,
        diagnostics: Diagnostics::new(),
        variables: Vec::new(),
        known: HashMap::new(),
        sizes: Sizes::default(),
        imported: HashMap::new(),
        inputs: Vec::new(),
        assignments: Vec::new(),
    };
    let mut results = None;
    for statement in &script.statements {
        if let Some((at, _)) = &results {
            checker.after_return(statement, *at);
            break;
        }
        match statement {
            Statement::Declare {
                rank,
                element,
                names,
            } => names
                .iter()
                .for_each(|declared| checker.declare(*rank, *element, declared)),
            Statement::Input(names) => names.iter().for_each(|name| checker.input(name)),
            Statement::Assign { targets, value } => checker.assign(targets, value)?,
            Statement::Return(at, names) => {
                let found = names
                    .iter()
                    .filter_map(|name| checker.value(name.text, name.at));
                results = Some((*at, found.collect()));
            }
        }
    }
    if results.is_none() {
        let at = script.end.saturating_sub(1);
        checker.error(
            at,
            "the script returns nothing: `return NAME;` is missing at its end",
        );
    }
    if !checker.diagnostics.has_errors() {
        checker.unused();
    }
    match results.filter(|_| !checker.diagnostics.has_errors()) {
        Some(results) => Ok(Checked {
            extents: checker.sizes.extents(),
            variables: checker.variables,
            inputs: checker.inputs,
            assignments: checker.assignments,
            results,
        }),
        None => Err(source.graph.failure(checker.diagnostics)),
    }
}

pub(crate) struct Checker<'s, 'a> {
    pub(crate) source: &'s Source<'a>,
    diagnostics: Diagnostics,
    pub(crate) variables: Vec<Variable<'a>>,
    known: HashMap<&'a str, VariableId>,
    pub(crate) sizes: Sizes,
    /// Functions of the program by name.
    pub(crate) imported: HashMap<String, Function>,
    inputs: Vec<VariableId>,
    assignments: Vec<Assignment>,
}

/// The element type of an assignment, and the reason: a text that follows "but".
pub(crate) type Elements = Option<(Element, String, usize)>;

/// The parts of an assignment under construction. A part that is wrong has no results.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) parts: Vec<(usize, Part)>,
    results: Vec<Option<Vec<Shape>>>,
}

impl<'a> Checker<'_, 'a> {
    pub(crate) fn error(&mut self, at: usize, message: impl Into<String>) {
        self.diagnostics.error(self.source.place(at), message);
    }
    pub(crate) fn error_with(
        &mut self,
        at: usize,
        message: impl Into<String>,
        notes: &[(usize, String)],
    ) {
        let place = self.source.place(at);
        let diagnostic = self.diagnostics.error(place, message);
        for (at, note) in notes {
            diagnostic.note(self.source.place(*at), note.clone());
        }
    }

    fn after_return(&mut self, statement: &Statement<'a>, returned: usize) {
        let at = match statement {
            Statement::Declare { names, .. } => names.first().map(|declared| declared.name.at),
            Statement::Input(names) | Statement::Return(_, names) => {
                names.first().map(|name| name.at)
            }
            Statement::Assign { targets, .. } => targets.first().map(|name| name.at),
        };
        let notes = [(returned, "the script ends here".to_owned())];
        self.error_with(
            at.unwrap_or(returned),
            "nothing may follow `return`",
            &notes,
        );
    }

    fn declare(&mut self, rank: usize, element: Element, declared: &Declared<'a>) {
        let Name { text: name, at } = declared.name;
        if name == "_" {
            return self.error(at, "`_` stands for no variable: it drops a result");
        }
        if let Some(&first) = self.known.get(name) {
            let notes = [(self.variables[first].at, "first declared here".to_owned())];
            return self.error_with(at, format!("`{name}` is declared twice"), &notes);
        }
        let sizes = match &declared.sizes {
            Some(sizes) if sizes.len() != rank => {
                let kind = kind(rank);
                let (wanted, found) = (count(rank, "size"), count(sizes.len(), "size"));
                self.error(
                    at,
                    format!("a {kind} has {wanted}, but `{name}` is given {found}"),
                );
                (0..rank)
                    .map(|dim| self.sizes.open(size_name(name, rank, dim)))
                    .collect()
            }
            Some(sizes) => sizes
                .iter()
                .map(|size| match size {
                    Size::Named(size) => self.sizes.named(size.text, size.at),
                    Size::Fixed(extent, at) => self.sizes.fixed(*extent, *at),
                })
                .collect(),
            None => (0..rank)
                .map(|dim| self.sizes.open(size_name(name, rank, dim)))
                .collect(),
        };
        self.known.insert(name, self.variables.len());
        self.variables.push(Variable {
            name,
            at,
            shape: Shape { element, sizes },
            given: None,
            is_input: false,
            is_used: false,
        });
    }

    fn input(&mut self, name: &Name<'a>) {
        if let Some(variable) = self.target(name) {
            self.variables[variable].is_input = true;
            self.inputs.push(variable);
        }
    }

    /// A variable that gets its value here; `None` where it may not.
    fn target(&mut self, name: &Name<'a>) -> Option<VariableId> {
        let variable = self.declared(name.text, name.at)?;
        let Variable {
            given, is_input, ..
        } = self.variables[variable];
        if let Some(first) = given {
            let (what, note) = match is_input {
                true => ("is an input and has its value", "it becomes an input here"),
                false => (
                    "has a value already, and values never change",
                    "it gets its value here",
                ),
            };
            let message = format!("`{}` {what}; give the new one a name of its own", name.text);
            self.error_with(name.at, message, &[(first, note.to_owned())]);
            return None;
        }
        self.variables[variable].given = Some(name.at);
        Some(variable)
    }

    fn declared(&mut self, name: &str, at: usize) -> Option<VariableId> {
        let found = self.known.get(name).copied();
        if found.is_none() {
            let names = self.variables.iter().map(|variable| variable.name);
            let hint = alike(name, names);
            self.error(at, format!("`{name}` is not declared{hint}"));
        }
        found
    }

    /// A variable that is read.
    fn value(&mut self, name: &str, at: usize) -> Option<VariableId> {
        let found = self.declared(name, at)?;
        let variable = &mut self.variables[found];
        variable.is_used = true;
        if variable.given.is_none() {
            let notes = [(variable.at, "it is declared here".to_owned())];
            let message =
                format!("`{name}` has no value here: it is neither an input nor assigned before");
            self.error_with(at, message, &notes);
            return None;
        }
        Some(found)
    }

    fn unused(&mut self) {
        for index in 0..self.variables.len() {
            let Variable {
                name,
                at,
                given,
                is_input,
                is_used,
                ..
            } = self.variables[index];
            match given {
                _ if is_used => {}
                None => self.error(at, format!("`{name}` is declared, but never gets a value")),
                Some(given) if is_input => {
                    self.error(given, format!("input `{name}` is never used"));
                }
                Some(given) => {
                    self.error(
                        given,
                        format!("`{name}` is computed, but never used or returned"),
                    );
                }
            }
        }
    }

    fn assign(&mut self, targets: &[Name<'a>], value: &[Node<'a>]) -> Result<(), Failure> {
        let variables: Vec<Option<Option<VariableId>>> =
            value.iter().map(|node| self.variable_of(node)).collect();
        let elements = self.elements(targets, value, &variables);
        let mut made = Parts::default();
        for (node, variable) in value.iter().zip(variables) {
            let part = self.part(node, variable, &elements, &made)?;
            let (part, results) =
                part.map_or((None, None), |(part, results)| (Some(part), Some(results)));
            // A wrong part keeps its number; nothing is built of it.
            made.parts
                .push((node.at, part.unwrap_or(Part::Number(0.0, Element::F32))));
            made.results.push(results);
        }
        let results = made.results.pop().flatten();
        let at = value.last().map_or(0, |node| node.at);
        let targets = self.targets(targets, results.as_deref(), at);
        self.assignments.push(Assignment {
            parts: made.parts,
            targets,
        });
        Ok(())
    }

    /// The variable that a node reads: `None` if it reads none, `Some(None)` if the variable is wrong.
    fn variable_of(&mut self, node: &Node<'a>) -> Option<Option<VariableId>> {
        match node.kind {
            NodeKind::Variable(name) => Some(self.value(name, node.at)),
            _ => None,
        }
    }

    /// The element type of an assignment: that of its first variable or function with one, else that of its target.
    fn elements(
        &self,
        targets: &[Name<'a>],
        value: &[Node<'a>],
        variables: &[Option<Option<VariableId>>],
    ) -> Elements {
        let found = value
            .iter()
            .zip(variables)
            .find_map(|(node, variable)| match node.kind {
                NodeKind::Variable(_) => self.element_of((*variable)??),
                NodeKind::Call(name, _) => {
                    let element = function_of(name)?.1?;
                    Some((
                        element,
                        format!("`{name}` is for {}", element.text()),
                        node.at,
                    ))
                }
                _ => None,
            });
        let of_target = || self.element_of(*self.known.get(targets.first()?.text)?);
        found.or_else(of_target)
    }
    fn element_of(&self, variable: VariableId) -> Elements {
        let Variable {
            name, at, shape, ..
        } = &self.variables[variable];
        let element = shape.element;
        (element != Element::I64).then(|| {
            (
                element,
                format!("`{name}` has elements of type {}", element.text()),
                *at,
            )
        })
    }

    /// Whether a part fits the element type of its assignment.
    pub(crate) fn fits(
        &mut self,
        element: Element,
        what: String,
        at: usize,
        elements: &Elements,
    ) -> bool {
        let Some((wanted, why, place)) = elements else {
            return true;
        };
        if element == *wanted {
            return true;
        }
        let message = format!("{what}, but {why}: all parts of a value have one element type");
        self.error_with(at, message, &[(*place, why.clone())]);
        false
    }

    /// A part with its results; `None` where it is wrong.
    fn part(
        &mut self,
        node: &Node<'a>,
        variable: Option<Option<VariableId>>,
        elements: &Elements,
        made: &Parts,
    ) -> Result<Option<(Part, Vec<Shape>)>, Failure> {
        let element = elements
            .as_ref()
            .map_or(Element::F32, |elements| elements.0);
        let number = || {
            vec![Shape {
                element,
                sizes: Vec::new(),
            }]
        };
        Ok(match &node.kind {
            NodeKind::Number(value) if element == Element::F32 && (*value as f32).is_infinite() => {
                self.error(node.at, format!("{value:e} is beyond the numbers of f32"));
                None
            }
            NodeKind::Number(value) => Some((Part::Number(*value, element), number())),
            NodeKind::Variable(name) => variable.flatten().and_then(|variable| {
                let shape = self.variables[variable].shape.clone();
                let what = format!("`{name}` has elements of type {}", shape.element.text());
                // Indices are in values of either type: functions and operators say where.
                let is_index = shape.element == Element::I64;
                let fits = is_index || self.fits(shape.element, what, node.at, elements);
                fits.then(|| (Part::Variable(variable), vec![shape]))
            }),
            NodeKind::Arithmetic(operator, left, right) => {
                // One message where both are no numbers.
                let both = [*left, *right]
                    .into_iter()
                    .all(|operand| self.number(operand, *operator, node.at, made));
                both.then(|| (Part::Arithmetic(*operator, *left, *right), number()))
            }
            NodeKind::Negate(operand) => self
                .number(*operand, Operator::Subtract, node.at, made)
                .then(|| (Part::Negate(*operand), number())),
            NodeKind::Call(name, arguments) => {
                self.call((node.at, name), arguments, elements, made)?
            }
        })
    }

    /// Whether an operand is a number.
    fn number(&mut self, operand: usize, operator: Operator, at: usize, made: &Parts) -> bool {
        let Some(shape) = self.single(operand, made) else {
            return false;
        };
        if shape.element == Element::I64 {
            self.error(
                at,
                format!("`{}` is for f32 and f64, not for indices", operator.text()),
            );
            return false;
        }
        if shape.sizes.is_empty() {
            return true;
        }
        let instead = match operator {
            Operator::Add => "`vadd`, `axpy` or `madd`",
            Operator::Subtract => "`axpy` or `waxpby`",
            Operator::Multiply => "`scal`, `gemv`, `vmul` or `gemm`",
            Operator::Divide => "`vdiv`",
        };
        let (kind, operator) = (kind(shape.sizes.len()), operator.text());
        self.error(
            at,
            format!("`{operator}` is for numbers, and this is a {kind}; {instead} may be meant"),
        );
        false
    }

    /// The only result of a part; a part that is wrong was reported.
    pub(crate) fn single(&mut self, part: usize, made: &Parts) -> Option<Shape> {
        match made.results.get(part)?.as_deref()? {
            [shape] => Some(shape.clone()),
            several => {
                let at = made.parts[part].0;
                let count = several.len();
                self.error(
                    at,
                    format!("this call has {count} results: assign them to names first"),
                );
                None
            }
        }
    }

    /// The variables that get the results; those of a wrong value get none.
    fn targets(
        &mut self,
        targets: &[Name<'a>],
        results: Option<&[Shape]>,
        at: usize,
    ) -> Vec<Option<VariableId>> {
        let mut variables = Vec::new();
        for name in targets {
            variables.push(match name.text {
                "_" => None,
                _ => self.target(name),
            });
        }
        let Some(results) = results else {
            return variables;
        };
        if results.len() != targets.len() {
            let (found, wanted) = (count(results.len(), "result"), count(targets.len(), "name"));
            self.error(at, format!("this value has {found}, but {wanted} to go to"));
            return variables;
        }
        for ((name, variable), result) in targets.iter().zip(&variables).zip(results) {
            if let Some(variable) = variable {
                self.assigned(name, *variable, result, at);
            }
        }
        variables
    }

    /// Whether a result is what its variable was declared as.
    fn assigned(&mut self, name: &Name<'a>, variable: VariableId, result: &Shape, at: usize) {
        let Variable {
            shape: declared,
            at: place,
            ..
        } = self.variables[variable].clone();
        let text = name.text;
        let (wanted, found) = (declared.sizes.len(), result.sizes.len());
        if declared.element != result.element || wanted != found {
            let ty = |shape: &Shape| {
                format!("a {} of {}", kind(shape.sizes.len()), shape.element.text())
            };
            let message = format!(
                "`{text}` is declared as {}, but its value is {}",
                ty(&declared),
                ty(result)
            );
            self.error_with(
                at,
                message,
                &[(place, format!("`{text}` is declared here"))],
            );
            return;
        }
        for (dim, (&declared, &given)) in declared.sizes.iter().zip(&result.sizes).enumerate() {
            if let Err(rigid) = self.sizes.unify(declared, given) {
                let dimension = dimension(wanted, dim);
                let sides = (
                    format!("{dimension} of `{text}`"),
                    format!("{dimension} of its value"),
                );
                self.different(at, "this needs", (&sides.0, &sides.1), &rigid);
            }
        }
    }
}

pub(crate) fn kind(rank: usize) -> &'static str {
    match rank {
        0 => "scalar",
        1 => "vector",
        _ => "matrix",
    }
}

pub(crate) fn dimension(rank: usize, dim: usize) -> &'static str {
    match (rank, dim) {
        (1, _) => "elements",
        (_, 0) => "rows",
        _ => "columns",
    }
}

/// The name of a size that nobody named.
fn size_name(name: &str, rank: usize, dim: usize) -> String {
    format!("{name}_{}", dimension(rank, dim))
}

/// `1 size`, `2 sizes`
pub(crate) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// `; did you mean ...` where there is something like it.
pub(crate) fn alike<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let close = segra::text::suggestion(name, names);
    close.map_or(String::new(), |other| format!("; `{other}` may be meant"))
}
