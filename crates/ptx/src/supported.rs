//! The instructions the simulator executes, by section of the PTX ISA (version 8.8; numbers and titles compared with its
//! table of contents), and where it is freer than hardware.
//!
//! [`SECTIONS`] is what the decoder looks an opcode up in first, what `docs/ptx-isa.md` is made from ([`page`]), and what
//! the tests decode form by form. Any other instruction is a
//! [`ParseErrorKind::Unsupported`](crate::ParseErrorKind::Unsupported) that names it and its line; all of them are
//! reported at once. Those that need a newer version or target than the module's are errors, too (`since`). The meaning is in `exec`; `tests/suite` has a value test for each family.

mod forms;
mod since;

pub use forms::SECTIONS;
use rustc_hash::FxHashSet;
pub(crate) use since::{Operands, WrittenFor};
use std::sync::OnceLock;

/// A section of the PTX ISA with the forms of its instructions that are executed.
///
/// A form is an opcode and its operands. In the opcode `{a,b}` stands for either; operands are `h` a 16-bit register,
/// `r` 32 bits, `d` 64, `q` 128, `f` an `f32`, `g` an `f64`, `p` a predicate, `i` a number, `a` an address in a 64-bit
/// register, `s` an address in a 32-bit register, `L` a label, `T` a list of labels; anything else stands for itself.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Number in the PTX ISA, version 8.8.
    pub number: &'static str,
    /// Title there.
    pub title: &'static str,
    /// Forms.
    pub forms: &'static [&'static str],
}

/// Every opcode a form stands for, with the form's operands.
pub fn expand(form: &str) -> Vec<String> {
    let (opcode, operands) = form.split_once(' ').unwrap_or((form, ""));
    let mut done = Vec::new();
    let mut pending = vec![opcode.to_owned()];
    while let Some(text) = pending.pop() {
        // Innermost choices first, so that they may be nested.
        let close = text.find('}');
        let open = close.and_then(|close| text[..close].rfind('{'));
        let (Some(open), Some(close)) = (open, close) else {
            done.push(format!("{text} {operands}").trim_end().to_owned());
            continue;
        };
        for choice in text[open + 1..close].split(',') {
            pending.push(format!("{}{choice}{}", &text[..open], &text[close + 1..]));
        }
    }
    done.sort();
    done.dedup();
    done
}

/// Whether some form has this opcode (without modifiers).
pub(crate) fn has_opcode(name: &str) -> bool {
    static NAMES: OnceLock<FxHashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let forms = SECTIONS.iter().flat_map(|section| section.forms);
        forms.flat_map(|form| opcodes(form)).collect()
    });
    names.contains(name)
}

/// The opcodes of a form: a choice before the first dot is one of names.
fn opcodes(form: &'static str) -> Vec<&'static str> {
    match form.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((names, _)) => names
            .split(',')
            .map(|name| name.split('.').next().unwrap_or(name))
            .collect(),
        None => form.split(['.', ' ', '{']).next().into_iter().collect(),
    }
}

/// The documentation page.
pub fn page() -> String {
    let mut out = String::from(HEAD);
    for Section {
        number,
        title,
        forms,
    } in SECTIONS
    {
        out.push_str(&format!("\n## {number} {title}\n\n"));
        for form in *forms {
            out.push_str(&format!("- `{form}`\n"));
        }
    }
    out.push_str(TAIL);
    out
}

const HEAD: &str = "# PTX the simulator executes

Made from `crates/ptx/src/supported/forms.rs` by the test `suite`; do not edit. Section numbers and titles are those of
the PTX ISA, version 8.8. (From 9.x on it has one section more before control flow: numbers from 9.7.12 on are one higher.)

In an opcode `{a,b}` stands for either. Operands: `h` a 16-bit register, `r` 32 bits, `d` 64, `q` 128, `f` an `f32`, `g` an
`f64`, `p` a predicate, `i` a number, `a` an address in a 64-bit register, `s` an address in a 32-bit register, `L` a label,
`T` a list of labels. Where a register stands, so may a number, a special register or (64 bits) the address of a
variable. Memory instructions take `.weak`, `.volatile`, `.relaxed`, `.acquire`, `.release`, `.acq_rel`, scopes, and all
cache operators and hints, which change nothing; without a state space they take generic addresses. Every instruction
may have a guard `@p` or `@!p`.

