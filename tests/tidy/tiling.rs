//! `docs/tiling.md`: each nest shown there is what the schedule above it makes of the page's product, and computes it.
//!
//! A line `<!-- after: SCHEDULE -->` says what the block of code below it is; `BLESS=1` writes the blocks anew.

use crate::root;
use segra::tilings::tilings;
use segra::{CompileOptions, Compiler, Program};
use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline};
use segra_tests::case;
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::fs;
use std::sync::Arc;

/// Where the page is.
const PAGE: &str = "docs/tiling.md";

/// A block of code of the page: what it is said to be, and the lines in it.
struct Block {
    title: String,
    /// Of the page's lines, from the first inside the block to the one behind it.
    lines: std::ops::Range<usize>,
}

/// The blocks of a page that say what they are.
fn blocks(page: &[&str]) -> Vec<Block> {
    let mut found = Vec::new();
    for (at, line) in page.iter().enumerate() {
        let title = line
            .strip_prefix("<!-- ")
            .and_then(|rest| rest.strip_suffix(" -->"));
        let Some(title) = title else { continue };
        let fence = |line: &&str| line.starts_with("```");
        assert!(
            page.get(at + 1).is_some_and(fence),
            "a block follows: {line}"
        );
        let length = page[at + 2..]
            .iter()
            .take_while(|line| !fence(line))
            .count();
        found.push(Block {
            title: title.to_owned(),
            lines: at + 2..at + 2 + length,
        });
    }
    found
}

fn parse(program: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    let ir = parse_module(&ctx, PAGE, program, &ParseOptions::default());
    ir.expect("the page's program is one")
}

/// A matrix of different numbers.
fn matrix(rows: usize, columns: usize) -> Datum {
    let numbers: Vec<f32> = (0..rows * columns)
        .map(|at| (at * 37 % 101) as f32)
        .collect();
    let array = ArrayValue::new(Elem::F32, vec![rows, columns], Elements::F32(numbers));
    Datum::array(array.expect("as many numbers as elements"))
}

/// The product at sizes that tiles do not divide, and at some that they do.
fn results(ir: &Ir) -> Vec<String> {
    let sizes = [(7, 5, 11), (16, 8, 32), (1, 1, 1), (3, 0, 2), (9, 4, 17)];
    let run = |&(m, u, n): &(usize, usize, usize)| {
        let results = Interpreter::new(ir).call("main", &[matrix(m, u), matrix(u, n)]);
        format!("{:?}", results.expect("the product runs"))
    };
    sizes.iter().map(run).collect()
}

/// The nest that a schedule makes of a program, whose results stay.
fn nest_after(program: &str, schedule: &str) -> String {
    let mut ir = parse(program);
    let before = results(&ir);
    let text =
        format!("builtin.module(tile-blocks{{schedule={{{schedule}}}}},canonicalize,cse,dce)");
    let pipeline = Pipeline::parse(&text, &segra_pipeline::registry()).expect(schedule);
    let mut diags = Diagnostics::new();
    let done = PassManager::new(&pipeline).run(&mut ir, &mut diags);
    let messages: Vec<&str> = diags.iter().map(|diag| diag.message.as_str()).collect();
    assert!(
        done.is_ok() && messages.is_empty(),
        "{schedule}: {messages:?}"
    );
    assert_eq!(before, results(&ir), "{schedule}");
    let text = print(&ir, ir.root(), &PrintOptions::default());
    let nest = text
        .lines()
        .skip_while(|line| !line.contains("kernel.segmap block"))
        .take_while(|line| !line.contains("func.return"))
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    nest.collect::<Vec<_>>().join("\n")
}

/// The direction matrix of the program's nest.
fn dependences(program: &str) -> String {
    let compiler = Compiler::new(CompileOptions {
        pipeline: "tile-blocks".to_owned(),
        ..CompileOptions::default()
    });
    let program = Program::from_text(PAGE, program).expect("the page's program is one");
    let nests = tilings(&compiler, program).expect("there is no pass before");
    nests[0].dependences.join("\n")
}

#[test]
fn nests_of_the_page_on_tiling_are_what_their_schedules_make() {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).expect("the page is there");
    let lines: Vec<&str> = page.lines().collect();
    let blocks = blocks(&lines);
    let program = blocks.iter().find(|block| block.title == "program");
    let program = program.expect("the page has a program");
    let program = lines[program.lines.clone()].join("\n");
    let (mut written, mut from) = (Vec::new(), 0);
    for block in &blocks {
        let code = match block.title.strip_prefix("after: ") {
            Some(schedule) => nest_after(&program, schedule),
            None if block.title == "dependences" => dependences(&program),
            None => lines[block.lines.clone()].join("\n"),
        };
        written.extend(
            lines[from..block.lines.start]
                .iter()
                .map(|line| (*line).to_owned()),
        );
        written.push(code);
        from = block.lines.end;
    }
    assert!(blocks.len() > 8, "the page shows each step");
    written.extend(lines[from..].iter().map(|line| (*line).to_owned()));
    let wanted = written.join("\n") + "\n";
    if case::blessing() {
        fs::write(&path, wanted).expect("the page can be written");
    } else {
        assert!(page == wanted, "{PAGE} is stale: BLESS=1 writes it anew");
    }
}

#[test]
fn a_schedule_that_is_refused_is_seen() {
    let program = "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
      func.return %a : tensor<?x?xf32>
    }";
    // Without a nest there is nothing after it, which no block of the page is.
    assert_eq!(nest_after(program, "stripmine [32]"), "");
}
