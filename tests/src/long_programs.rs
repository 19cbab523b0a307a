//! Programs of any number of SOACs, as text, for compile time by program size: the same on every machine.
//!
//! Each shape strings units together, every one of which reads what the one before made, so that nothing is dead.
//! Deliberately absent: compiling them (`tests/property/work.rs` counts, `benches/compile.py` takes times); programs
//! that vary with a seed ([`crate::random_nested`] and its neighbours).

use crate::draft::Choices;
use std::fmt::Write as _;

/// The kind of parts a program is a long list of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Maps and scans, each of the one before.
    Chain,
    /// Reductions of maps of one array.
    Wide,
    /// Maps of maps of reductions.
    Nests,
    /// Nests of depth four.
    Deep,
    /// Maps in loops, and maps of loops of maps.
    Loops,
    /// Maps and scans in branches, and maps of branches of maps.
    Branches,
    /// All of these but the deep nests, and histograms, scatters and scans of rows, in an order that looks random.
    Mixed,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 7] = [
        Shape::Chain,
        Shape::Wide,
        Shape::Nests,
        Shape::Deep,
        Shape::Loops,
        Shape::Branches,
        Shape::Mixed,
    ];

    /// Its name on command lines and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Chain => "chain",
            Shape::Wide => "wide",
            Shape::Nests => "nests",
            Shape::Deep => "deep",
            Shape::Loops => "loops",
            Shape::Branches => "branches",
            Shape::Mixed => "mixed",
        }
    }

    /// The shape of a name.
    pub fn named(name: &str) -> Option<Shape> {
        Shape::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// A program of about `soacs` SOACs.
    pub fn program(self, soacs: usize) -> String {
        let mut writer = Writer::default();
        let units: &[Unit] = match self {
            Shape::Chain => &[map, scan],
            Shape::Wide => &[reduced_map],
            Shape::Nests => &[nest],
            Shape::Deep => &[deep_nest],
            Shape::Loops => &[loop_of_maps, map_of_loops],
            Shape::Branches => &[branch_of_maps, map_of_branches],
            Shape::Mixed => &[
                map,
                scan,
                reduced_map,
                histogram,
                scatter,
                nest,
                row_sums,
                row_scans,
                loop_of_maps,
                map_of_loops,
                branch_of_maps,
                map_of_branches,
            ],
        };
        // Longer programs repeat what shorter ones are made of: work per SOAC can be compared.
        let mut order: Vec<usize> = (0..units.len()).collect();
        if self == Shape::Mixed {
            let mut choices = Choices::new(1);
            order = (0..PERIOD).map(|_| choices.below(units.len())).collect();
        }
        for &at in order.iter().cycle() {
            if writer.soacs >= soacs {
                break;
            }
            units[at](&mut writer);
        }
        writer.finish()
    }
}

/// Units of a mixed program before they repeat.
const PERIOD: usize = 32;

/// The function that adds to a program.
type Unit = fn(&mut Writer);

/// Types of the running values: an array of numbers, of rows, of rows of rows.
const LINE: &str = "!array.array<[n]i64>";
const ROWS: &str = "!array.array<[n][m]i64>";
const CUBE: &str = "!array.array<[n][m][k]i64>";

/// A program so far. The last number, line, matrix and cube are `%sN`, `%vN`, `%mN`, `%dN`.
#[derive(Default)]
struct Writer {
    text: String,
    soacs: usize,
    numbers: usize,
    lines: usize,
    matrices: usize,
    cubes: usize,
}

impl Writer {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a string takes all");
        self.text.push('\n');
    }
    /// The last line and the name of the next.
    fn line(&mut self) -> (String, String) {
        self.lines += 1;
        (format!("%v{}", self.lines - 1), format!("%v{}", self.lines))
    }
    fn matrix(&mut self) -> (String, String) {
        self.matrices += 1;
        (
            format!("%m{}", self.matrices - 1),
            format!("%m{}", self.matrices),
        )
    }
    fn finish(self) -> String {
        let Writer {
            text,
            numbers,
            lines,
            matrices,
            cubes,
            ..
        } = self;
        format!(
            "func.func @main(%s0: i64, %v0: {LINE}, %m0: {ROWS}, %d0: {CUBE}, %y: !array.array<[k]i64>, %start: {LINE}, \
             %c: i64, %rounds: index) -> (i64, {LINE}, {ROWS}, {CUBE}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
{text}  func.return %s{numbers}, %v{lines}, %m{matrices}, %d{cubes} : i64, {LINE}, {ROWS}, {CUBE}
}}
"
        )
    }
}

