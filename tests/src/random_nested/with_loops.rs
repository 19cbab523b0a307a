//! With-loops of random nested programs: inside of maps, with bounds of each point's own, reading arrays around them.

use super::{Env, Shape, Writer, bare};
use crate::draft::Drafting;

impl Writer {
    /// A bound that is not negative: a constant, or a number of the program.
    fn bound(&mut self, env: &Env) -> String {
        if self.below(2) == 0 {
            return self.below(4).to_string();
        }
        let (scalar, few, name) = (self.scalar(env), self.name(), self.name());
        self.line(&format!("{few} = arith.andi {scalar}, %three : i32"));
        self.line(&format!("{name} = arith.index_cast {few} : i32 to index"));
        name
    }

    /// A step and a width: constants, or a step of the program's.
    fn step(&mut self, env: &Env) -> (String, String) {
        let step = 1 + self.below(3);
        if self.below(3) > 0 {
            return (step.to_string(), (1 + self.below(step)).to_string());
        }
        let (few, name) = (self.bound(env), self.name());
        let base = if few.starts_with('%') {
            few
        } else {
            "%c1".to_owned()
        };
        self.line(&format!("{name} = arith.addi {base}, %c1 : index"));
        (name, "1".to_owned())
    }

    /// An index space inside of an array's: its text.
    fn space(&mut self, env: &Env, shape: &Shape, indices: &[String]) -> String {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let (mut step, mut width) = (Vec::new(), Vec::new());
        for size in shape {
            lower.push(self.bound(env));
            upper.push(match self.below(3) {
                0 => {
                    let (less, name) = (self.name(), self.name());
                    self.line(&format!("{less} = arith.subi %{size}, %c1 : index"));
                    self.line(&format!("{name} = arith.maxsi {less}, %c0 : index"));
                    name
                }
                _ => format!("%{size}"),
            });
            let (t, w) = self.step(env);
            step.push(t);
            width.push(w);
        }
        let [lower, upper, step, width] = [lower, upper, step, width].map(|list| list.join(", "));
        let indices = indices.join(", ");
        format!("([{lower}] <= ({indices}) < [{upper}] step [{step}] width [{width}])")
    }

    /// A partition that reads the array at its index, or gives a number made of the index.
    fn partition(&mut self, env: &Env, shape: &Shape, array: Option<&str>) -> String {
        let indices: Vec<String> = shape.iter().map(|_| self.name()).collect();
        let space = self.space(env, shape, &indices);
        let (scalar, x, y) = (self.scalar(env), self.name(), self.name());
        let element = match array {
            Some(array) if self.below(3) > 0 => format!(
                "{x} = array.index {array}[{}] : {}",
                indices.join(", "),
                bare(shape)
            ),
            _ => {
                let at = self.below(indices.len());
                format!("{x} = arith.index_cast {} : index to i32", indices[at])
            }
        };
        format!(
            " partition {space} {{\n{element}\n{y} = arith.xori {x}, {scalar} : i32\narray.yield {y} : i32\n}}"
        )
    }

    /// A genarray or modarray over the indices of an array, or a fold over them.
    pub(super) fn with_loop(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| matches!(shape.len(), 1 | 2)) else {
            return;
        };
        let kind = self.below(3);
        let count = 1 + self.below(2);
        let partitions: Vec<String> = (0..count)
            .map(|_| self.partition(env, &shape, Some(&array)))
            .collect();
        let (partitions, name) = (partitions.concat(), self.name());
        let ty = bare(&shape);
        match kind {
            0 => {
                let sizes: Vec<String> = shape.iter().map(|size| format!("%{size}")).collect();
                let default = self.scalar(env);
                self.line(&format!(
                    "{name} = array.with_loop genarray [{}] default ({default} : i32){partitions} : {ty}",
                    sizes.join(", ")
                ));
                env.push((name, shape));
            }
            1 => {
                self.line(&format!(
                    "{name} = array.with_loop modarray ({array} : {ty}){partitions}"
                ));
                env.push((name, shape));
            }
            _ => {
                let (start, a, b, c) = (self.scalar(env), self.name(), self.name(), self.name());
                self.line(&format!(
                    "{name} = array.with_loop fold init ({start} : i32){partitions} combine ({a}, {b}) {{\n\
                     {c} = arith.addi {a}, {b} : i32\narray.yield {c} : i32\n}}"
                ));
                env.push((name, Shape::new()));
            }
        }
    }
}
