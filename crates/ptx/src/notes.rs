//! Facts about an instruction for the checkers and the profile, beyond its execution: the registers it reads and
//! writes as the text names them, and what its modifiers say about the order of memory.
//!
//! Invariant: [`Note`]s lie parallel to the instructions of a [`Code`](crate::isa::Code). A PTX instruction that is
//! decoded to several has its reads at the first and its writes at the last of them.

use crate::types::Bank;
use segra_locality::Stay;
use smallvec::SmallVec;

/// Which threads an operation is ordered with. A cluster is one block here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scope {
    /// Threads of the same block.
    Block,
    /// All threads of the device.
    #[default]
    Gpu,
    /// Host and other devices too.
    System,
}

impl Scope {
    /// The modifier of PTX.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scope::Block => ".cta",
            Scope::Gpu => ".gpu",
            Scope::System => ".sys",
        }
    }
}

/// Memory-order modifiers (PTX ISA, "Memory Consistency Model": weak, relaxed, acquire, release; scopes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// Not weak: two strong accesses whose scopes include each other never race.
    pub(crate) strong: bool,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
    pub(crate) fence: bool,
    /// A fence between ordinary accesses of shared memory and those of the asynchronous proxy.
    pub(crate) proxies: bool,
    /// Loads that need not see what the same launch has written: `.nc`.
    pub(crate) non_coherent: bool,
    pub(crate) scope: Scope,
    /// Loads that are served by the L2 cache: `.cg`, `.cv`, volatile and everything strong beyond the block.
    pub(crate) bypasses_l1: bool,
    /// How long lines stay that are filled in the L1 cache, and in the L2 cache.
    pub(crate) stay: [Stay; 2],
}

impl Order {
    /// The order an opcode with its modifiers asks for.
    pub(crate) fn of_opcode(opcode: &str) -> Order {
        let mut parts = opcode.split('.');
        let name = parts.next().unwrap_or("");
        let mut order = Order::default();
        let shared = !opcode.contains(".global");
        order.proxies = opcode.starts_with("fence.proxy.async") && shared;
        match name {
            "atom" | "red" => order.strong = true,
            "membar" => (order.fence, order.acquire, order.release) = (true, true, true),
            // Plain `fence` forms order; `fence.proxy` and `fence.mbarrier_init` concern other proxies.
            "fence" if !opcode.contains("proxy") && !opcode.contains("mbarrier") => {
                (order.fence, order.acquire, order.release) = (true, true, true);
            }
            _ => {}
        }
        for part in parts {
            match part {
                "volatile" => (order.strong, order.scope) = (true, Scope::System),
                "mmio" => (order.strong, order.scope) = (true, Scope::System),
                "relaxed" => order.strong = true,
                "acquire" => (order.strong, order.acquire) = (true, true),
                "release" => (order.strong, order.release) = (true, true),
                "acq_rel" | "sc" => {
                    (order.strong, order.acquire, order.release) = (true, true, true)
                }
                "cta" | "cluster" => order.scope = Scope::Block,
                "gpu" | "gl" => order.scope = Scope::Gpu,
                "sys" => order.scope = Scope::System,
                "nc" => order.non_coherent = true,
                "cg" | "cv" => order.bypasses_l1 = true,
                "cs" => order.stay = [Stay::Briefly; 2],
                "L1::evict_first" => order.stay[0] = Stay::Briefly,
                "L1::no_allocate" => order.stay[0] = Stay::Not,
                "L2::evict_first" => order.stay[1] = Stay::Briefly,
                _ => {}
            }
        }
        order.bypasses_l1 |= order.strong && order.scope > Scope::Block;
        order
    }
}

/// A register as the checkers number it.
pub(crate) type Register = (Bank, u32);

/// Side information of one instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Note {
    pub(crate) reads: SmallVec<[Register; 4]>,
    pub(crate) writes: SmallVec<[Register; 2]>,
    /// Of the registers in `reads` those of which it takes some bytes only, with a bit for each of those bytes.
    pub(crate) takes: SmallVec<[(Register, u8); 1]>,
    /// `mov` and `selp`: an uninitialised source makes the result uninitialised, which is no error yet. Compilers
    /// move values around that no path uses.
    pub(crate) copies: bool,
    /// `shfl`: a lane whose own value nobody takes may have none. Only the register of the value is among `reads`.
    pub(crate) shuffles: bool,
    pub(crate) order: Order,
    /// A load that the next one of its kind of memory does not wait for.
    pub(crate) together: bool,
}

/// A variable of a block's shared memory, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SharedVariable {
    pub(crate) name: String,
    pub(crate) address: u64,
    /// 0 for dynamic shared memory, which ends with the launch's.
    pub(crate) bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_give_order_and_scope() {
        let weak = Order::of_opcode("ld.global.f32");
        assert!(!weak.strong && !weak.bypasses_l1);
        let atomic = Order::of_opcode("atom.global.add.u32");
        assert!(atomic.strong && !atomic.acquire && atomic.scope == Scope::Gpu);
        assert_eq!(
            Order::of_opcode("red.relaxed.cta.global.add.u32").scope,
            Scope::Block
        );
        let flag = Order::of_opcode("st.release.gpu.global.u32");
        assert!(flag.strong && flag.release && !flag.acquire);
        assert!(Order::of_opcode("membar.gl").fence);
        assert_eq!(Order::of_opcode("membar.cta").scope, Scope::Block);
        assert!(!Order::of_opcode("fence.proxy.async").fence);
        assert!(Order::of_opcode("ld.volatile.global.u32").bypasses_l1);
        let stay = |opcode| Order::of_opcode(opcode).stay;
        assert_eq!(stay("ld.global.nc.b32"), [Stay::Normal; 2]);
        assert_eq!(stay("ld.global.cs.nc.b32"), [Stay::Briefly; 2]);
        let not = [Stay::Not, Stay::Normal];
        assert_eq!(stay("ld.global.nc.L1::no_allocate.v4.b32"), not);
    }
}