An instruction that needs a later `.version` or another `.target` than the module's is refused with its line; `ptxas` 12.9 refuses
the same ones.
";

const TAIL: &str = "
## Special registers

`%tid %ntid %ctaid %nctaid %laneid %warpid %nwarpid %lanemask_{eq,lt,le,gt,ge} %clusterid %nclusterid %cluster_ctaid
%cluster_nctaid %cluster_ctarank %cluster_nctarank %smid %nsmid %gridid %envreg0` to `%envreg31`
`%reserved_smem_offset_{begin,end,cap,0,1}` (1 KiB in kernels that ask) `%dynamic_smem_size %total_smem_size %clock %clock_hi %clock64 %globaltimer %globaltimer_lo %globaltimer_hi`. Every block is a
cluster of its own; the clocks count something that grows.

## Functions

Functions with a body are called directly or through a register that holds their address (`.callprototype`). Calls of
functions that reach themselves may be 128 deep, fewer where they are large or keep much in local memory. `vprintf` and `__assertfail` are provided; other functions without a body are an error that names them.

## Not executed

Sparse and block-scaled matrix products, tensor memory (`tcgen05`), im2col copies, bulk reductions in memory,
textures and surfaces, parts of operands and masks of video instructions, `multimem`, `st.async` and `red.async`, `alloca`, 4- and 6-bit
floats, stochastic rounding, packed `f32` arithmetic of `sm_100`.

## Where results are defined here and open there

- Integer division by zero gives all ones, the remainder is the dividend.
- The `.approx` functions are computed in `f64` and rounded once: at least as exact as PTX asks, not bit-identical to any
  GPU. `div.full` and `div.approx` are correctly rounded.
- NaN results of single and half precision are PTX's canonical NaN; those of `f64` have the host's bit pattern.
- Matrix products are exact up to one rounding (`f64`: fused multiply-adds in the order of the depth); hardware rounds
  between steps. `wgmma` writes its accumulators at once.
- Asynchronous copies read when they are issued and write at the latest moment a program may rely on: when their group is
  waited for, or when somebody looks at the barrier they signal. A program that reads too early sees old bytes, and the
  checkers report it.
- A `.sync` operation waits for all lanes its mask names, at whatever instructions with the same qualifiers they are. The value that a
  shuffle gets from a lane that does not take part is that lane's register; the checkers report it.
- A tensor map is what `TensorMap::to_bytes` makes, not the driver's encoding.
- Memory accesses of different threads are sequentially ordered per warp instruction; weak orderings that hardware could
  show are not explored. Where they could show, the race checkers report the accesses: fences, scopes, acquire and
  release mean for them what the memory model says. 16-byte atomics are atomic against each other only.
- Threads that have exited count as arrived at barriers of the whole block, as on hardware.
- An arrival at a barrier at which the thread has arrived already, and which is not complete, counts for its next phase.
- A barrier executed with a false guard by some lanes of a warp, or in divergent code, waits per thread; an `.aligned` one
  met at two places by one warp is a fault, and one met after lanes of the warp have exited a finding. A matrix
  instruction that part of a warp executes is a fault.
- Fresh shared and local memory, and allocations, hold bytes of ones (NaN); registers hold anything. The checkers
  report reads of all of them.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_expand_also_inside_each_other() {
        assert_eq!(expand("ret"), ["ret"]);
        assert_eq!(
            expand("add.{u,s}32 r, r, r"),
            ["add.s32 r, r, r", "add.u32 r, r, r"]
        );
        assert_eq!(expand("x{,.a{b,c}} r").len(), 3);
        assert_eq!(opcodes("{sin,cos}.approx{,.ftz}.f32 f, f"), ["sin", "cos"]);
        assert!(has_opcode("mad24") && !has_opcode("tex"));
    }
}
