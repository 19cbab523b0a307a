//! Types: tokens of asynchronous ops, matrices spread over a subgroup, handles of sparse data; and constraints on them.

use segra_ir::constraint::TypeConstraint;
use segra_ir::types::{CustomType, DYNAMIC, DialectType, Signedness};
use segra_ir::{Context, FloatKind, Type, TypeKind};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser, print_type};

use crate::attrs::AddressSpace;

macro_rules! plain_types {
    ($($(#[$doc:meta])* $name:ident, $mnemonic:literal, $words:literal, $parse:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name;
        impl CustomType for $name {
            const DIALECT: &'static str = "gpu";
            const MNEMONIC: &'static str = $mnemonic;
            fn print(&self, _ctx: &Context, _out: &mut String) {}
        }
        impl TypeConstraint for $name {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &Context, ty: Type) -> bool { ty.dialect::<$name>(ctx).is_some() }
        }
        /// Reads what follows the mnemonic: nothing.
        pub(crate) fn $parse(p: &mut Parser<'_>) -> ParseResult<Type> {
            Ok(p.ctx().ty(TypeKind::Dialect(DialectType::new($name))))
        }
    )*};
}

plain_types! {
    /// `!gpu.async.token`: what an asynchronous op waits for, and what it gives. Also the constraint.
    AsyncToken, "async.token", "a token of an asynchronous op", parse_async_token;
    /// `!gpu.sparse.dntensor_handle`: a dense tensor of the sparse library. Also the constraint.
    DnTensorHandle, "sparse.dntensor_handle", "a handle of a dense tensor", parse_dn_tensor_handle;
    /// `!gpu.sparse.spgemmop_handle`: a product of sparse matrices of the sparse library. Also the constraint.
    SpGemmHandle, "sparse.spgemmop_handle", "a handle of a product of sparse matrices", parse_sp_gemm_handle;
    /// `!gpu.sparse.spmat_handle`: a sparse matrix of the sparse library. Also the constraint.
    SpMatHandle, "sparse.spmat_handle", "a handle of a sparse matrix", parse_sp_mat_handle;
}

/// `!gpu.mma_matrix<16x16xf16, "AOp">`: a matrix spread over the lanes of a subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaMatrix {
    /// Extents.
    pub shape: [i64; 2],
    /// Element type.
    pub element: Type,
    /// Its place in a product.
    pub operand: MmaOperand,
}

/// Place of a matrix in `A * B + C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the places")]
pub enum MmaOperand {
    A,
    B,
    C,
}

impl MmaOperand {
    fn text(self) -> &'static str {
        match self {
            MmaOperand::A => "AOp",
            MmaOperand::B => "BOp",
            MmaOperand::C => "COp",
        }
    }
}

impl CustomType for MmaMatrix {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "mma_matrix";
    fn print(&self, ctx: &Context, out: &mut String) {
        let [rows, columns] = self.shape;
        let element = print_type(ctx, self.element);
        out.push_str(&format!(
            "<{rows}x{columns}x{element}, \"{}\">",
            self.operand.text()
        ));
    }
}

/// Reads `<16x16xf16, "AOp">` after `!gpu.mma_matrix`.
pub(crate) fn parse_mma_matrix(p: &mut Parser<'_>) -> ParseResult<Type> {
    let at = p.pos();
    p.expect(Tok::Less)?;
    let mut shape = Vec::new();
    p.parse_dimensions(&mut shape)?;
    let element = p.parse_type()?;
    p.parse_comma()?;
    let operand = p.parse_string()?;
    p.expect(Tok::Greater)?;
    let [rows, columns] = shape[..] else {
        return Err(p.error_at(at, "a matrix has exactly two dimensions"));
    };
    if rows == DYNAMIC || columns == DYNAMIC {
        return Err(p.error_at(at, "the extents of a matrix are known"));
    }
    let operand = match operand.as_str() {
        "AOp" => MmaOperand::A,
        "BOp" => MmaOperand::B,
        "COp" => MmaOperand::C,
        other => return Err(p.error_at(at, format!("`{other}` is not one of AOp, BOp and COp"))),
    };
    if !(MmaElements::EVERY.allows(p.ctx(), element)) {
        return Err(p.error_at(
            at,
            "elements of a matrix are si8, ui8, i32, f16, f32 or f64",
        ));
    }
    let matrix = MmaMatrix {
        shape: [rows, columns],
        element,
        operand,
    };
    Ok(p.ctx().ty(TypeKind::Dialect(DialectType::new(matrix))))
}

