//! Statements of random nested programs beyond numbers of one type: all element types, operators on pairs, calls,
//! filters.

use super::{Env, Writer, bare};
use crate::draft::Drafting;

/// An element type: how a number below 4 becomes one, how it becomes an `i32` again, operators with neutral elements
/// under which so many such numbers stay exact.
struct Element {
    name: &'static str,
    made: &'static str,
    read: &'static str,
    operators: &'static [(&'static str, &'static str)],
}

const ELEMENTS: &[Element] = &[
    Element {
        name: "i1",
        made: "arith.trunci {} : i32 to i1",
        read: "arith.extui {} : i1 to i32",
        operators: &[
            ("arith.andi", "true"),
            ("arith.ori", "false"),
            ("arith.xori", "false"),
        ],
    },
    Element {
        name: "i8",
        made: "arith.trunci {} : i32 to i8",
        read: "arith.extsi {} : i8 to i32",
        operators: &[
            ("arith.addi", "0"),
            ("arith.muli", "1"),
            ("arith.maxui", "0"),
        ],
    },
    Element {
        name: "i16",
        made: "arith.trunci {} : i32 to i16",
        read: "arith.extui {} : i16 to i32",
        operators: &[
            ("arith.addi", "0"),
            ("arith.minsi", "32767"),
            ("arith.xori", "0"),
        ],
    },
    Element {
        name: "i64",
        made: "arith.extsi {} : i32 to i64",
        read: "arith.trunci {} : i64 to i32",
        operators: &[
            ("arith.addi", "0"),
            ("arith.muli", "1"),
            ("arith.minui", "-1"),
        ],
    },
    Element {
        name: "index",
        made: "arith.index_cast {} : i32 to index",
        read: "arith.index_cast {} : index to i32",
        operators: &[("arith.addi", "0"), ("arith.maxui", "0")],
    },
    Element {
        name: "f16",
        made: "arith.sitofp {} : i32 to f16",
        read: "arith.fptosi {} : f16 to i32",
        operators: &[("arith.addf", "0.0"), ("arith.maximumf", "0.0")],
    },
    Element {
        name: "bf16",
        made: "arith.sitofp {} : i32 to bf16",
        read: "arith.fptosi {} : bf16 to i32",
        operators: &[("arith.addf", "0.0"), ("arith.maximumf", "0.0")],
    },
    Element {
        name: "f32",
        made: "arith.sitofp {} : i32 to f32",
        read: "arith.fptosi {} : f32 to i32",
        operators: &[("arith.addf", "0.0"), ("arith.maximumf", "0.0")],
    },
    Element {
        name: "f64",
        made: "arith.sitofp {} : i32 to f64",
        read: "arith.fptosi {} : f64 to i32",
        operators: &[("arith.addf", "0.0"), ("arith.minimumf", "9.0")],
    },
];

impl Writer {
    /// Numbers of another type: made by a map, reduced, scanned, counted or scattered, and read by a map.
    pub(super) fn typed(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let element = &ELEMENTS[self.below(ELEMENTS.len())];
        let (op, unit) = element.operators[self.below(element.operators.len())];
        let (ty, of, size) = (element.name, bare(&shape), shape[0]);
        let typed = format!("[{size}]{ty}");
        let (x, few, y, made) = (self.name(), self.name(), self.name(), self.name());
        let convert = element.made.replace("{}", &few);
        self.line(&format!(
            "{made} = array.map ({x} in {array} : {of}) {{\n{few} = arith.andi {x}, %three : i32\n{y} = {convert}\n\
             array.yield {y} : {ty}\n}}"
        ));
        let (neutral, found) = (self.name(), self.name());
        let literal = if ty == "i1" {
            unit.to_owned()
        } else {
            format!("{unit} : {ty}")
        };
        self.line(&format!("{neutral} = arith.constant {literal}"));
        let (small, other) = (self.name(), self.name());
        let start = match self.below(2) {
            0 => neutral.clone(),
            _ => {
                let (value, convert) = (self.scalar(env), element.made.replace("{}", &small));
                self.line(&format!(
                    "{small} = arith.andi {value}, %three : i32\n{other} = {convert}"
                ));
                other
            }
        };
        let (e, acc, r) = (self.name(), self.name(), self.name());
        let (x, y) = (self.name(), self.name());
        let read = |from: &str| element.read.replace("{}", from);
        let body = format!("{{\n{r} = {op} {acc}, {e} : {ty}\narray.yield {r} : {ty}\n}}");
        match self.below(4) {
            0 => {
                self.line(&format!(
                    "{found} = array.reduce ({made} : {typed}) init ({start} : {ty}) combine ({acc}, {e}) {body}"
                ));
                self.line(&format!("{y} = {}", read(&found)));
                env.push((y, Vec::new()));
                return;
            }
            1 => {
                let kind = ["array.scan", "array.scan exclusive"][self.below(2)];
                self.line(&format!(
                    "{found} = {kind} ({made} : {typed}) init ({start} : {ty}) combine ({acc}, {e}) {body}"
                ));
            }
            at => {
                let (is, i, bin, into) = (self.name(), self.name(), self.name(), self.name());
                self.line(&format!("{is} = array.iota %{size} : [{size}]index\n{into} = array.replicate {neutral}, [%{size}] : {ty} -> {typed}"));
                let inputs = format!(
                    "({e}i in {made} : {typed}, {i} in {is} : [{size}]index) into ({into} : {typed})"
                );
                if at == 2 {
                    // Two neighbours go to one bin.
                    self.line(&format!(
                        "{found} = array.hist {inputs} neutral ({neutral} : {ty}) map {{\n{bin} = arith.shrui {i}, %c1 : index\n\
                         array.yield {bin}, {e}i : index, {ty}\n}} combine ({acc}, {e}) {body}"
                    ));
                } else {
                    self.line(&format!(
                        "{found} = array.scatter {inputs} {{\n{bin} = arith.addi {i}, %c1 : index\n\
                         array.yield {bin}, {e}i : index, {ty}\n}}"
                    ));
                }
            }
        }
        let back = self.name();
        self.line(&format!(
            "{back} = array.map ({x} in {found} : {typed}) {{\n{y} = {}\narray.yield {y} : i32\n}}",
            read(&x)
        ));
        env.push((back, shape));
    }

