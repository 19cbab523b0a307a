//! Lookups made for every op that is built, cached without a lock: names of definitions and dictionaries of one
//! attribute. A new entry takes the place of the one in its slot, so nothing here grows.

use super::*;

/// Slots of each table, a power of two.
const SLOTS: usize = 256;

/// See the module header.
#[derive(Clone, Debug, Default)]
pub(super) struct Built {
    /// By the address of a definition; empty until an op is built.
    names: Vec<Option<(usize, OpName)>>,
    /// By the only entry; likewise.
    dicts: Vec<Option<((Ident, Attr), Dict)>>,
}

fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

impl Built {
    #[inline]
    pub(super) fn name(&mut self, ctx: &Context, def: &'static crate::def::OpDef) -> OpName {
        let address = std::ptr::from_ref(def).addr();
        match self.names.get(slot(address as u64)) {
            Some(&Some((known, name))) if known == address => name,
            _ => {
                self.names.resize(SLOTS, None);
                let name = ctx.op_name(def.name);
                self.names[slot(address as u64)] = Some((address, name));
                name
            }
        }
    }

    #[inline]
    pub(super) fn dict(&mut self, ctx: &Context, entries: &[(Ident, Attr)]) -> Dict {
        let &[entry] = entries else {
            return ctx.dict(entries);
        };
        let slot = slot(u64::from(entry.0.raw()) << 32 | u64::from(entry.1.raw()));
        match self.dicts.get(slot) {
            Some(&Some((known, dict))) if known == entry => dict,
            _ => {
                self.dicts.resize(SLOTS, None);
                let dict = ctx.dict(entries);
                self.dicts[slot] = Some((entry, dict));
                dict
            }
        }
    }
}
