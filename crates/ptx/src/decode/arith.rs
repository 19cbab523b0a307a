//! Arithmetic, logic, comparison and conversion instructions.

use super::operands::{Width, operand_error};
use super::{Builder, Decode};
use crate::ast::{Instruction, Operand};
use crate::exec::convert::{self, Rounding};
use crate::exec::float::{FTZ, NAN, RELU, SAT, SATFINITE, XORSIGN, round_flags};
use crate::exec::predicate::{
    self, BFLOAT_ONE, FLOAT_ONE, HALF_ONE, JOIN_AND, JOIN_OR, JOIN_XOR, NEGATED, SHORT_ONES, Target,
};
use crate::exec::{approx, float, half, int, logic};
use crate::isa::{ALWAYS, Alu, AluFn, Class, Op, SINK, SINK_PREDICATE};
use crate::types::{Bank, Type};
use segra_float::Round;
use smallvec::{SmallVec, smallvec};

/// Modifiers of an arithmetic opcode, sorted.
#[derive(Default)]
struct Mods<'a> {
    types: Vec<Type>,
    round: Option<Round>,
    integral: Option<Round>,
    flags: u32,
    approx: bool,
    full: bool,
    /// The modifiers that are none of the above, in order.
    others: Vec<&'a str>,
}

impl<'a> Mods<'a> {
    fn sort(mods: &[&'a str]) -> Mods<'a> {
        let mut sorted = Mods::default();
        for &text in mods {
            match text {
                "rn" => sorted.round = Some(Round::NearestEven),
                "rna" => sorted.round = Some(Round::NearestAway),
                "rz" => sorted.round = Some(Round::Zero),
                "rm" => sorted.round = Some(Round::Down),
                "rp" => sorted.round = Some(Round::Up),
                "rni" => sorted.integral = Some(Round::NearestEven),
                "rzi" => sorted.integral = Some(Round::Zero),
                "rmi" => sorted.integral = Some(Round::Down),
                "rpi" => sorted.integral = Some(Round::Up),
                "ftz" => sorted.flags |= FTZ,
                "sat" => sorted.flags |= SAT,
                "relu" => sorted.flags |= RELU,
                "satfinite" => sorted.flags |= SATFINITE,
                "NaN" => sorted.flags |= NAN,
                "xorsign" => sorted.flags |= XORSIGN,
                "abs" if sorted.flags & XORSIGN != 0 => {}
                "approx" => sorted.approx = true,
                "full" => sorted.full = true,
                _ => match Type::parse(text) {
                    Some(ty) => sorted.types.push(ty),
                    None => sorted.others.push(text),
                },
            }
        }
        sorted
    }

    fn float_flags(&self) -> u32 {
        self.flags | self.round.map_or(0, round_flags)
    }

    fn is_plain(&self) -> bool {
        self.round.is_none()
            && self.integral.is_none()
            && self.flags == 0
            && !self.approx
            && !self.full
    }
}

fn class_of(ty: Type) -> Class {
    match ty {
        Type::F32 | Type::Tf32 => Class::Float32,
        Type::F64 => Class::Float64,
        Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 => Class::Half,
        Type::Pred => Class::Predicate,
        _ => Class::Integer,
    }
}

/// The flag for what a comparison of `ty` writes to a `dest` where it holds; `None` where there is no such comparison.
fn flag_of_true(target: Target, dest: Type, ty: Type) -> Option<u32> {
    let packed = matches!(ty, Type::F16x2 | Type::Bf16x2);
    Some(match dest {
        Type::Pred if target == Target::Predicates => 0,
        Type::U32 | Type::S32 if packed => SHORT_ONES,
        Type::F16x2 | Type::Bf16x2 if dest != ty => return None,
        Type::F16x2 => HALF_ONE,
        Type::Bf16x2 => BFLOAT_ONE,
        _ if packed => return None,
        Type::U32 | Type::S32 => 0,
        Type::F32 => FLOAT_ONE,
        Type::F16 => HALF_ONE,
        Type::Bf16 => BFLOAT_ONE,
        Type::U16 | Type::S16 => SHORT_ONES,
        _ => return None,
    })
}

impl<'a> Builder<'a, '_> {
    pub(super) fn emit_alu(
        &mut self,
        run: AluFn,
        [d, a, b, c]: [u32; 4],
        flags: u32,
        class: Class,
    ) {
        self.emit(
            Op::Alu(Alu {
                run,
                d,
                e: SINK_PREDICATE,
                a,
                b,
                c,
                flags,
            }),
            class,
        );
    }

    /// Decodes one of this file's instructions; `false` if `name` is none or has an unknown form.
    pub(super) fn arithmetic(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let sorted = Mods::sort(mods);
        match name {
            "setp" | "set" => return self.comparison(name, &sorted, inst),
            "cvt" => return self.conversion(&sorted, inst),
            "slct" => return self.slct(&sorted, inst),
            "testp" => return self.testp(&sorted, inst),
            _ => {}
        }
        // `selp`, `mov` and the rest of one-type instructions need exactly one type.
        let &[ty] = sorted.types.as_slice() else {
            return self.two_types(name, &sorted, inst);
        };
        match name {
            "add" | "sub" | "mul" | "div" | "min" | "max" | "abs" | "neg" | "sqrt" | "rcp"
            | "fma" | "mad" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" | "copysign"
                if ty.is_float() =>
            {
                self.float(name, ty, &sorted, inst)
            }
            "add" | "sub" | "addc" | "subc" | "mad" | "madc"
                if self.carry(name, ty, &sorted, inst)? =>
            {
                Ok(true)
            }
            "and" | "or" | "xor" | "not" | "cnot" => self.logic(name, ty, &sorted, inst),
            "selp" => self.selp(ty, &sorted, inst),
            _ => self.integer(name, ty, &sorted, inst),
        }
    }

    fn float(
        &mut self,
        name: &str,
        ty: Type,
        mods: &Mods<'a>,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        if !mods.others.is_empty() || mods.integral.is_some() || mods.flags & SATFINITE != 0 {
            return Ok(false);
        }
        let flags = mods.float_flags();
        let approximate = mods.approx || mods.full;
        let exact_unary = matches!(name, "sqrt" | "rcp") && !approximate;
        let chosen: Option<(AluFn, u32)> = match name {
            "sqrt" | "rcp" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" if !exact_unary => {
                approx::unary(name, ty).map(|run| (run, flags))
            }
            "div" if approximate => approx::divide(ty).map(|run| (run, flags)),
            "copysign" => float::copysign(ty).map(|run| (run, 0)),
            _ => {
                let name = if name == "mad" { "fma" } else { name };
                half::select(name, ty, flags).or_else(|| {
                    let run = match name {
                        "fma" => float::fma(ty, flags),
                        "min" => float::extreme(false, ty, flags),
                        "max" => float::extreme(true, ty, flags),
                        "sqrt" | "rcp" | "neg" | "abs" => float::unary(name, ty, flags),
                        _ => float::binary(name, ty, flags),
                    };
                    run.map(|run| (run, flags))
                })
            }
        };
        let Some((run, flags)) = chosen else {
            return Ok(false);
        };
        let sources = match name {
            "fma" | "mad" => 3,
            "add" | "sub" | "mul" | "div" | "min" | "max" | "copysign" => 2,
            _ => 1,
        };
        let special = matches!(
            name,
            "div" | "sqrt" | "rcp" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh"
        );
        let class = if special {
            Class::Special
        } else {
            class_of(ty)
        };
        self.uniform(run, ty, sources, flags, class, inst)?;
        Ok(true)
    }

    /// Emits an instruction whose destination and sources all have one type.
    fn uniform(
        &mut self,
        run: AluFn,
        ty: Type,
        sources: usize,
        flags: u32,
        class: Class,
        inst: &Instruction<'a>,
    ) -> Decode<()> {
        self.typed(run, ty, &[ty, ty, ty][..sources], flags, class, inst)
    }

    /// Emits an instruction with a type per source.
    pub(super) fn typed(
        &mut self,
        run: AluFn,
        dest: Type,
        sources: &[Type],
        flags: u32,
        class: Class,
        inst: &Instruction<'a>,
    ) -> Decode<()> {
        if inst.operands.len() != sources.len() + 1 {
            return operand_error(format!(
                "`{}` takes {} operands",
                inst.opcode,
                sources.len() + 1
            ));
        }
        let mut slots = [SINK; 4];
        for (at, &ty) in sources.iter().enumerate() {
            slots[at + 1] = self.source(inst, at + 1, ty)?;
        }
        slots[0] = self.dest(inst, 0, dest)?;
        self.emit_alu(run, slots, flags, class);
        Ok(())
    }

    fn integer(
        &mut self,
        name: &str,
        ty: Type,
        mods: &Mods<'a>,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        if mods.round.is_some()
            || mods.integral.is_some()
            || mods.approx
            || mods.flags & !(SAT | RELU) != 0
        {
            return Ok(false);
        }
        let mut full = name.to_owned();
        for other in &mods.others {
            full.push('.');
            full.push_str(other);
        }
        if mods.flags & SAT != 0 {
            full.push_str(".sat");
        }
        if mods.flags & RELU != 0 {
            full.push_str(".relu");
        }
        match full.as_str() {
            "lop3" if ty == Type::B32 => return self.lop3(inst, 0),
            "lop3.and" if ty == Type::B32 => return self.lop3(inst, JOIN_AND),
            "lop3.or" if ty == Type::B32 => return self.lop3(inst, JOIN_OR),
            "bfi" => return self.bfi(ty, inst),
            "prmt" if ty == Type::B32 => {
                if let Some(&Operand::Int(selector)) = inst.operands.get(3) {
                    return self.prmt_by(selector as u32, inst);
                }
            }
            _ => {}
        }
        let Some((run, dest, sources)) = integer_form(&full, ty) else {
            if mods.flags != 0 {
                return Ok(false);
            }
            return self.moded(name, ty, &mods.others, inst);
        };
        self.typed(run, dest, &sources, 0, Class::Integer, inst)?;
        Ok(true)
    }

    /// `shf.l.wrap.b32` and `prmt.b32.f4e`: two modifiers or one behind the type.
    fn moded(
        &mut self,
        name: &str,
        ty: Type,
        others: &[&str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let run = match (name, others) {
            ("shf", [side @ ("l" | "r"), mode @ ("wrap" | "clamp")]) => {
                Some(logic::shf(*side == "l", *mode == "wrap"))
            }
            ("prmt", [mode]) => logic::prmt(mode),
            _ => None,
        };
        let Some(run) = run.filter(|_| ty == Type::B32) else {
            return Ok(false);
        };
        self.typed(run, ty, &[ty, ty, Type::U32], 0, Class::Integer, inst)?;
        Ok(true)
    }

    /// `lop3.b32 d, a, b, c, table` and, where a result that is not zero is joined with a predicate,
    /// `lop3.and.b32 d|p, a, b, c, table, q`.
    fn lop3(&mut self, inst: &Instruction<'a>, join: u32) -> Decode<bool> {
        let ty = Type::B32;
        let (mut d, p) = match join {
            0 => (self.dest(inst, 0, ty)?, SINK_PREDICATE),
            _ => self.dest_with_predicate(inst, ty)?,
        };
        let sources = [1, 2, 3].map(|index| self.source(inst, index, ty));
        let [a, b, c] = sources;
        let (a, b, c) = (a?, b?, c?);
        let Operand::Int(table) = *Self::operand(inst, 4)? else {
            return operand_error("the lookup table of lop3 must be a number");
        };
        let table = table as u32 & 0xff;
        if join == 0 {
            self.emit_alu(logic::lop3(), [d, a, b, c], table, Class::Integer);
            return Ok(true);
        }
        let not_zero = predicate::select("ne", Type::U32, 0, Target::Predicates);
        let (Some(run), true) = (not_zero, matches!(inst.operands[0], Operand::Pair(..))) else {
            return operand_error("lop3 with a predicate has a destination d|p");
        };
        if d == SINK {
            d = self.new_slot(Bank::Word);
        }
        let (q, negated) = self.predicate(inst, 5)?;
        self.emit_alu(logic::lop3(), [d, a, b, c], table, Class::Integer);
        let zero = self.word(0);
        self.emit(
            Op::Alu(Alu {
                run,
                d: p,
                e: SINK_PREDICATE,
                a: d,
                b: zero,
                c: q,
                flags: join | if negated { NEGATED } else { 0 },
            }),
            Class::Predicate,
        );
        Ok(true)
    }

    /// `prmt` with a constant selector. A source that it takes no byte of is not read: compilers leave it undefined.
    fn prmt_by(&mut self, selector: u32, inst: &Instruction<'a>) -> Decode<bool> {
        let Some(run) = logic::prmt("") else {
            return Ok(false);
        };
        let ty = Type::B32;
        let mut slots = [
            self.dest(inst, 0, ty)?,
            SINK,
            SINK,
            self.source(inst, 3, ty)?,
        ];
        for (at, second) in [(1, 0), (2, 4)] {
            let before = self.uses.reads.len();
            slots[at] = self.source(inst, at, ty)?;
            let nibbles = (0..4).map(|byte| selector >> (4 * byte) & 7);
            let taken = nibbles
                .filter(|nibble| nibble & 4 == second)
                .fold(0u8, |bytes, nibble| bytes | 1 << (nibble & 3));
            if taken == 0 {
                self.uses.reads.truncate(before);
                slots[at] = self.constant(ty, 0);
            }
            let read = self.uses.reads.get(before).copied();
            self.uses.takes.extend(read.map(|read| (read, taken)));
        }
        self.emit_alu(run, slots, 0, Class::Integer);
        Ok(true)
    }

    fn bfi(&mut self, ty: Type, inst: &Instruction<'a>) -> Decode<bool> {
        let Some(run) = logic::bfi(ty) else {
            return Ok(false);
        };
        let (a, b) = (self.source(inst, 1, ty)?, self.source(inst, 2, ty)?);
        let (position, length) = (
            self.source(inst, 3, Type::U32)?,
            self.source(inst, 4, Type::U32)?,
        );
        let d = self.dest(inst, 0, ty)?;
        self.emit_alu(run, [d, a, b, position], length, Class::Integer);
        Ok(true)
    }

    fn carry(
        &mut self,
        name: &str,
        ty: Type,
        mods: &Mods<'a>,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let sets = mods.others.contains(&"cc");
        let uses = name.ends_with('c');
        if !sets && !uses {
            return Ok(false);
        }
        let Some(run) = int::carry(ty) else {
            return Ok(false);
        };
        let mut flags =
            if sets { int::CARRY_OUT } else { 0 } | if uses { int::CARRY_IN } else { 0 };
        if name.starts_with("sub") {
            flags |= int::SUBTRACT;
        }
        let multiply = name.starts_with("mad");
        if multiply {
            flags |= int::MULTIPLY;
            if mods.others.contains(&"hi") {
                flags |= int::HIGH | if ty.is_signed() { int::SIGNED } else { 0 };
            }
        }
        self.uniform(
            run,
            ty,
            if multiply { 3 } else { 2 },
            flags,
            Class::Integer,
            inst,
        )?;
        Ok(true)
    }

    fn logic(
        &mut self,
        name: &str,
        ty: Type,
        mods: &Mods<'a>,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let Some(bank) = ty
            .bank()
            .filter(|_| mods.is_plain() && mods.others.is_empty())
        else {
            return Ok(false);
        };
        let Some(run) = logic::select(name, bank, ty.bytes() == 2) else {
            return Ok(false);
        };
        let sources = if name.ends_with("not") { 1 } else { 2 };
        if bank != Bank::Predicate {
            self.uniform(run, ty, sources, 0, Class::Integer, inst)?;
            return Ok(true);
        }
        let (a, not_a) = self.predicate(inst, 1)?;
        let (b, not_b) = if sources == 2 {
            self.predicate(inst, 2)?
        } else {
            (ALWAYS, false)
        };
        let d = self.dest(inst, 0, Type::Pred)?;
        self.emit_alu(
            run,
            [d, a, b, ALWAYS],
            u32::from(not_a) | u32::from(not_b) << 1,
            Class::Predicate,
        );
        Ok(true)
    }

    fn selp(&mut self, ty: Type, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        let Some(run) = ty
            .bank()
            .filter(|_| mods.others.is_empty())
            .and_then(logic::selp)
        else {
            return Ok(false);
        };
        let (a, b) = (self.source(inst, 1, ty)?, self.source(inst, 2, ty)?);
        let (c, negated) = self.predicate(inst, 3)?;
        let d = self.dest(inst, 0, ty)?;
        self.emit_alu(run, [d, a, b, c], u32::from(negated), Class::Move);
        Ok(true)
    }

    fn slct(&mut self, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        let &[ty, by] = mods.types.as_slice() else {
            return Ok(false);
        };
        if !matches!(by, Type::S32 | Type::F32) {
            return Ok(false);
        }
        let Some(run) = ty
            .bank()
            .and_then(|bank| logic::slct(bank, by == Type::F32))
        else {
            return Ok(false);
        };
        self.typed(run, ty, &[ty, ty, by], 0, Class::Move, inst)?;
        Ok(true)
    }

    fn testp(&mut self, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        let (&[ty], &[test]) = (mods.types.as_slice(), mods.others.as_slice()) else {
            return Ok(false);
        };
        let Some(run) = float::testp(test, ty) else {
            return Ok(false);
        };
        self.typed(run, Type::Pred, &[ty], 0, Class::Predicate, inst)?;
        Ok(true)
    }

    fn comparison(&mut self, name: &str, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        // `.nan` and `.num` are comparisons here; `.NaN` is a modifier elsewhere.
        let (compare, join) = match mods.others.as_slice() {
            [compare] => (*compare, 0),
            [compare, "and"] => (*compare, JOIN_AND),
            [compare, "or"] => (*compare, JOIN_OR),
            [compare, "xor"] => (*compare, JOIN_XOR),
            _ => return Ok(false),
        };
        let (target, dest, ty) = match (name, mods.types.as_slice()) {
            ("setp", &[ty]) => (Target::Predicates, Type::Pred, ty),
            ("set", &[dest, ty]) => (Target::Mask, dest, ty),
            _ => return Ok(false),
        };
        let Some(one) = flag_of_true(target, dest, ty) else {
            return Ok(false);
        };
        if mods.flags & !FTZ != 0 {
            return Ok(false);
        }
        // The unsigned comparison names order signed types' bits as unsigned numbers.
        let compared = match (compare, ty) {
            ("lo" | "ls" | "hi" | "hs", Type::S16) => Type::U16,
            ("lo" | "ls" | "hi" | "hs", Type::S32) => Type::U32,
            ("lo" | "ls" | "hi" | "hs", Type::S64) => Type::U64,
            _ => ty,
        };
        let Some(run) = predicate::select(compare, compared, mods.flags, target) else {
            return Ok(false);
        };
        let (a, b) = (self.source(inst, 1, ty)?, self.source(inst, 2, ty)?);
        let (c, negated) = if join == 0 {
            (ALWAYS, false)
        } else {
            self.predicate(inst, 3)?
        };
        let flags = join | one | if negated { NEGATED } else { 0 };
        let (d, e) = match target {
            Target::Predicates => self.dest_with_predicate(inst, Type::Pred)?,
            Target::Mask => (self.dest(inst, 0, dest)?, SINK_PREDICATE),
        };
        self.emit(
            Op::Alu(Alu {
                run,
                d,
                e,
                a,
                b,
                c,
                flags,
            }),
            Class::Predicate,
        );
        Ok(true)
    }

    fn conversion(&mut self, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        if mods.others == ["pack"] {
            return self.pack_conversion(mods, inst);
        }
        let &[to, from] = mods.types.as_slice() else {
            return Ok(false);
        };
        let eight_bits = |ty| matches!(ty, Type::E4m3x2 | Type::E5m2x2);
        if !mods.others.is_empty() || eight_bits(to) && mods.flags & SATFINITE == 0 {
            return Ok(false);
        }
        if let Some((run, flags)) = convert::repack(
            to,
            from,
            mods.round.unwrap_or(Round::NearestEven),
            mods.flags,
        ) {
            self.typed(run, to, &[from], flags, Class::Convert, inst)?;
            return Ok(true);
        }
        if matches!(to, Type::F16x2 | Type::Bf16x2 | Type::E4m3x2 | Type::E5m2x2)
            && from == Type::F32
        {
            let Some((run, flags)) =
                convert::pack_pair(to, mods.round.unwrap_or(Round::NearestEven), mods.flags)
            else {
                return Ok(false);
            };
            self.typed(run, to, &[from, from], flags, Class::Convert, inst)?;
            return Ok(true);
        }
        let rounding = match (mods.integral, mods.round) {
            (Some(round), _) => Some(Rounding::Integral(round)),
            (None, Some(round)) => Some(Rounding::Value(round)),
            (None, None) => None,
        };
        // A float narrows or becomes an integer only with a rounding mode; `cvt.f32.f32` needs none.
        let Some((run, flags)) = convert::select(to, from, rounding, mods.flags) else {
            return Ok(false);
        };
        let (a, _) =
            self.source_operand(inst.scope, Self::operand(inst, 1)?, from, Width::OrWider)?;
        self.convert_into(run, flags, to, from, a, inst)
    }

    /// `cvt.pack.sat.u8.s32.b32 d, a, b, c`, and without `c` to pairs of 16 bits.
    fn pack_conversion(&mut self, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        let (to, has_rest) = match *mods.types.as_slice() {
            [to, Type::S32] => (to, false),
            [to, Type::S32, Type::B32] => (to, true),
            _ => return Ok(false),
        };
        let Some((run, flags)) = convert::pack_integers(to).filter(|_| mods.flags == SAT) else {
            return Ok(false);
        };
        let (a, b) = (
            self.source(inst, 1, Type::S32)?,
            self.source(inst, 2, Type::S32)?,
        );
        let c = if has_rest {
            self.source(inst, 3, Type::B32)?
        } else {
            self.word(0)
        };
        let d = self.dest(inst, 0, Type::B32)?;
        self.emit_alu(run, [d, a, b, c], flags, Class::Convert);
        Ok(true)
    }

    /// Writes a conversion, extending the result where the destination register is wider than the type.
    fn convert_into(
        &mut self,
        run: AluFn,
        flags: u32,
        to: Type,
        from: Type,
        a: u32,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        // A double register may hold a narrower source.
        let a = self.narrowed(a, from, Self::operand(inst, 1)?, inst.scope);
        let (d, register) =
            self.dest_operand(inst.scope, Self::operand(inst, 0)?, to, Width::OrWider)?;
        if register.bytes() <= to.bytes().max(2) || to.is_float() {
            self.emit_alu(run, [d, a, SINK, SINK], flags, Class::Convert);
            return Ok(true);
        }
        let narrow = if to.bank() == Some(Bank::Double) {
            d
        } else {
            self.new_slot(Bank::Word)
        };
        self.emit_alu(run, [narrow, a, SINK, SINK], flags, Class::Convert);
        let wide = match (register.bytes(), to.is_signed()) {
            (8, true) => Type::S64,
            (8, false) => Type::U64,
            (_, true) => Type::S32,
            (_, false) => Type::U32,
        };
        if let Some((extend, flags)) = convert::select(wide, to, None, 0) {
            self.emit_alu(extend, [d, narrow, SINK, SINK], flags, Class::Convert);
        }
        Ok(true)
    }

    /// A word slot with the low bits of a double register that stands where a narrower source may.
    fn narrowed(&mut self, slot: u32, from: Type, operand: &Operand<'a>, scope: u32) -> u32 {
        let Operand::Name(name) = *operand else {
            return slot;
        };
        let is_double = self
            .register(scope, name)
            .is_some_and(|(ty, _)| ty.bank() == Some(Bank::Double));
        if !is_double || from.bank() != Some(Bank::Word) {
            return slot;
        }
        let word = self.new_slot(Bank::Word);
        self.emit_alu(
            logic::unpack_double(),
            [word, slot, SINK, SINK],
            0,
            Class::Convert,
        );
        word
    }

    /// `dp4a.atype.btype` and `dp2a.lo.atype.btype`.
    fn two_types(&mut self, name: &str, mods: &Mods<'a>, inst: &Instruction<'a>) -> Decode<bool> {
        let &[a, b] = mods.types.as_slice() else {
            return Ok(false);
        };
        if a == Type::F32 && mods.others.is_empty() && mods.integral.is_none() {
            let flags = mods.float_flags();
            let Some(run) = float::mixed(name, b).filter(|_| flags & (FTZ | RELU) == 0) else {
                return Ok(false);
            };
            let sources: &[Type] = if name == "fma" { &[b, b, a] } else { &[b, a] };
            self.typed(run, a, sources, flags, Class::Float32, inst)?;
            return Ok(true);
        }
        let word = |ty| matches!(ty, Type::U32 | Type::S32);
        if !word(a) || !word(b) || !mods.is_plain() {
            return Ok(false);
        }
        let run = match (name, mods.others.as_slice()) {
            ("dp4a", []) => int::dot4(a.is_signed(), b.is_signed()),
            ("dp2a", ["lo"]) => int::dot2(a.is_signed(), b.is_signed(), 0),
            ("dp2a", ["hi"]) => int::dot2(a.is_signed(), b.is_signed(), 2),
            _ => return Ok(false),
        };
        let (run, flags) = run;
        let sum = if a.is_signed() || b.is_signed() {
            Type::S32
        } else {
            Type::U32
        };
        self.typed(run, sum, &[a, b, sum], flags, Class::Integer, inst)?;
        Ok(true)
    }
}

