//! Matrix instructions: `mma`, `wgmma`, `ldmatrix`, `stmatrix`, `movmatrix`.

use super::operands::{Usage, Width, operand_error};
use super::{Builder, Decode};
use crate::ast::{Instruction, Operand};
use crate::isa::element::Element;
use crate::isa::tensor::{
    BitOp, Fragment, Left, Major, MatrixMove, Mma, Order, Overflow, ProductGroup, Shape, Wgmma,
};
use crate::isa::{ALWAYS, Class, Op, WarpOp};
use crate::types::{Space, Type};
use smallvec::SmallVec;

/// `m16n8k16`.
pub(super) fn parse_shape(text: &str) -> Option<Shape> {
    let (m, rest) = text.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some(Shape {
        m: m.parse().ok()?,
        n: n.parse().ok()?,
        k: k.parse().ok()?,
    })
}

/// Register count of an operand of `rows` rows and `depth` columns (or the accumulator's extents).
pub(super) fn registers(extent: u32, element: Element) -> usize {
    (extent / element.per_register() / 32) as usize
}

/// Whether the hardware has this product.
fn has_mma(shape: Shape, a: Element, b: Element, c: Element, d: Element) -> bool {
    use Element::{B1, Bf16, E4m3, E5m2, F16, F32, F64, S4, S8, S32, Tf32, U4, U8};
    let float = |element| matches!(element, F16 | F32);
    match (shape.m, shape.n, shape.k, a, b) {
        (16, 8, 8 | 16, F16, F16) => float(c) && float(d),
        (16, 8, 8 | 16, Bf16, Bf16) | (16, 8, 4 | 8, Tf32, Tf32) => c == F32 && d == F32,
        (16, 8, 16 | 32, E4m3 | E5m2, E4m3 | E5m2) => float(c) && c == d,
        (8, 8, 4, F64, F64) | (16, 8, 4 | 8 | 16, F64, F64) => c == F64 && d == F64,
        (8, 8, 16, S8 | U8, S8 | U8)
        | (16, 8, 16 | 32, S8 | U8, S8 | U8)
        | (8, 8, 32, S4 | U4, S4 | U4)
        | (16, 8, 32 | 64, S4 | U4, S4 | U4)
        | (8, 8, 128, B1, B1)
        | (16, 8, 128 | 256, B1, B1) => c == S32 && d == S32,
        _ => false,
    }
}

