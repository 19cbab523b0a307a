//! Stencils of random nested programs: neighbours of each element with every boundary, and single ones at indices of a map.

use super::{Env, Shape, Writer, bare};
use crate::draft::Drafting;

impl Writer {
    /// Offsets of a few neighbours, one list of numbers each.
    fn offsets(&mut self, rank: usize) -> Vec<Vec<i64>> {
        let count = 1 + self.below(3);
        let mut offset = |_| (0..rank).map(|_| self.below(7) as i64 - 3).collect();
        (0..count).map(|number: usize| offset(number)).collect()
    }

    /// A boundary, as a stencil writes it.
    fn boundary(&mut self, env: &Env, rank: usize) -> String {
        match self.below(6) {
            0 => "clamp".to_owned(),
            1 => "mirror".to_owned(),
            2 => "symmetric".to_owned(),
            3 => "wrap".to_owned(),
            4 => format!("constant {}", self.scalar(env)),
            _ => {
                let indices: Vec<String> = (0..rank).map(|_| self.name()).collect();
                let (at, value) = (self.below(rank), self.name());
                format!(
                    "outside ({}) {{\n{value} = arith.index_cast {} : index to i32\narray.yield {value} : i32\n}}",
                    indices.join(", "),
                    indices[at]
                )
            }
        }
    }

    /// A stencil over an array: a chain of operators over the neighbours of each element.
    pub(super) fn stencil(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| matches!(shape.len(), 1 | 2)) else {
            return;
        };
        let name = self.name();
        self.stencil_over(env, (&array, &bare(&shape)), shape.len(), &name);
        env.push((name, shape));
    }

    /// A stencil over an array of a type, and of so many dimensions.
    pub(super) fn stencil_over(
        &mut self,
        env: &Env,
        (array, ty): (&str, &str),
        rank: usize,
        name: &str,
    ) {
        let offsets = self.offsets(rank);
        let names: Vec<String> = offsets.iter().map(|_| self.name()).collect();
        let written: Vec<String> = offsets.iter().map(|offset| list(offset)).collect();
        let boundary = self.boundary(env, rank);
        self.line(&format!(
            "{name} = array.stencil ({} in {array} : {ty} at [{}] {boundary}) {{",
            names.join(", "),
            written.join(", ")
        ));
        let mut value = self.scalar(env);
        for neighbour in &names {
            let next = self.name();
            let op = ["arith.addi", "arith.muli", "arith.xori"][self.below(3)];
            self.line(&format!("{next} = {op} {value}, {neighbour} : i32"));
            value = next;
        }
        self.line(&format!("array.yield {value} : i32\n}}"));
    }

    /// A map over an array's own indices that reads an element near each.
    pub(super) fn near(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let size = shape[0];
        let offset = self.below(7) as i64 - 3;
        let rule = match self.below(5) {
            0 => "clamp".to_owned(),
            1 => "mirror".to_owned(),
            2 => "symmetric".to_owned(),
            3 => "wrap".to_owned(),
            _ => format!("else {}", self.scalar(env)),
        };
        let (indices, at) = (self.name(), self.name());
        let (element, name) = (self.name(), self.name());
        self.line(&format!(
            "{indices} = array.iota %{size} : [{size}]index\n\
             {name} = array.map ({at} in {indices} : [{size}]index) {{\n\
             {element} = array.near {array}[{at}] by [{offset}] {rule} : [{size}]i32\n\
             array.yield {element} : i32\n}}"
        ));
        env.push((name, Shape::from([size])));
    }
}

/// Numbers as a stencil writes an offset: bare in one dimension.
fn list(offset: &[i64]) -> String {
    match offset {
        [only] => only.to_string(),
        all => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            format!("[{}]", all.join(", "))
        }
    }
}