/// Function, destination type and source types of an integer instruction with all its modifiers.
fn integer_form(full: &str, ty: Type) -> Option<(AluFn, Type, SmallVec<[Type; 3]>)> {
    let word = Type::U32;
    let wide = match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        _ => Type::S64,
    };
    let is_word = ty == Type::B32;
    let form = match full {
        "mul.wide" => (int::mul_wide(ty)?, wide, smallvec![ty, ty]),
        "mad.wide" => (int::mad_wide(ty)?, wide, smallvec![ty, ty, wide]),
        "shl" | "shr" => (int::shift(full, ty)?, ty, smallvec![ty, word]),
        "add" if matches!(ty, Type::U16x2 | Type::S16x2) => {
            (int::packed_add(ty)?, ty, smallvec![ty, ty])
        }
        "popc" | "clz" | "bfind" | "bfind.shiftamt" => {
            (logic::bits(full, ty)?, word, smallvec![ty])
        }
        "brev" => (logic::bits(full, ty)?, ty, smallvec![ty]),
        "bfe" => (logic::bfe(ty)?, ty, smallvec![ty, word, word]),
        "prmt" if is_word => (logic::prmt("")?, ty, smallvec![ty, ty, ty]),
        "fns" if is_word => (logic::fns(), ty, smallvec![ty, ty, ty]),
        "bmsk.clamp" | "bmsk.wrap" if is_word => {
            (logic::bmsk(full == "bmsk.wrap"), ty, smallvec![ty, ty])
        }
        "szext.clamp" | "szext.wrap" if ty.bytes() == 4 && !ty.is_float() => (
            logic::szext(ty.is_signed(), full == "szext.wrap"),
            ty,
            smallvec![ty, word],
        ),
        _ => {
            if let Some(run) = int::binary(full, ty) {
                (run, ty, smallvec![ty, ty])
            } else if let Some(run) = int::ternary(full, ty) {
                (run, ty, smallvec![ty, ty, ty])
            } else {
                (int::unary(full, ty)?, ty, smallvec![ty])
            }
        }
    };
    Some(form)
}