fn map(w: &mut Writer) {
    let (from, to) = w.line();
    w.soacs += 1;
    w.add(format_args!("  {to} = array.map (%x in {from} : [n]i64) {{\n    %p = arith.muli %x, %c : i64\n    array.yield %p : i64\n  }}"));
}

fn scan(w: &mut Writer) {
    let (from, to) = w.line();
    w.soacs += 1;
    w.add(format_args!("  {to} = array.scan ({from} : [n]i64) init (%c : i64) combine (%acc, %x) {{\n    %s = arith.addi %acc, %x : i64\n    array.yield %s : i64\n  }}"));
}

/// A sum of the products of the line with the last number.
fn reduced_map(w: &mut Writer) {
    let (line, from, to) = (w.lines, w.numbers, w.numbers + 1);
    w.numbers += 1;
    w.soacs += 2;
    w.add(format_args!(
        "  %p{to} = array.map (%x in %v{line} : [n]i64) {{
    %p = arith.muli %x, %s{from} : i64
    array.yield %p : i64
  }}
  %s{to} = array.reduce (%p{to} : [n]i64) init (%s{from} : i64) combine (%acc, %x) {{
    %s = arith.addi %acc, %x : i64
    array.yield %s : i64
  }}"
    ));
}

fn histogram(w: &mut Writer) {
    let (from, to) = w.line();
    w.soacs += 1;
    w.add(format_args!(
        "  {to} = array.hist (%x in {from} : [n]i64) into (%start : [n]i64) neutral (%zero : i64) map {{
    %bin = arith.index_cast %x : i64 to index
    array.yield %bin, %x : index, i64
  }} combine (%a, %b) {{
    %s = arith.addi %a, %b : i64
    array.yield %s : i64
  }}"
    ));
}

fn scatter(w: &mut Writer) {
    let (from, to) = w.line();
    w.soacs += 1;
    w.add(format_args!(
        "  {to} = array.scatter (%x in {from} : [n]i64) into (%start : [n]i64) {{
    %at = arith.index_cast %x : i64 to index
    array.yield %at, %x : index, i64
  }}"
    ));
}

/// For each element of the matrix the exclusive or of its products with another line: the algebra takes no factor out of it,
/// so that programs of all lengths stay as long as they are written.
fn nest(w: &mut Writer) {
    let (from, to) = w.matrix();
    w.soacs += 3;
    w.add(format_args!(
        "  {to} = array.map (%row in {from} : [n][m]i64) {{
    %r = array.map (%e in %row : [m]i64) {{
      %d = array.redomap (%p in %y : [k]i64) init (%zero : i64) map {{
        %q = arith.muli %p, %e : i64
        array.yield %q : i64
      }} combine (%s, %t) {{
        %u = arith.xori %s, %t : i64
        array.yield %u : i64
      }}
      array.yield %d : i64
    }}
    array.yield %r : !array.array<[m]i64>
  }}"
    ));
}

fn deep_nest(w: &mut Writer) {
    let (from, to) = (w.cubes, w.cubes + 1);
    w.cubes += 1;
    w.soacs += 4;
    w.add(format_args!(
        "  %d{to} = array.map (%rows in %d{from} : [n][m][k]i64) {{
    %rs = array.map (%row in %rows : [m][k]i64) {{
      %r = array.map (%e in %row : [k]i64) {{
        %d = array.redomap (%p in %y : [k]i64) init (%zero : i64) map {{
          %q = arith.muli %p, %e : i64
          array.yield %q : i64
        }} combine (%s, %t) {{
          %u = arith.xori %s, %t : i64
          array.yield %u : i64
        }}
        array.yield %d : i64
      }}
      array.yield %r : !array.array<[k]i64>
    }}
    array.yield %rs : !array.array<[m][k]i64>
  }}"
    ));
}