impl<'a> Builder<'a, '_> {
    /// Decodes one of this file's instructions; `false` if `name` is none or has an unknown form.
    pub(super) fn tensor(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        match (name, mods) {
            ("mma", ["sync", "aligned", shape, "row", "col", rest @ ..]) => {
                self.mma(shape, rest, inst)
            }
            ("ldmatrix" | "stmatrix", ["sync", "aligned", "m8n8", rest @ ..]) => {
                self.matrix_move(name, rest, inst)
            }
            ("movmatrix", ["sync", "aligned", "m8n8", "trans", "b16"]) => {
                let source = self.source(inst, 1, Type::B32)?;
                let dest = self.dest(inst, 0, Type::B32)?;
                self.emit_whole_warp(WarpOp::TransposeMatrix { dest, source });
                Ok(true)
            }
            ("wgmma", ["fence", "sync", "aligned"]) => {
                self.emit(Op::Nothing, Class::Other);
                Ok(true)
            }
            ("wgmma", ["commit_group", "sync", "aligned"]) => {
                self.emit(Op::ProductGroup(ProductGroup::Commit), Class::Other);
                Ok(true)
            }
            ("wgmma", ["wait_group", "sync", "aligned"]) => {
                let Operand::Int(most) = *Self::operand(inst, 0)? else {
                    return operand_error("the number of groups must be a number");
                };
                let most = u32::try_from(most).unwrap_or(0);
                self.emit(Op::ProductGroup(ProductGroup::Wait { most }), Class::Other);
                Ok(true)
            }
            ("wgmma", ["mma_async", "sync", "aligned", shape, rest @ ..]) => {
                self.wgmma(shape, rest, inst)
            }
            _ => Ok(false),
        }
    }

    pub(super) fn emit_whole_warp(&mut self, op: WarpOp) {
        let members = self.word(u32::MAX);
        self.emit(
            Op::Warp {
                members,
                op: Box::new(op),
            },
            Class::Tensor,
        );
    }

    /// The registers of a fragment: sources, or destinations where `writes` says so.
    pub(super) fn fragment(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
        element: Element,
        count: usize,
        access: Usage,
    ) -> Decode<Fragment> {
        let operand = Self::operand(inst, index)?;
        let operands = match operand {
            Operand::Vector(elements) => elements.as_slice(),
            one => core::slice::from_ref(one),
        };
        if operands.len() != count {
            return operand_error(format!(
                "operand {} of `{}` has {count} registers, not {}",
                index + 1,
                inst.opcode,
                operands.len()
            ));
        }
        let ty = match element {
            Element::F64 => Type::F64,
            Element::F32 => Type::F32,
            _ => Type::B32,
        };
        let mut fragment = Fragment::new();
        for operand in operands {
            let (slot, register) = match access {
                Usage::Read => self.source_operand(inst.scope, operand, ty, Width::Exact)?,
                Usage::Write => self.dest_operand(inst.scope, operand, ty, Width::Exact)?,
            };
            fragment.push(Self::slot_of(slot, register));
        }
        Ok(fragment)
    }

    fn mma(&mut self, shape: &str, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let Some(shape) = parse_shape(shape) else {
            return Ok(false);
        };
        let mut elements = SmallVec::<[Element; 4]>::new();
        let (mut overflow, mut bit_op, mut popc) = (Overflow::Wrap, BitOp::Xor, false);
        for &text in mods {
            match text {
                "satfinite" => overflow = Overflow::Saturate,
                "rn" | "kind::f8f6f4" => {}
                "xor" => bit_op = BitOp::Xor,
                "and" => bit_op = BitOp::And,
                "popc" => popc = true,
                _ => match Element::parse(text) {
                    Some(element) => elements.push(element),
                    None => return Ok(false),
                },
            }
        }
        let &[d_type, a_type, b_type, c_type] = elements.as_slice() else {
            return Ok(false);
        };
        let bits = a_type == Element::B1;
        let saturates = overflow == Overflow::Saturate;
        if !has_mma(shape, a_type, b_type, c_type, d_type)
            || popc != bits
            || saturates && (!a_type.is_integer() || bits)
        {
            return Ok(false);
        }
        let Shape { m, n, k } = shape;
        let a = self.fragment(inst, 1, a_type, registers(m * k, a_type), Usage::Read)?;
        let b = self.fragment(inst, 2, b_type, registers(k * n, b_type), Usage::Read)?;
        let c = self.fragment(inst, 3, c_type, registers(m * n, c_type), Usage::Read)?;
        let d = self.fragment(inst, 0, d_type, registers(m * n, d_type), Usage::Write)?;
        let mma = Mma {
            shape,
            a_type,
            b_type,
            c_type,
            d_type,
            bit_op,
            overflow,
            d,
            a,
            b,
            c,
        };
        self.emit_whole_warp(WarpOp::Mma(Box::new(mma)));
        Ok(true)
    }

    fn matrix_move(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let (mut count, mut order, mut space, mut b16) = (0, Order::Rows, Space::Generic, false);
        for &text in mods {
            match text {
                "x1" => count = 1,
                "x2" => count = 2,
                "x4" => count = 4,
                "trans" => order = Order::Columns,
                "shared" | "shared::cta" => space = Space::Shared,
                "b16" => b16 = true,
                _ => return Ok(false),
            }
        }
        if count == 0 || !b16 {
            return Ok(false);
        }
        let loads = name == "ldmatrix";
        let (data, place) = if loads { (0, 1) } else { (1, 0) };
        let (space, address) = self.address(inst, place, space)?;
        let access = if loads { Usage::Write } else { Usage::Read };
        let fragment = self.fragment(inst, data, Element::S32, count, access)?;
        let registers = fragment
            .iter()
            .map(|slot| match *slot {
                crate::regs::Slot::Word(slot) | crate::regs::Slot::Double(slot) => slot,
            })
            .collect();
        let matrices = Box::new(MatrixMove {
            space,
            address,
            order,
            registers,
        });
        self.emit_whole_warp(if loads {
            WarpOp::LoadMatrix(matrices)
        } else {
            WarpOp::StoreMatrix(matrices)
        });
        Ok(true)
    }

    /// The left factor of a warpgroup product, and which way the right one lies.
    fn wgmma_left(
        &mut self,
        inst: &Instruction<'a>,
        shape: Shape,
        element: Element,
        immediates: &[i64],
    ) -> Decode<(Left, Major)> {
        let major = |at: usize| {
            if immediates.get(at) == Some(&1) {
                Major::Across
            } else {
                Major::Depth
            }
        };
        if let Operand::Vector(_) = Self::operand(inst, 1)? {
            let count = registers(16 * shape.k, element);
            let fragment = self.fragment(inst, 1, element, count, Usage::Read)?;
            Ok((Left::Registers(fragment), major(2)))
        } else {
            let descriptor = self.source(inst, 1, Type::B64)?;
            Ok((Left::Shared(descriptor, major(2)), major(3)))
        }
    }

    fn wgmma(&mut self, shape: &str, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let Some(shape) = parse_shape(shape) else {
            return Ok(false);
        };
        let (mods, overflow) = match mods {
            [rest @ .., "satfinite"] => (rest, Overflow::Saturate),
            _ => (mods, Overflow::Wrap),
        };
        let elements: Option<SmallVec<[Element; 4]>> =
            mods.iter().map(|text| Element::parse(text)).collect();
        let Some(&[d_type, a_type, b_type]) = elements.as_deref() else {
            return Ok(false);
        };
        if !has_wgmma(shape, d_type, a_type, b_type) {
            return Ok(false);
        }
        let d = self.fragment(
            inst,
            0,
            d_type,
            registers(16 * shape.n, d_type),
            Usage::Write,
        )?;
        let immediates = self.wgmma_immediates(inst)?;
        let negative = |at: usize| immediates.get(at) == Some(&-1);
        let (a, b_major) = self.wgmma_left(inst, shape, a_type, &immediates)?;
        let b = self.source(inst, 2, Type::B64)?;
        let accumulate = match Self::operand(inst, 3)? {
            Operand::Int(value) => (ALWAYS, *value == 0),
            _ => self.predicate(inst, 3)?,
        };
        let negate = negative(0) != negative(1);
        let wgmma = Wgmma {
            shape,
            d_type,
            a_type,
            b_type,
            d,
            a,
            b,
            b_major,
            accumulate,
            negate,
            overflow,
        };
        self.emit_whole_warp(WarpOp::Wgmma(Box::new(wgmma)));
        Ok(true)
    }

    /// The numbers behind the scale predicate.
    fn wgmma_immediates(&mut self, inst: &Instruction<'a>) -> Decode<SmallVec<[i64; 4]>> {
        let mut values = SmallVec::new();
        for operand in inst.operands.iter().skip(4) {
            let Operand::Int(value) = *operand else {
                return operand_error("the scales and transpositions of wgmma must be numbers");
            };
            values.push(value);
        }
        Ok(values)
    }
}

/// Whether the hardware has this warpgroup product.
fn has_wgmma(shape: Shape, d: Element, a: Element, b: Element) -> bool {
    use Element::{Bf16, E4m3, E5m2, F16, F32, S8, S32, Tf32, U8};
    if shape.m != 64 || shape.n == 0 || shape.n > 256 || !shape.n.is_multiple_of(8) {
        return false;
    }
    match (shape.k, a, b) {
        (16, F16, F16) | (32, E4m3 | E5m2, E4m3 | E5m2) => matches!(d, F16 | F32),
        (16, Bf16, Bf16) | (8, Tf32, Tf32) => d == F32,
        (32, S8 | U8, S8 | U8) => d == S32,
        _ => false,
    }
}
