//! Video instructions: those whose results the PTX ISA defines without doubt.
//!
//! Deliberately absent: parts of operands (`%r.b0`), masks, averages, minima and maxima of results that may not fit, and sums of
//! the parts of results that may not.

use super::{Builder, Decode};
use crate::ast::Instruction;
use crate::exec::video;
use crate::isa::Class;
use crate::types::Type;

impl<'a> Builder<'a, '_> {
    /// Decodes one of these; `false` if `name` is none or has an unknown form.
    pub(super) fn video(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let &[result, a, b, ref rest @ ..] = mods else {
            return Ok(false);
        };
        let (saturates, second) = match rest {
            [] => (false, None),
            ["sat"] => (true, None),
            ["sat", second] => (true, Some(*second)),
            [second] => (false, Some(*second)),
            _ => return Ok(false),
        };
        let parts = name.ends_with(['2', '4']);
        let is_known = match second {
            None => true,
            Some("add") if parts => !saturates && result == "u32" && name.starts_with("vabsdiff"),
            Some("add") => true,
            Some(_) => saturates && !parts,
        };
        let Some((run, mut flags)) = video::select(name, second).filter(|_| is_known) else {
            return Ok(false);
        };
        for (text, flag) in [a, b, result].into_iter().zip(video::SIGNED) {
            match text {
                "s32" => flags |= flag,
                "u32" => {}
                _ => return Ok(false),
            }
        }
        if saturates {
            flags |= video::SATURATES;
        }
        let sources = if parts || second.is_some() { 3 } else { 2 };
        let word = Type::B32;
        let types = [word; 3];
        self.typed(run, word, &types[..sources], flags, Class::Integer, inst)?;
        Ok(true)
    }
}
