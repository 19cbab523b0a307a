//! `wmma.load`, `wmma.store` and `wmma.mma`.

use super::operands::Usage;
use super::tensor::{parse_shape, registers};
use super::{Builder, Decode};
use crate::ast::Instruction;
use crate::isa::WarpOp;
use crate::isa::element::Element;
use crate::isa::tensor::{BitOp, FragmentMove, Mma, Order, Overflow, Part, Shape};
use crate::types::{Space, Type};

fn parse_order(text: &str) -> Option<Order> {
    match text {
        "row" => Some(Order::Rows),
        "col" => Some(Order::Columns),
        _ => None,
    }
}

/// Whether the hardware has products of these elements in this shape.
fn has_shape(shape: Shape, element: Element) -> bool {
    use Element::{B1, Bf16, F16, F64, S4, S8, Tf32, U4, U8};
    let Shape { m, n, k } = shape;
    match element {
        F16 | Bf16 | S8 | U8 => k == 16 && matches!((m, n), (16, 16) | (32, 8) | (8, 32)),
        Tf32 => (m, n, k) == (16, 16, 8),
        F64 => (m, n, k) == (8, 8, 4),
        S4 | U4 => (m, n, k) == (8, 8, 32),
        B1 => (m, n, k) == (8, 8, 128),
        _ => false,
    }
}

/// Whether an accumulator may have these elements, with factors of some type in this shape.
fn has_accumulator(shape: Shape, element: Element) -> bool {
    use Element::{B1, Bf16, F16, F32, F64, S4, S8, S32, Tf32};
    let factors: &[Element] = match element {
        F16 => &[F16],
        F32 => &[F16, Bf16, Tf32],
        S32 => &[S8, S4, B1],
        F64 => &[F64],
        _ => &[],
    };
    factors.iter().any(|&factor| has_shape(shape, factor))
}

/// Registers of a fragment. Those of halves are always eight.
fn count(part: Part, shape: Shape, element: Element) -> usize {
    let Shape { m, n, k } = shape;
    match (part, element) {
        (Part::A | Part::B, Element::F16) => 8,
        (Part::A, _) => registers(m * k, element),
        (Part::B, _) => registers(k * n, element),
        (Part::C, _) => registers(m * n, element),
    }
}

