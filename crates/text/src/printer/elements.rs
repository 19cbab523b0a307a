//! Writing element attributes: dense arrays, dense and sparse elements.

use super::data::{DataWriter, TypeText, push_hex};
use super::float::write_float;
use segra_ir::attrs::{Attr, AttrKind, Splat};
use segra_ir::context::Context;
use segra_ir::types::{Signedness, Type, TypeKind};

impl DataWriter<'_> {
    pub(super) fn elements(&mut self, kind: &AttrKind, types: TypeText) {
        let ty = match kind {
            AttrKind::DenseArray { element, data } => return self.dense_array(*element, data),
            AttrKind::DenseElements { ty, data, splat } => {
                if self.dense(*ty, data, *splat) == Elided::Yes {
                    self.out.push_str("dense_resource<__elided__>");
                }
                *ty
            }
            AttrKind::DenseStrings { ty, strings } => {
                self.out.push_str("dense<");
                let shape = shape_of(self.ctx, *ty);
                let splat = if strings.len() == 1 {
                    Splat::Yes
                } else {
                    Splat::No
                };
                self.rows(shape, splat, strings.len(), &mut |w, index| {
                    w.quoted(&strings[index])
                });
                self.out.push('>');
                *ty
            }
            AttrKind::DenseLiteral { ty, literal } => {
                let literal = self.ctx.str(*literal);
                for part in ["dense<", literal, ">"] {
                    self.out.push_str(part);
                }
                *ty
            }
            AttrKind::Sparse {
                ty,
                indices,
                values,
            } => {
                self.out.push_str("sparse<");
                self.sparse(*indices, *values);
                self.out.push('>');
                *ty
            }
            AttrKind::DenseResource { ty, key } => {
                self.out.push_str("dense_resource<");
                let key = self.ctx.str(*key);
                self.keyword_or_string(key);
                self.out.push('>');
                *ty
            }
            _ => return,
        };
        if types != TypeText::Never {
            self.of_type(ty);
        }
    }

    fn dense_array(&mut self, element: Type, data: &[u8]) {
        self.out.push_str("array<");
        self.ty(element);
        let size = element_size(self.ctx, element);
        if !data.is_empty() && size > 0 {
            self.out.push_str(": ");
            self.list(data.chunks_exact(size), |w, chunk| {
                w.element(element, chunk)
            });
        }
        self.out.push('>');
    }

    fn sparse(&mut self, indices: Attr, values: Attr) {
        let ctx = self.ctx;
        let AttrKind::DenseElements { ty, data, splat } = ctx.attr_kind(indices) else {
            return;
        };
        if shape_of(ctx, *ty).contains(&0) {
            return;
        }
        self.dense_body(*ty, data, *splat);
        self.out.push_str(", ");
        match ctx.attr_kind(values) {
            AttrKind::DenseElements { ty, data, splat } => {
                if self.wants_hex(
                    data.len() / element_size(ctx, ty.element_or_self(ctx)).max(1),
                    *splat,
                ) {
                    self.hex(*ty, data);
                } else {
                    self.dense_body(*ty, data, *splat);
                }
            }
            AttrKind::DenseStrings { ty, strings } => {
                let splat = if strings.len() == 1 {
                    Splat::Yes
                } else {
                    Splat::No
                };
                self.rows(shape_of(ctx, *ty), splat, strings.len(), &mut |w, index| {
                    w.quoted(&strings[index])
                });
            }
            _ => {}
        }
    }

    fn dense(&mut self, ty: Type, data: &[u8], splat: Splat) -> Elided {
        let count = data.len() / element_size(self.ctx, ty.element_or_self(self.ctx)).max(1);
        if splat == Splat::No && self.limits.elide_above.is_some_and(|limit| count > limit) {
            return Elided::Yes;
        }
        self.out.push_str("dense<");
        if self.wants_hex(count, splat) {
            self.hex(ty, data);
        } else {
            self.dense_body(ty, data, splat);
        }
        self.out.push('>');
        Elided::No
    }

    fn wants_hex(&self, count: usize, splat: Splat) -> bool {
        splat == Splat::No && self.limits.hex_above.is_some_and(|limit| count > limit)
    }

    /// The bytes in hexadecimal; booleans are packed into bits.
    fn hex(&mut self, ty: Type, data: &[u8]) {
        let bools = matches!(
            self.ctx.type_kind(ty.element_or_self(self.ctx)),
            TypeKind::Integer { width: 1, .. }
        );
        self.out.reserve(2 * data.len() + 4);
        self.out.push_str("\"0x");
        if bools {
            for bits in data.chunks(8) {
                let byte = bits
                    .iter()
                    .enumerate()
                    .fold(0, |byte, (index, bit)| byte | (bit & 1) << index);
                push_hex(&mut self.out, byte);
            }
        } else {
            data.iter().for_each(|&byte| push_hex(&mut self.out, byte));
        }
        self.out.push('"');
    }

    fn dense_body(&mut self, ty: Type, data: &[u8], splat: Splat) {
        let element = ty.element_or_self(self.ctx);
        let size = element_size(self.ctx, element);
        if size == 0 {
            return;
        }
        let shape = shape_of(self.ctx, ty);
        self.rows(shape, splat, data.len() / size, &mut |w, index| {
            w.element(element, &data[index * size..(index + 1) * size]);
        });
    }

    /// Lists in lists in the form of a shape, row by row.
    fn rows(
        &mut self,
        shape: &[i64],
        splat: Splat,
        count: usize,
        write: &mut dyn FnMut(&mut Self, usize),
    ) {
        if splat == Splat::Yes || shape.is_empty() {
            if count > 0 {
                write(self, 0);
            }
            return;
        }
        if count == 0 || shape.contains(&0) {
            return;
        }
        // Elements from one opening of a bracket of each dimension to the next.
        let rows: Vec<usize> = (0..shape.len())
            .map(|dim| {
                shape[dim..].iter().fold(1usize, |row, &extent| {
                    row.saturating_mul(extent.max(1) as usize)
                })
            })
            .collect();
        for index in 0..count {
            let opening = rows.iter().filter(|&&row| index % row == 0).count();
            if index > 0 {
                self.out.push_str(", ");
            }
            for _ in 0..opening {
                self.out.push('[');
            }
            write(self, index);
            for _ in 0..rows.iter().filter(|&&row| (index + 1) % row == 0).count() {
                self.out.push(']');
            }
        }
    }

    /// One little-endian element.
    fn element(&mut self, ty: Type, bytes: &[u8]) {
        match *self.ctx.type_kind(ty) {
            TypeKind::Float(kind) => {
                write_float(&mut self.out, kind, unsigned_from(bytes));
            }
            TypeKind::Integer { width: 1, .. } => {
                self.out.push_str(if bytes.iter().all(|&byte| byte == 0) {
                    "false"
                } else {
                    "true"
                });
            }
            TypeKind::Integer {
                width: width @ 129..,
                signedness,
            } => {
                let mut bytes = bytes.to_vec();
                extend_sign(&mut bytes, width, signedness);
                self.wide_integer(&bytes, signedness);
            }
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            } => {
                self.unsigned_wide(unsigned_from(bytes));
            }
            TypeKind::Complex(part) => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                self.out.push('(');
                self.element(part, real);
                self.out.push(',');
                self.element(part, imaginary);
                self.out.push(')');
            }
            TypeKind::Integer { width, .. } => {
                let unused = 128 - width.clamp(1, 128);
                self.signed((unsigned_from(bytes) << unused) as i128 >> unused);
            }
            _ => {
                let unused = 128 - 8 * bytes.len().clamp(1, 16);
                self.signed((unsigned_from(bytes) << unused) as i128 >> unused);
            }
        }
    }
}

/// Whether elements were left out because there are too many.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elided {
    Yes,
    No,
}

fn shape_of(ctx: &Context, ty: Type) -> &[i64] {
    ty.shaped(ctx).map_or(&[], |row| row.0)
}

/// Bytes one element takes in dense data; 0 for types that cannot be elements.
fn element_size(ctx: &Context, ty: Type) -> usize {
    match *ctx.type_kind(ty) {
        TypeKind::Integer { width, .. } => (width as usize).div_ceil(8).max(1),
        TypeKind::Index => 8,
        TypeKind::Float(kind) => (kind.width() as usize).div_ceil(8),
        TypeKind::Complex(part) => 2 * element_size(ctx, part),
        _ => 0,
    }
}

/// Fills the unused bits of the last byte with the sign.
fn extend_sign(bytes: &mut [u8], width: u32, signedness: Signedness) {
    if let (Some(last), used @ 1..) = (bytes.last_mut(), width % 8)
        && signedness != Signedness::Unsigned
        && *last >> (used - 1) & 1 != 0
    {
        *last |= 0xFF << used;
    }
}

fn unsigned_from(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    let count = bytes.len().min(16);
    all[..count].copy_from_slice(&bytes[..count]);
    u128::from_le_bytes(all)
}