/// Element types of matrices.
struct MmaElements {
    bytes: bool,
    word: bool,
}

impl MmaElements {
    const EVERY: MmaElements = MmaElements {
        bytes: true,
        word: true,
    };
    fn allows(&self, ctx: &Context, ty: Type) -> bool {
        match *ctx.type_kind(ty) {
            TypeKind::Integer {
                width: 8,
                signedness,
            } => self.bytes && signedness != Signedness::Signless,
            TypeKind::Integer {
                width: 32,
                signedness,
            } => self.word && signedness == Signedness::Signless,
            TypeKind::Float(kind) => {
                matches!(kind, FloatKind::F16 | FloatKind::F32 | FloatKind::F64)
            }
            _ => false,
        }
    }
}

macro_rules! matrices {
    ($($(#[$doc:meta])* $name:ident, $words:literal, $elements:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl TypeConstraint for $name {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &Context, ty: Type) -> bool {
                ty.dialect::<MmaMatrix>(ctx).is_some_and(|matrix| $elements.allows(ctx, matrix.element))
            }
        }
    )*};
}

matrices! {
    /// Any matrix.
    AnyMatrix, "a matrix of a subgroup", MmaElements::EVERY;
    /// A matrix that can be multiplied.
    FactorMatrix, "a matrix of si8, ui8, f16, f32 or f64", MmaElements { bytes: true, word: false };
    /// A matrix that products can be added to.
    SumMatrix, "a matrix of i32, f16, f32 or f64", MmaElements { bytes: false, word: true };
}

/// Memory of elements a matrix can be made of, or of short vectors of them.
#[derive(Clone, Copy, Debug)]
pub struct MatrixMemRef;

impl TypeConstraint for MatrixMemRef {
    fn describe(&self) -> &'static str {
        "a ranked memref of i8, i32, f16, f32 or f64, or of vectors of one dimension of them"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        let TypeKind::MemRef { element, .. } = ctx.type_kind(ty) else {
            return false;
        };
        let scalar = match ctx.type_kind(*element) {
            TypeKind::Vector { shape, element, .. } if shape.len() == 1 => *element,
            _ => *element,
        };
        scalar == ctx.integer(8)
            || MmaElements {
                bytes: false,
                word: true,
            }
            .allows(ctx, scalar)
    }
}

/// A number a constant matrix may consist of.
#[derive(Clone, Copy, Debug)]
pub struct MatrixElement;

impl TypeConstraint for MatrixElement {
    fn describe(&self) -> &'static str {
        "si8, ui8, i32, f16 or f32"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        MmaElements::EVERY.allows(ctx, ty) && ty.float_kind(ctx) != Some(FloatKind::F64)
    }
}

/// `memref<?xi8, #gpu.address_space<workgroup>>`, or what may stand for it.
#[derive(Clone, Copy, Debug)]
pub struct DynamicSharedMemory;

impl TypeConstraint for DynamicSharedMemory {
    fn describe(&self) -> &'static str {
        "a ranked memref of i8 of one dimension"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        match ctx.type_kind(ty) {
            TypeKind::MemRef { shape, element, .. } => {
                shape.len() == 1 && *element == ctx.integer(8)
            }
            _ => false,
        }
    }
}

/// The address space of a memref, if it says one.
pub(crate) fn address_space(ctx: &Context, ty: Type) -> Option<AddressSpace> {
    match ctx.type_kind(ty) {
        TypeKind::MemRef {
            space: Some(space), ..
        } => space.dialect::<AddressSpace>(ctx).copied(),
        _ => None,
    }
}