/// Sums of rows, added to the line.
fn row_sums(w: &mut Writer) {
    let (matrix, (from, to)) = (w.matrices, w.line());
    w.soacs += 2;
    w.add(format_args!(
        "  {to} = array.map (%row in %m{matrix} : [n][m]i64, %e in {from} : [n]i64) {{
    %r = array.reduce (%row : [m]i64) init (%zero : i64) combine (%acc, %x) {{
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }}
    %u = arith.addi %r, %e : i64
    array.yield %u : i64
  }}"
    ));
}

fn row_scans(w: &mut Writer) {
    let (from, to) = w.matrix();
    w.soacs += 2;
    w.add(format_args!(
        "  {to} = array.map (%row in {from} : [n][m]i64) {{
    %r = array.scan (%row : [m]i64) init (%zero : i64) combine (%acc, %x) {{
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }}
    array.yield %r : !array.array<[m]i64>
  }}"
    ));
}

fn loop_of_maps(w: &mut Writer) {
    let (from, to) = w.line();
    w.soacs += 1;
    w.add(format_args!(
        "  {to} = scf.for %t = %c0 to %rounds step %c1 iter_args(%now = {from}) -> ({LINE}) {{
    %next = array.map (%x in %now : [n]i64) {{
      %p = arith.muli %x, %c : i64
      array.yield %p : i64
    }}
    scf.yield %next : {LINE}
  }}"
    ));
}

/// The loop moves out of the map.
fn map_of_loops(w: &mut Writer) {
    let (from, to) = w.matrix();
    w.soacs += 2;
    w.add(format_args!(
        "  {to} = array.map (%row in {from} : [n][m]i64) {{
    %last = scf.for %t = %c0 to %rounds step %c1 iter_args(%now = %row) -> (!array.array<[m]i64>) {{
      %next = array.map (%x in %now : [m]i64) {{
        %p = arith.muli %x, %c : i64
        array.yield %p : i64
      }}
      scf.yield %next : !array.array<[m]i64>
    }}
    array.yield %last : !array.array<[m]i64>
  }}"
    ));
}

fn branch_of_maps(w: &mut Writer) {
    let numbers = w.numbers;
    let (from, to) = w.line();
    w.soacs += 2;
    let lines = w.lines;
    w.add(format_args!(
        "  %if{lines} = arith.cmpi slt, %s{numbers}, %c : i64
  {to} = scf.if %if{lines} -> ({LINE}) {{
    %one = array.map (%x in {from} : [n]i64) {{
      %p = arith.muli %x, %c : i64
      array.yield %p : i64
    }}
    scf.yield %one : {LINE}
  }} else {{
    %other = array.scan ({from} : [n]i64) init (%c : i64) combine (%acc, %x) {{
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }}
    scf.yield %other : {LINE}
  }}"
    ));
}

/// The branch moves out of the map: its condition is the same for all rows.
fn map_of_branches(w: &mut Writer) {
    let numbers = w.numbers;
    let (from, to) = w.matrix();
    w.soacs += 3;
    let matrices = w.matrices;
    w.add(format_args!(
        "  %in{matrices} = arith.cmpi slt, %s{numbers}, %c : i64
  {to} = array.map (%row in {from} : [n][m]i64) {{
    %r = scf.if %in{matrices} -> (!array.array<[m]i64>) {{
      %one = array.map (%x in %row : [m]i64) {{
        %p = arith.muli %x, %c : i64
        array.yield %p : i64
      }}
      scf.yield %one : !array.array<[m]i64>
    }} else {{
      %other = array.scan (%row : [m]i64) init (%zero : i64) combine (%acc, %x) {{
        %s = arith.addi %acc, %x : i64
        array.yield %s : i64
      }}
      scf.yield %other : !array.array<[m]i64>
    }}
    array.yield %r : !array.array<[m]i64>
  }}"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array_programs::{combinators, parse};

    #[test]
    fn programs_are_well_formed_and_have_as_many_combinators_as_asked_for() {
        for shape in Shape::ALL {
            for soacs in [1, 40, 100] {
                let found = combinators(&parse(&shape.program(soacs)));
                assert!(
                    (soacs..soacs + 4).contains(&found),
                    "{}: {found} for {soacs}",
                    shape.name()
                );
            }
            assert_eq!(Shape::named(shape.name()), Some(shape));
        }
    }
}
