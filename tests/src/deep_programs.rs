//! Programs of any depth, as text: chains of definitions in which everything needs the one before, and ops in ops.
//!
//! Code that follows such a chain by recursion exhausts the stack, and code that copies the rest of it at each link takes
//! quadratically long. Deliberately absent: programs with many independent parts ([`crate::long_programs`]).

use std::fmt::Write as _;

/// The kind of parts that are strung together, or nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// Products in the body of a map.
    InMap,
    /// Products in a function, of which a size is made.
    OnHost,
    /// Products in a loop.
    InLoop,
    /// Sums that are an index in a map.
    Index,
    /// Maps of maps.
    Maps,
    /// Slices of slices.
    Slices,
    /// Joined arrays, each the one before with another one.
    Concats,
    /// The same, each the one before twice: exponentially many elements, of which few are there at run time.
    Doubled,
    /// Updates of updates in a map.
    Updates,
    /// Branches in branches in a map.
    Branches,
    /// Loops in loops.
    Loops,
    /// Maps in maps around a reduction.
    Nest,
}

impl Chain {
    /// All of them but the doubled arrays, of which few make much.
    pub const ALL: [Chain; 11] = [
        Chain::InMap,
        Chain::OnHost,
        Chain::InLoop,
        Chain::Index,
        Chain::Maps,
        Chain::Slices,
        Chain::Concats,
        Chain::Updates,
        Chain::Branches,
        Chain::Loops,
        Chain::Nest,
    ];

    /// Whether links lie in one another; the reader takes a limited number of those.
    pub fn is_nested(self) -> bool {
        matches!(self, Chain::Branches | Chain::Loops | Chain::Nest)
    }

    /// A program of so many links.
    pub fn program(self, links: usize) -> String {
        let scalars = |op: &str, with: &str, ty: &str| {
            links_of(links, |at, next| {
                format!("%v{next} = {op} %v{at}, {with} : {ty}")
            })
        };
        match self {
            Chain::InMap => in_map(
                "%x",
                &scalars("arith.muli", "%k", "i32"),
                &format!("%v{links}"),
            ),
            Chain::OnHost => {
                let chain = scalars("arith.muli", "%v0", "index");
                format!(
                    "func.func @main(%v0: index, %k: i32) -> !array.array<[?]i32> {{
{chain}  %r = array.replicate %k, [%v{links}] : i32 -> [?]i32
  func.return %r : !array.array<[?]i32>
}}
"
                )
            }
            Chain::InLoop => format!(
                "func.func @main(%x: i32, %k: i32, %n: index) -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v0 = %x) -> (i32) {{
{}    scf.yield %v{links} : i32
  }}
  func.return %r : i32
}}
",
                scalars("arith.muli", "%k", "i32")
            ),
            Chain::Index => {
                let chain = scalars("arith.addi", "%v0", "index");
                format!(
                    "func.func @main(%xs: {LINE}, %at: !array.array<[n]index>) -> {LINE} {{
  %ys = array.map (%v0 in %at : [n]index) {{
{chain}    %y = array.index %xs[%v{links}] : [n]i32
    array.yield %y : i32
  }}
  func.return %ys : {LINE}
}}
"
                )
            }
            Chain::Maps => of_arrays(links, LINE, |at, next| {
                format!(
                    "%a{next} = array.map (%x in %a{at} : [n]i32) {{
    %y = arith.addi %x, %k : i32
    array.yield %y : i32
  }}"
                )
            }),
            Chain::Slices => of_arrays(links, "!array.array<[?]i32>", |at, next| {
                format!(
                    "%a{next} = array.slice %a{at}[%c1] sizes [%n] strides [%c1] : [?]i32 -> [?]i32"
                )
            }),
            Chain::Concats => of_arrays(links, "!array.array<[?]i32>", |at, next| {
                format!("%a{next} = array.concat %a{at}, %more : [?]i32, [m]i32 -> [?]i32")
            }),
            Chain::Doubled => of_arrays(links, "!array.array<[?]i32>", |at, next| {
                format!("%a{next} = array.concat %a{at}, %a{at} : [?]i32, [?]i32 -> [?]i32")
            }),
            Chain::Updates => updates(links),
            Chain::Branches => in_map("%x", &branches(0, links), "%r0"),
            Chain::Loops => format!(
                "func.func @main(%x: i32, %n: index) -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{}  func.return %r0 : i32
}}
",
                loops(0, links)
            ),
            Chain::Nest => nest(links),
        }
    }
}

