//! Canonical forms held against `mlir-opt --canonicalize`: random chains of a few ops of `arith` on arguments and
//! constants, one to a function; what both make of each must be the same. `SEGRA_LONG=1` makes many more.
//!
//! Deliberately absent, because Segra leaves them: shifts whose signs a truncation drops, comparisons of integers made
//! floats, rounding an integer to one float format and then to another.

use super::folding::canonicalized_alike;
use segra_tests::case::Failure;
use segra_tests::draft::Choices;
use segra_tests::upstream::MlirOpt;

/// Checks random chains.
pub(crate) fn chains(oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let Some(oracle) = oracle else { return Ok(()) };
    let count = if std::env::var_os("SEGRA_LONG").is_some() {
        20_000
    } else {
        800
    };
    let mut random = Choices::new(0x00C4_A145);
    canonicalized_alike(
        oracle,
        (0..count).map(|index| Chain::new(&mut random).function(index)),
    )
}

/// The types of its values, their names, and its ops as lines.
struct Chain {
    values: Vec<(&'static str, String)>,
    lines: String,
}

const BINARY: &[&str] = &[
    "addi", "subi", "muli", "andi", "ori", "xori", "addi", "subi", "minsi", "maxui", "divui",
];
const TYPES: &[&str] = &["i8", "i32", "i64", "i1", "index"];

impl Chain {
    fn new(random: &mut Choices) -> Chain {
        let mut chain = Chain {
            values: Vec::new(),
            lines: String::new(),
        };
        for (index, ty) in ["i8", "i8", "i32", "i32", "i64", "i1", "i1", "index"]
            .into_iter()
            .enumerate()
        {
            chain.values.push((ty, format!("%a{index}")));
        }
        for _ in 0..2 + random.below(3) {
            chain.step(random);
        }
        chain
    }

    /// A value of a type: likely one made last, or a small constant.
    fn value(&mut self, random: &mut Choices, ty: &'static str) -> String {
        let known: Vec<&String> = self
            .values
            .iter()
            .filter(|row| row.0 == ty)
            .map(|row| &row.1)
            .collect();
        match random.below(4) {
            0 => self.constant(random, ty),
            1 if !known.is_empty() => (*random.pick(&known)).clone(),
            _ => known
                .last()
                .map(|name| (*name).clone())
                .unwrap_or_else(|| self.constant(random, ty)),
        }
    }
    fn constant(&mut self, random: &mut Choices, ty: &'static str) -> String {
        let number = if ty == "i1" {
            *random.pick(&["true", "false"])
        } else {
            *random.pick(&["0", "1", "-1", "3", "5"])
        };
        let name = self.name();
        let value = if ty == "i1" {
            number.to_owned()
        } else {
            format!("{number} : {ty}")
        };
        self.lines +=
            &format!("    {name} = \"arith.constant\"() <{{value = {value}}}> : () -> {ty}\n");
        name
    }
    fn name(&self) -> String {
        format!("%v{}", self.lines.len())
    }
    fn put(&mut self, op: &str, attrs: &str, operands: &[(String, &str)], ty: &'static str) {
        let name = self.name();
        let names: Vec<&str> = operands.iter().map(|row| row.0.as_str()).collect();
        let types: Vec<&str> = operands.iter().map(|row| row.1).collect();
        self.lines += &format!(
            "    {name} = \"arith.{op}\"({}){attrs} : ({}) -> {ty}\n",
            names.join(", "),
            types.join(", ")
        );
        self.values.push((ty, name));
    }

    fn step(&mut self, random: &mut Choices) {
        let ty = *random.pick(TYPES);
        match random.below(8) {
            0..=3 => {
                let (a, b) = (self.value(random, ty), self.value(random, ty));
                self.put(random.pick::<&str>(BINARY), "", &[(a, ty), (b, ty)], ty);
            }
            4 => {
                let (from, to) = *random.pick(&[
                    ("i8", "i32"),
                    ("i8", "i64"),
                    ("i32", "i64"),
                    ("i1", "i32"),
                    ("i1", "i8"),
                ]);
                let value = self.value(random, from);
                self.put(
                    random.pick::<&str>(&["extsi", "extui"]),
                    "",
                    &[(value, from)],
                    to,
                );
            }
            5 => {
                let (from, to) =
                    *random.pick(&[("i32", "i8"), ("i64", "i8"), ("i64", "i32"), ("i32", "i1")]);
                let value = self.value(random, from);
                self.put("trunci", "", &[(value, from)], to);
            }
            6 => {
                let (a, b) = (self.value(random, ty), self.value(random, ty));
                let predicate = format!(" <{{predicate = {} : i64}}>", random.below(10));
                self.put("cmpi", &predicate, &[(a, ty), (b, ty)], "i1");
            }
            _ => {
                let condition = self.value(random, "i1");
                let (a, b) = (self.value(random, ty), self.value(random, ty));
                self.put("select", "", &[(condition, "i1"), (a, ty), (b, ty)], ty);
            }
        }
    }

    fn function(&self, index: usize) -> String {
        let params: Vec<(&str, &str)> = self.values[..8]
            .iter()
            .map(|row| (row.1.as_str(), row.0))
            .collect();
        let types: Vec<&str> = params.iter().map(|row| row.1).collect();
        let args: Vec<String> = params
            .iter()
            .map(|row| format!("{}: {}", row.0, row.1))
            .collect();
        let (ty, last) = self
            .values
            .last()
            .map_or(("i8", "%a0"), |row| (row.0, row.1.as_str()));
        format!(
            "  \"func.func\"() <{{function_type = ({}) -> {ty}, sym_name = \"f{index}\"}}> ({{\n  ^bb0({}):\n{}    \
             \"func.return\"({last}) : ({ty}) -> ()\n  }}) : () -> ()\n",
            types.join(", "),
            args.join(", "),
            self.lines
        )
    }
}
