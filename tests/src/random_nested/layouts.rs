//! Statements of random nested programs with the rest of the array dialect: literals, slices with strides, padded rows,
//! three dimensions, unknown sizes, operators that do not commute, several values combined at once.

use super::{Env, OPERATORS, Writer, bare};
use crate::draft::Drafting;

impl Writer {
    /// Elements of a literal, chosen by the elements of an array.
    pub(super) fn literal(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (of, size) = (bare(&shape), shape[0]);
        let (tensor, table, name) = (self.name(), self.name(), self.name());
        let (x, few, at, y) = (self.name(), self.name(), self.name(), self.name());
        let chosen = format!(
            "{few} = arith.andi {x}, %three : i32\n{at} = arith.index_cast {few} : i32 to index"
        );
        match self.below(3) {
            0 => self.line(&format!(
                "{tensor} = arith.constant dense<[[3, -1], [4, -1], [5, 9], [2, 6]]> : tensor<4x2xi32>\n\
                 {table} = array.from_tensor {tensor} : tensor<4x2xi32>\n\
                 {name} = array.map ({x} in {array} : {of}) {{\n{chosen}\n\
                 {y} = array.index {table}[{at}, %c1] : [4][2]i32\narray.yield {y} : i32\n}}"
            )),
            1 => self.line(&format!(
                "{tensor} = arith.constant dense<[2, 7, 1, 8]> : tensor<4xi16>\n\
                 {table} = array.from_tensor {tensor} : tensor<4xi16>\n\
                 {name} = array.map ({x} in {array} : {of}) {{\n{chosen}\n{y}s = array.index {table}[{at}] : [4]i16\n\
                 {y} = arith.extsi {y}s : i16 to i32\narray.yield {y} : i32\n}}"
            )),
            _ => {
                let places = self.name();
                self.line(&format!(
                    "{tensor} = arith.constant dense<[-3, 5, 0, 11]> : tensor<4xi32>\n\
                     {table} = array.from_tensor {tensor} : tensor<4xi32>\n\
                     {places} = array.map ({x} in {array} : {of}) {{\n{chosen}\narray.yield {at} : index\n}}\n\
                     {name} = array.gather {table}[{places}] : [4]i32, [{size}]index"
                ));
            }
        }
        env.push((name, shape));
    }

    /// Chains of `a * x + b`, composed: an operator on pairs that does not commute.
    pub(super) fn affine(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (other, of) = (self.scalar(env), bare(&shape));
        let (scale, shift, x, y) = (self.name(), self.name(), self.name(), self.name());
        let (a, b, c, d, e) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (scale0, shift0) = (self.start(env, 1, &[]), self.start(env, 0, &[]));
        let kinds = [
            "array.redomap",
            "array.scanomap",
            "array.scanomap exclusive",
        ];
        let at = self.below(kinds.len());
        self.line(&format!(
            "{scale}, {shift} = {} ({x} in {array} : {of}) init ({scale0} : i32, {shift0} : i32) map {{\n\
             {y} = arith.xori {x}, {other} : i32\narray.yield {y}, {x} : i32, i32\n}} combine ({a}, {b}, {c}, {d}) {{\n\
             {e} = arith.muli {a}, {c} : i32\n{e}m = arith.muli {b}, {c} : i32\n{e}s = arith.addi {e}m, {d} : i32\n\
             array.yield {e}, {e}s : i32, i32\n}}",
            kinds[at]
        ));
        let row = if at == 0 { Vec::new() } else { shape };
        env.push((scale, row.clone()));
        env.push((shift, row));
    }

