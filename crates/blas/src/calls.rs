//! Calls: functions are imported from the library as they are called; their signatures are the rules for arguments.

use crate::check::{Checker, Elements, Part, Parts, Shape, alike, count, dimension, kind};
use crate::library;
use crate::sizes::{Rigid, SizeId};
use crate::syntax::Element;
use segra::Failure;
use segra::dialects::array::types::{Size, sizes_and_element};
use segra::graph::{Function, Places};
use segra::ir::{Context, Type};
use std::collections::HashMap;

/// The file that imported functions are said to be in.
const LIBRARY: &str = "blas.mlir";

/// Sizes of a signature, each with the size of an argument, and which that is.
type Bound = HashMap<Size, (SizeId, String)>;

impl<'a> Checker<'_, 'a> {
    /// A call with its results; `None` where it is wrong.
    pub(crate) fn call(
        &mut self,
        (at, name): (usize, &'a str),
        arguments: &[usize],
        elements: &Elements,
        made: &Parts,
    ) -> Result<Option<(Part, Vec<Shape>)>, Failure> {
        let Some((plain, fixed)) = function_of(name) else {
            let names = library::functions().iter().map(|function| function.name);
            let hint = alike(name, names);
            self.error(at, format!("there is no function `{name}`{hint}"));
            return Ok(None);
        };
        if let Some(element) = fixed
            && !self.fits(
                element,
                format!("`{name}` is for {}", element.text()),
                at,
                elements,
            )
        {
            return Ok(None);
        }
        let element = fixed
            .or(elements.as_ref().map(|elements| elements.0))
            .unwrap_or(Element::F32);
        let function = self.import(plain, element)?;
        let shapes: Option<Vec<Shape>> = arguments
            .iter()
            .map(|&argument| self.single(argument, made))
            .collect();
        let Some(shapes) = shapes else {
            return Ok(None);
        };
        let results = self.apply((at, name), &function, arguments, &shapes, made);
        Ok(results.map(|results| (Part::Call(function, arguments.to_vec()), results)))
    }

    /// The function for an element type, with all it needs and what may be taken for it.
    fn import(&mut self, name: &'static str, element: Element) -> Result<Function, Failure> {
        let graph = self.source.graph;
        let mut wanted = vec![name];
        wanted.extend(
            library::find(name)
                .into_iter()
                .flat_map(|function| function.alternatives().map(|other| other.name)),
        );
        let letter = library::letter(element.text()).unwrap_or('s');
        if let Some(function) = self.imported.get(&format!("{letter}{name}")) {
            return Ok(function.clone());
        }
        let known = |name: &str| self.imported.contains_key(&format!("{letter}{name}"));
        let text = library::text_without(&wanted, element.text(), &known);
        let text = text.ok_or_else(|| {
            graph.error(
                self.source.place(0),
                format!("there is no library function `{name}`"),
            )
        })?;
        for function in graph.import(LIBRARY, &text, Places::Calls)? {
            self.imported.insert(function.name().to_owned(), function);
        }
        let function = self.imported.get(&format!("{letter}{name}")).cloned();
        function.ok_or_else(|| {
            graph.error(
                self.source.place(0),
                format!("there is no library function `{name}`"),
            )
        })
    }

    /// Binds the sizes of a parameter to those of an argument, described by `what`; `false` if they differ from earlier ones.
    fn bind(
        &mut self,
        (place, name): (usize, &str),
        what: &str,
        (sizes, found): (&[Size], &[SizeId]),
        bound: &mut Bound,
    ) -> bool {
        let mut fits = true;
        for (dim, (&wanted, &found)) in sizes.iter().zip(found).enumerate() {
            let text = format!("{} of {what}", dimension(sizes.len(), dim));
            match bound.get(&wanted) {
                None => {
                    bound.insert(wanted, (found, text));
                }
                Some((size, other)) => {
                    let other = other.clone();
                    if let Err(rigid) = self.sizes.unify(*size, found) {
                        self.different(place, &format!("`{name}` needs"), (&other, &text), &rigid);
                        fits = false;
                    }
                }
            }
        }
        fits
    }

    /// Matches a function's parameters with arguments; its results.
    fn apply(
        &mut self,
        (at, name): (usize, &str),
        function: &Function,
        arguments: &[usize],
        shapes: &[Shape],
        made: &Parts,
    ) -> Option<Vec<Shape>> {
        let ctx = self.source.graph.ctx();
        let note = (at, format!("it is {name}{}", signature(ctx, function)));
        let wanted = function.inputs().len();
        if wanted != shapes.len() {
            let wanted = count(wanted, "argument");
            self.error_with(
                at,
                format!("`{name}` takes {wanted}, not {}", shapes.len()),
                &[note],
            );
            return None;
        }
        let mut bound: Bound = HashMap::new();
        let mut fits = true;
        for (index, (&ty, shape)) in function.inputs().iter().zip(shapes).enumerate() {
            let (sizes, element) = sizes_and_element(ctx, ty);
            let is_index = element == ctx.i64();
            let argument = arguments.get(index).copied().unwrap_or(0);
            let place = made.parts.get(argument).map_or(at, |part| part.0);
            let what = self.described(argument, index, made);
            let has_indices = shape.element == Element::I64;
            if sizes.len() != shape.sizes.len() || has_indices != is_index {
                let wanted = described_kind(sizes.len(), is_index);
                let found = described_kind(shape.sizes.len(), has_indices);
                let message = format!(
                    "argument {} of `{name}` must be {wanted}, but {what} is {found}",
                    index + 1
                );
                self.error_with(place, message, std::slice::from_ref(&note));
                fits = false;
                continue;
            }
            fits &= self.bind((place, name), &what, (&sizes, &shape.sizes), &mut bound);
        }
        if !fits {
            return None;
        }
        Some(
            function
                .results()
                .iter()
                .map(|&ty| self.result(ctx, ty, &bound))
                .collect(),
        )
    }

    /// A result's shape, where parameters have bound these sizes.
    fn result(&mut self, ctx: &Context, ty: Type, bound: &Bound) -> Shape {
        let (sizes, element) = sizes_and_element(ctx, ty);
        let sizes = sizes.into_iter().map(|size| match bound.get(&size) {
            Some((size, _)) => *size,
            None => self.sizes.open(size.text(ctx)),
        });
        Shape {
            sizes: sizes.collect(),
            element: match element {
                element if element == ctx.f64() => Element::F64,
                element if element == ctx.f32() => Element::F32,
                _ => Element::I64,
            },
        }
    }

    /// Two sizes that should be one are not.
    pub(crate) fn different(
        &mut self,
        at: usize,
        who: &str,
        (first, second): (&str, &str),
        rigid: &(Rigid, Rigid),
    ) {
        let (one, other) = rigid;
        let (a, b) = (one.text(), other.text());
        let message =
            format!("{who} equal sizes, but the {first} are `{a}` and the {second} are `{b}`");
        let notes = [
            (one.at, format!("`{a}` is declared here")),
            (other.at, format!("`{b}` is declared here")),
        ];
        self.error_with(at, message, &notes);
    }

    fn described(&self, part: usize, index: usize, made: &Parts) -> String {
        match made.parts.get(part) {
            Some((_, Part::Variable(variable))) => format!("`{}`", self.variables[*variable].name),
            _ => format!("argument {}", index + 1),
        }
    }
}