const LINE: &str = "!array.array<[n]i32>";

fn links_of(links: usize, link: impl Fn(usize, usize) -> String) -> String {
    (0..links).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "  {}", link(at, at + 1));
        text
    })
}

/// A map whose body is `body`, which makes `result` of `%v0` and `%k`.
fn in_map(element: &str, body: &str, result: &str) -> String {
    format!(
        "func.func @main(%xs: {LINE}, %k: i32, %p: i1) -> {LINE} {{
  %ys = array.map ({element} in %xs : [n]i32) {{
    %v0 = arith.addi {element}, {element} : i32
{body}    array.yield {result} : i32
  }}
  func.return %ys : {LINE}
}}
"
    )
}

/// A function of arrays `%a0`, `%a1`, ...
fn of_arrays(links: usize, ty: &str, link: impl Fn(usize, usize) -> String) -> String {
    let chain = links_of(links, link);
    format!(
        "func.func @main(%a0: {ty}, %more: !array.array<[m]i32>, %k: i32, %n: index) -> {ty} {{
  %c1 = arith.constant 1 : index
{chain}  func.return %a{links} : {ty}
}}
"
    )
}

fn updates(links: usize) -> String {
    let chain = links_of(links, |at, next| {
        format!("%a{next} = array.update %k, %a{at}[%i] : i32, [m]i32")
    });
    format!(
        "func.func @main(%xss: !array.array<[n][m]i32>, %k: i32, %i: index) -> {LINE} {{
  %ys = array.map (%a0 in %xss : [n][m]i32) {{
{chain}    %y = array.index %a{links}[%i] : [m]i32
    array.yield %y : i32
  }}
  func.return %ys : {LINE}
}}
"
    )
}

fn branches(at: usize, links: usize) -> String {
    let inner = match at + 1 < links {
        true => format!("{}scf.yield %r{} : i32", branches(at + 1, links), at + 1),
        false => "%q = arith.addi %x, %x : i32\nscf.yield %q : i32".to_owned(),
    };
    format!("%r{at} = scf.if %p -> (i32) {{\n{inner}\n}} else {{\nscf.yield %x : i32\n}}\n")
}

fn loops(at: usize, links: usize) -> String {
    let inner = match at + 1 < links {
        true => format!("{}scf.yield %r{} : i32", loops(at + 1, links), at + 1),
        false => format!("%q = arith.addi %v{at}, %x : i32\nscf.yield %q : i32"),
    };
    let start = if at == 0 {
        "%x".to_owned()
    } else {
        format!("%v{}", at - 1)
    };
    format!(
        "%r{at} = scf.for %i{at} = %c0 to %n step %c1 iter_args(%v{at} = {start}) -> (i32) {{\n{inner}\n}}\n"
    )
}

/// Maps around a reduction, so that there are versions.
fn nest(links: usize) -> String {
    let sizes = |range: std::ops::Range<usize>| {
        range.fold(String::new(), |text, at| text + &format!("[n{at}]")) + "i32"
    };
    let array = |range| format!("!array.array<{}>", sizes(range));
    let (all, result) = (array(0..links + 1), array(0..links));
    let mut text = format!("func.func @main(%x0: {all}, %k: i32) -> {result} {{\n");
    for at in 0..links {
        let (element, ty) = (at + 1, sizes(at..links + 1));
        let _ = writeln!(text, "%r{at} = array.map (%x{element} in %x{at} : {ty}) {{");
    }
    let _ = writeln!(
        text,
        "%v = array.reduce (%x{links} : [n{links}]i32) init (%k : i32) combine arith.addi\narray.yield %v : i32"
    );
    for at in (1..links).rev() {
        let _ = writeln!(text, "}}\narray.yield %r{at} : {}", sizes(at..links));
    }
    let _ = writeln!(text, "}}\nfunc.return %r0 : {result}\n}}");
    text
}