    /// Every second of twice as many elements or rows, or the last half of them backwards.
    pub(super) fn strided(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| matches!(shape.len(), 1 | 2)) else {
            return;
        };
        let Some((other, _)) = self.pick(env, |other| *other == shape) else {
            return;
        };
        let (of, outer, twice, name) = (bare(&shape), shape[0], self.name(), self.name());
        let rows = if shape.len() == 2 {
            format!("[{}]", shape[1])
        } else {
            String::new()
        };
        let rest = |first: &str, inner: &str| match shape.get(1) {
            Some(_) => format!("{first}, {inner}"),
            None => first.to_owned(),
        };
        let size = shape
            .get(1)
            .map_or(String::new(), |size| format!("%{size}"));
        let (offset, stride) = match self.below(2) {
            0 => ("%c0".to_owned(), "%c2".to_owned()),
            _ => (format!("%{outer}"), "%back".to_owned()),
        };
        self.line(&format!(
            "{twice} = array.concat {array}, {other} : {of}, {of} -> [?]{rows}i32\n\
             {name} = array.slice {twice}[{}] sizes [{}] strides [{}] : [?]{rows}i32 -> {of}",
            rest(&offset, "%c0"),
            rest(&format!("%{outer}"), &size),
            rest(&stride, "%c1")
        ));
        env.push((name, shape));
    }

    /// A matrix with a frame, of which a part as large is seen.
    pub(super) fn framed(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 2) else {
            return;
        };
        let (fill, of, first, name) = (self.scalar(env), bare(&shape), self.name(), self.name());
        let (x, y) = (
            ["%c0", "%c1"][self.below(2)],
            ["%c0", "%c1", "%c2"][self.below(3)],
        );
        self.line(&format!(
            "{first} = array.pad {array}, {fill} low [%c1, %c0] high [%c0, %c2] : {of} -> [?][?]i32\n\
             {name} = array.slice {first}[{x}, {y}] sizes [%{}, %{}] strides [%c1, %c1] : [?][?]i32 -> {of}",
            shape[0], shape[1]
        ));
        env.push((name, shape));
    }

    /// Of an array nothing is known any more: not even its size.
    pub(super) fn forgotten(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (of, unknown, squares, sum) = (bare(&shape), self.name(), self.name(), self.name());
        let (many, number, both) = (self.name(), self.name(), self.name());
        let (x, y, acc, z, t) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        self.line(&format!(
            "{unknown} = array.cast {array} : {of} -> [?]i32\n\
             {squares} = array.map ({x} in {unknown} : [?]i32) {{\n{y} = arith.muli {x}, {x} : i32\narray.yield {y} : i32\n}}\n\
             {sum} = array.reduce ({squares} : [?]i32) init (%zero : i32) combine ({acc}, {z}) {{\n{t} = arith.addi {acc}, {z} : i32\n\
             array.yield {t} : i32\n}}\n{many} = array.dim {unknown}, 0 : [?]i32\n\
             {number} = arith.index_cast {many} : index to i32\n{both} = arith.addi {sum}, {number} : i32"
        ));
        env.push((both, Vec::new()));
    }

    /// How many, how much and the largest per bin, in one histogram.
    pub(super) fn counted(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (of, size) = (bare(&shape), shape[0]);
        let low = self.constant(-2_147_483_648);
        let (zeros, lows, far, sum, best) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (x, few, bin) = (self.name(), self.name(), self.name());
        let (a, b, c, d, e, f) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        self.line(&format!(
            "{zeros} = array.replicate %zero, [%{size}] : i32 -> {of}\n{lows} = array.replicate {low}, [%{size}] : i32 -> {of}\n\
             {far}, {sum}, {best} = array.hist ({x} in {array} : {of}) into ({zeros} : {of}, {zeros} : {of}, {lows} : {of}) \
             neutral (%zero : i32, %zero : i32, {low} : i32) map {{\n{few} = arith.andi {x}, %three : i32\n\
             {bin} = arith.index_cast {few} : i32 to index\narray.yield {bin}, %one, {x}, {x} : index, i32, i32, i32\n}} \
             combine ({a}, {b}, {c}, {d}, {e}, {f}) {{\n{a}n = arith.addi {a}, {d} : i32\n{b}n = arith.addi {b}, {e} : i32\n\
             {c}n = arith.maxsi {c}, {f} : i32\narray.yield {a}n, {b}n, {c}n : i32, i32, i32\n}}"
        ));
        env.push((far, shape.clone()));
        env.push((best, shape.clone()));
        env.push((sum, shape));
    }

    /// A matrix along a third dimension, turned: reduced along that.
    pub(super) fn turned(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 2) else {
            return;
        };
        let (of, p, q) = (bare(&shape), shape[0], shape[1]);
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let start = self.start(env, unit, &[]);
        let (cube, turned, name) = (self.name(), self.name(), self.name());
        let (plane, line, x, acc, s, row, y) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        self.line(&format!(
            "{cube} = array.replicate {array}, [%n] : {of} -> [n][{p}][{q}]i32\n\
             {turned} = array.rearrange {cube}, [1, 2, 0] : [n][{p}][{q}]i32\n\
             {name} = array.map ({plane} in {turned} : [{p}][{q}][n]i32) {{\n\
             {row} = array.map ({line} in {plane} : [{q}][n]i32) {{\n\
             {s} = array.reduce ({line} : [n]i32) init ({start} : i32) combine ({acc}, {x}) {{\n{y} = {op} {acc}, {x} : i32\n\
             array.yield {y} : i32\n}}\narray.yield {s} : i32\n}}\narray.yield {row} : !array.array<[{q}]i32>\n}}"
        ));
        env.push((name, shape));
    }

    /// The sum, the largest and the parities of all, in one traversal.
    pub(super) fn several(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (of, other) = (bare(&shape), self.scalar(env));
        let (zero, low) = (
            self.start(env, 0, &[]),
            self.start(env, -2_147_483_648, &[]),
        );
        let (sum, best, beside, x, y) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (a, b, c, d) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!(
            "{sum}, {best}, {beside} = array.redomap ({x} in {array} : {of}) init ({zero} : i32, {low} : i32) map {{\n\
             {y} = arith.muli {x}, {other} : i32\narray.yield {x}, {y}, {y} : i32, i32, i32\n}} combine ({a}, {b}, {c}, {d}) {{\n\
             {a}n = arith.addi {a}, {c} : i32\n{b}n = arith.maxsi {b}, {d} : i32\narray.yield {a}n, {b}n : i32, i32\n}}"
        ));
        env.push((beside, shape));
        env.push((best, Vec::new()));
        env.push((sum, Vec::new()));
    }
}