/// The library's name of a function and, where a letter in front says it, its element type.
pub(crate) fn function_of(name: &str) -> Option<(&'static str, Option<Element>)> {
    if let Some(function) = library::find(name) {
        return Some((function.name, None));
    }
    let (element, rest) = match name.split_at_checked(1)? {
        ("s", rest) => (Element::F32, rest),
        ("d", rest) => (Element::F64, rest),
        _ => return None,
    };
    Some((library::find(rest)?.name, Some(element)))
}

/// `(scalar, vector[n]) -> vector[n]`
/// A value of a rank, of numbers or of indices.
fn described_kind(rank: usize, is_index: bool) -> String {
    match (rank, is_index) {
        (0, true) => "an index".to_owned(),
        (_, true) => format!("a {} of indices", kind(rank)),
        (_, false) => format!("a {}", kind(rank)),
    }
}

fn signature(ctx: &Context, function: &Function) -> String {
    let text = |&ty: &Type| {
        let (sizes, element) = sizes_and_element(ctx, ty);
        let names: Vec<String> = sizes.iter().map(|size| size.text(ctx)).collect();
        let sizes = if names.is_empty() {
            String::new()
        } else {
            format!("[{}]", names.join(", "))
        };
        let of_indices = if element == ctx.i64() { "i64 " } else { "" };
        format!("{of_indices}{}{sizes}", kind(names.len()))
    };
    let list = |types: &[Type]| types.iter().map(text).collect::<Vec<_>>().join(", ");
    format!(
        "({}) -> {}",
        list(function.inputs()),
        list(function.results())
    )
}