impl<'a> Builder<'a, '_> {
    /// Decodes one of this file's instructions; `false` if `name` is none or has an unknown form.
    pub(super) fn wmma(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        match (name, mods) {
            (
                "wmma",
                [
                    moves @ ("load" | "store"),
                    part,
                    "sync",
                    "aligned",
                    rest @ ..,
                ],
            ) => {
                let (order, shape, space, element) = match *rest {
                    [order, shape, element] => (order, shape, Space::Generic, element),
                    [order, shape, space, element] => match Space::parse(space) {
                        Some(space @ (Space::Global | Space::Shared)) => {
                            (order, shape, space, element)
                        }
                        _ => return Ok(false),
                    },
                    _ => return Ok(false),
                };
                let part = match (*moves, *part) {
                    ("load", "a") => Part::A,
                    ("load", "b") => Part::B,
                    ("load", "c") | ("store", "d") => Part::C,
                    _ => return Ok(false),
                };
                let (Some(order), Some(shape), Some(element)) = (
                    parse_order(order),
                    parse_shape(shape),
                    Element::parse(element),
                ) else {
                    return Ok(false);
                };
                let usage = if *moves == "load" {
                    Usage::Write
                } else {
                    Usage::Read
                };
                self.fragment_move(part, order, shape, space, element, usage, inst)
            }
            ("wmma", ["mma", "sync", "aligned", rest @ ..]) => self.product(None, rest, inst),
            ("wmma", ["mma", "xor", "popc", "sync", "aligned", rest @ ..]) => {
                self.product(Some(BitOp::Xor), rest, inst)
            }
            ("wmma", ["mma", "and", "popc", "sync", "aligned", rest @ ..]) => {
                self.product(Some(BitOp::And), rest, inst)
            }
            _ => Ok(false),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one opcode")]
    fn fragment_move(
        &mut self,
        part: Part,
        order: Order,
        shape: Shape,
        space: Space,
        element: Element,
        usage: Usage,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let has = match part {
            Part::C => has_accumulator(shape, element),
            Part::A | Part::B => has_shape(shape, element),
        };
        // Less than a byte is not addressed: lines lie in one piece.
        let along = (part == Part::B) == (order == Order::Columns);
        if !has || element.bits() < 8 && !along {
            return Ok(false);
        }
        let (data, place) = match usage {
            Usage::Write => (0, 1),
            Usage::Read => (1, 0),
        };
        let (space, address) = self.address(inst, place, space)?;
        let registers = count(part, shape, element);
        let given = inst.operands.get(2).is_some();
        let stride = if given {
            self.source(inst, 2, Type::B32)?
        } else {
            0
        };
        let fragment = self.fragment(inst, data, element, registers, usage)?;
        let mut moved = FragmentMove {
            part,
            shape,
            element,
            space,
            address,
            stride,
            order,
            fragment,
        };
        if !given {
            moved.stride = self.word(moved.least_stride());
        }
        self.emit_whole_warp(match usage {
            Usage::Write => WarpOp::LoadFragment(Box::new(moved)),
            Usage::Read => WarpOp::StoreFragment(Box::new(moved)),
        });
        Ok(true)
    }

    fn product(
        &mut self,
        bit_op: Option<BitOp>,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let [a_order, b_order, shape, types @ ..] = mods else {
            return Ok(false);
        };
        let (types, overflow) = match types {
            [rest @ .., "satfinite"] => (rest, Overflow::Saturate),
            _ => (types, Overflow::Wrap),
        };
        let (Some(shape), Some([d_type, a_type, b_type, c_type])) =
            (parse_shape(shape), product_elements(types))
        else {
            return Ok(false);
        };
        let (a_order, b_order) = (parse_order(a_order), parse_order(b_order));
        let (Some(a_order), Some(b_order)) = (a_order, b_order) else {
            return Ok(false);
        };
        if !has_product(shape, a_type, b_type, c_type, d_type)
            || bit_op.is_some() != (a_type == Element::B1)
            || a_type.bits() < 8 && (a_order, b_order) != (Order::Rows, Order::Columns)
            || overflow == Overflow::Saturate && (!a_type.is_integer() || bit_op.is_some())
        {
            return Ok(false);
        }
        let [a, b, c] = [(Part::A, a_type), (Part::B, b_type), (Part::C, c_type)]
            .map(|(part, element)| (element, count(part, shape, element)));
        let a = self.fragment(inst, 1, a.0, a.1, Usage::Read)?;
        let b = self.fragment(inst, 2, b.0, b.1, Usage::Read)?;
        let c = self.fragment(inst, 3, c.0, c.1, Usage::Read)?;
        let registers = count(Part::C, shape, d_type);
        let d = self.fragment(inst, 0, d_type, registers, Usage::Write)?;
        let mma = Mma {
            shape,
            a_type,
            b_type,
            c_type,
            d_type,
            bit_op: bit_op.unwrap_or(BitOp::Xor),
            overflow,
            d,
            a,
            b,
            c,
        };
        self.emit_whole_warp(WarpOp::Wmma(Box::new(mma)));
        Ok(true)
    }
}

/// The element types of a product's fragments, in the order D, A, B, C; of A and B, halves where they are not written.
fn product_elements(types: &[&str]) -> Option<[Element; 4]> {
    // NVIDIA's compiler writes the rounding at the end, the ISA before the types.
    let types = match types {
        ["rn", rest @ ..] | [rest @ .., "rn"] => rest,
        _ => types,
    };
    let elements: Option<Vec<Element>> = types.iter().map(|text| Element::parse(text)).collect();
    match *elements?.as_slice() {
        [d, c] => Some([d, Element::F16, Element::F16, c]),
        [d, a, b, c] => Some([d, a, b, c]),
        _ => None,
    }
}

/// Whether the hardware has this product.
fn has_product(shape: Shape, a: Element, b: Element, c: Element, d: Element) -> bool {
    use Element::{F16, F32, F64, S32};
    let accumulators = match a {
        F16 => matches!(c, F16 | F32) && matches!(d, F16 | F32),
        F64 => c == F64 && d == F64,
        _ if a.is_integer() => c == S32 && d == S32,
        _ => c == F32 && d == F32,
    };
    let like = a == b || a.is_integer() && b.is_integer() && a.bits() == b.bits();
    like && accumulators && has_shape(shape, a)
}