    /// A function of its own, with sizes it infers from the call.
    pub(super) fn called(&mut self, env: &mut Env) {
        if self.below(3) == 0
            && let Some((array, shape)) = self.pick(env, |shape| shape.len() == 2)
        {
            let (other, name) = (self.scalar(env), self.name());
            let turned = vec![shape[1], shape[0]];
            let (ty, result) = (super::type_of(&shape), super::type_of(&turned));
            self.line(&format!(
                "{name} = func.call @turned({array}, {other}) : ({ty}, i32) -> {result}"
            ));
            env.push((name, turned));
            return;
        }
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (other, name) = (self.scalar(env), self.name());
        let ty = super::type_of(&shape);
        let callee = ["shifted", "total", "prefixes"][self.below(3)];
        let row = if callee == "total" { Vec::new() } else { shape };
        let result = super::type_of(&row);
        self.line(&format!(
            "{name} = func.call @{callee}({array}, {other}) : ({ty}, i32) -> {result}"
        ));
        env.push((name, row));
    }

    /// The largest element and the first place where it is, per array, per prefix or per bin: an operator on pairs.
    pub(super) fn furthest(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (of, size) = (bare(&shape), shape[0]);
        let (is, i, x, low, far) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (best, place) = (self.name(), self.name());
        self.line(&format!(
            "{is} = array.iota %{size} : [{size}]i32\n{low} = arith.constant -2147483648 : i32\n\
             {far} = arith.constant 2147483647 : i32"
        ));
        let (a, j, b, k) = (self.name(), self.name(), self.name(), self.name());
        let made = self.name();
        let body = format!(
            "{made}m = arith.cmpi sgt, {a}, {b} : i32\n{made}s = arith.cmpi eq, {a}, {b} : i32\n\
             {made}b = arith.cmpi slt, {j}, {k} : i32\n{made}t = arith.andi {made}s, {made}b : i1\n\
             {made}l = arith.ori {made}m, {made}t : i1\n{made}c = arith.select {made}l, {a}, {b} : i32\n\
             {made}d = arith.select {made}l, {j}, {k} : i32\narray.yield {made}c, {made}d : i32, i32\n}}"
        );
        let plain = format!(
            "({array} : {of}, {is} : [{size}]i32) init ({low} : i32, {far} : i32) combine ({a}, {j}, {b}, {k}) {{\n{body}"
        );
        match self.below(3) {
            0 => {
                self.line(&format!("{best}, {place} = array.reduce {plain}"));
                env.push((place, Vec::new()));
                env.push((best, Vec::new()));
                return;
            }
            1 => self.line(&format!("{best}, {place} = array.scan {plain}")),
            _ => {
                let (lows, fars, few, bin) = (self.name(), self.name(), self.name(), self.name());
                self.line(&format!(
                    "{lows} = array.replicate {low}, [%{size}] : i32 -> {of}\n{fars} = array.replicate {far}, [%{size}] : i32 -> {of}\n\
                     {best}, {place} = array.hist ({x} in {array} : {of}, {i} in {is} : [{size}]i32) into ({lows} : {of}, {fars} : {of}) \
                     neutral ({low} : i32, {far} : i32) map {{\n{few} = arith.andi {x}, %three : i32\n\
                     {bin} = arith.index_cast {few} : i32 to index\narray.yield {bin}, {x}, {i} : index, i32, i32\n}} \
                     combine ({a}, {j}, {b}, {k}) {{\n{body}"
                ));
            }
        }
        env.push((place, shape.clone()));
        env.push((best, shape));
    }

    /// The elements of an array that a predicate keeps, their sum, their number, and their positions in an array of known size.
    pub(super) fn filtered(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (limit, of, size) = (self.scalar(env), bare(&shape), shape[0]);
        let kept_size = format!("k{}", self.draft.number());
        let (kept, x, keep, count) = (self.name(), self.name(), self.name(), self.name());
        let typed = format!("[{kept_size}]i32");
        self.line(&format!(
            "{kept} = array.filter ({x} in {array} : {of}) -> [{kept_size}] {{\n\
             {keep} = arith.cmpi slt, {x}, {limit} : i32\narray.yield {keep} : i1\n}}"
        ));
        let (sums, acc, y, s) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!(
            "{sums} = array.scan ({kept} : {typed}) init (%zero : i32) combine ({acc}, {y}) {{\n\
             {s} = arith.addi {acc}, {y} : i32\narray.yield {s} : i32\n}}"
        ));
        let (number, is, i, z, zeros, packed) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        self.line(&format!(
            "{count} = array.dim {kept}, 0 : {typed}\n{number} = arith.index_cast {count} : index to i32\n\
             {is} = array.iota {count} : [{kept_size}]index\n\
             {zeros} = array.replicate %zero, [%{size}] : i32 -> {of}\n\
             {packed} = array.scatter ({i} in {is} : [{kept_size}]index, {z} in {sums} : {typed}) into ({zeros} : {of}) {{\n\
             array.yield {i}, {z} : index, i32\n}}"
        ));
        env.push((number, Vec::new()));
        env.push((packed, shape));
    }
}
