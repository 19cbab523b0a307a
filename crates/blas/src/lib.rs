//! A frontend for sequences of linear algebra: scripts of library calls become array programs.
//!
//! ```
//! let script = "
//!     matrix A; vector p, q, r, s;
//!     input A, p, r;
//!     q = gemv(A, p);
//!     s = gemtv(A, r);
//!     return q, s;
//! ";
//! let program = segra_blas::read("bicgk.blas", script)?;
//! let main = program.signatures().get("main").map(|signature| signature.entry.params.len());
//! assert_eq!(main, Some(3));
//! # Ok::<(), segra::Failure>(())
//! ```
//!
//! The notation is that of Filipovič et al., "Optimizing CUDA code by kernel fusion: application on BLAS", listing 1; its
//! own scripts are read as they stand (there, sizes are multiples of 32: `TILE32x32`; here they are any).
//!
//! ```text
//! script      ::= statement*                                  // and # begin comments
//! statement   ::= kind element? declared ("," declared)* ";"  a declaration; the element type is f32 if not said
//!               | "input" name ("," name)* ";"                parameters, in this order
//!               | target ("," target)* "=" value ";"          `_` as a target drops a result
//!               | "return" name ("," name)* ";"               results; the last statement
//! kind        ::= "matrix" | "vector" | "scalar" | "TILE32x32" | "subvector32"
//! element     ::= "f32" | "f64" | "i64"                       i64: indices, as `iamax` gives them
//! declared    ::= name ("[" size ("," size)* "]")?            sizes that are not said follow from calls
//! size        ::= name | number
//! value       ::= name | number | name "(" (value ("," value)*)? ")" | "(" value ")" | "-" value
//!               | value ("+" | "-" | "*" | "/") value         on numbers
//! ```
//!
//! * [`library`]: the elementary functions, as IR; `syntax`: text to statements; `check`: names, element types, sizes (`calls`,
//!   `sizes`); `build`: statements to ops.
//!
//! Invariants: no text makes it panic, or nest deeper than the host's stack. Every error has a place in the script, also
//! those of later passes: ops of the library have the places of the calls. Values never change: a name gets a value once.
//! It is built on the crate `segra` alone.
//!
//! Deliberately absent: loops, user-defined functions and choices of kernels; any program of the array dialect may be
//! written instead.

mod build;
mod calls;
mod check;
pub mod library;
mod sizes;
mod syntax;

use segra::graph::Graph;
use segra::{Failure, Program};

/// Ending of script files.
pub const ENDING: &str = "blas";

/// Reads a script. `name` is what messages call the text. The function of the program is `main`.
///
/// # Errors
/// Everything that is wrong with the script, at its places.
pub fn read(name: &str, text: &str) -> Result<Program, Failure> {
    let graph = Graph::new();
    let source = syntax::Source::new(&graph, name, text)?;
    let script = syntax::read(&source)?;
    let checked = check::check(&source, &script)?;
    build::build(&source, &checked)?;
    graph.finish()
}
