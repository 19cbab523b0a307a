//! Sparse matrices through a library on the device: handles, buffer sizes, products. None has an evaluation rule.

use crate::attrs::{PruneFlagAttr, SpGemmStepAttr, TransposeModeAttr};
use crate::types::{AsyncToken, DnTensorHandle, SpGemmHandle, SpMatHandle};
use segra_ir::constraint::{AnyMemRef, Index, TypeAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects};
use segra_ir::{Ir, Op, OpDef, OpView, op};

/// Ops that wait for tokens and may give one; all act on the library's state.
macro_rules! asynchronous_ops {
    ($($(#[$doc:meta])* $name:ident, $text:literal, { $($(#[$meta:meta])* $field:ident: $kind:ident<$constraint:ident>),* };)*) => {
        /// The ops of this file.
        pub(crate) const OPS: &[&OpDef] = &[$($name::DEF),*];
        $(
            $(#[$doc])*
            #[op($text, interfaces(Effects))]
            pub struct $name {
                async_dependencies: VariadicOperand<AsyncToken>,
                $($(#[$meta])* $field: $kind<$constraint>,)*
                async_token: OptionalResult<AsyncToken>,
            }
            impl Effects for $name {
                fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
                    effects.push(Effect::of(EffectKind::Control));
                }
            }
        )*
    };
}

asynchronous_ops! {
    /// A matrix with two non-zeros in four, of dense memory.
    Create2To4SpMatOp, "gpu.create_2to4_spmat", {
        rows: Operand<Index>, cols: Operand<Index>, memref: Operand<AnyMemRef>,
        #[name("pruneFlag")] prune_flag: OptionalAttr<PruneFlagAttr>, sp_mat: OpResult<SpMatHandle>
    };
    /// A sparse matrix of blocks by rows.
    CreateBsrOp, "gpu.create_bsr", {
        brows: Operand<Index>, bcols: Operand<Index>, bnnz: Operand<Index>, r_block_size: Operand<Index>,
        c_block_size: Operand<Index>, b_row_pos: Operand<AnyMemRef>, b_col_idxs: Operand<AnyMemRef>,
        values: Operand<AnyMemRef>, spmat: OpResult<SpMatHandle>
    };
    /// A sparse matrix of coordinates.
    CreateCooOp, "gpu.create_coo", {
        rows: Operand<Index>, cols: Operand<Index>, nnz: Operand<Index>, row_idxs: Operand<AnyMemRef>,
        col_idxs: Operand<AnyMemRef>, values: Operand<AnyMemRef>, spmat: OpResult<SpMatHandle>
    };
    /// A sparse matrix of coordinates in one memory.
    CreateCooAosOp, "gpu.create_coo_aos", {
        rows: Operand<Index>, cols: Operand<Index>, nnz: Operand<Index>, idxs: Operand<AnyMemRef>,
        values: Operand<AnyMemRef>, spmat: OpResult<SpMatHandle>
    };
    /// A sparse matrix by columns.
    CreateCscOp, "gpu.create_csc", {
        rows: Operand<Index>, cols: Operand<Index>, nnz: Operand<Index>, col_pos: Operand<AnyMemRef>,
        row_idxs: Operand<AnyMemRef>, values: Operand<AnyMemRef>, spmat: OpResult<SpMatHandle>
    };
    /// A sparse matrix by rows.
    CreateCsrOp, "gpu.create_csr", {
        rows: Operand<Index>, cols: Operand<Index>, nnz: Operand<Index>, row_pos: Operand<AnyMemRef>,
        col_idxs: Operand<AnyMemRef>, values: Operand<AnyMemRef>, spmat: OpResult<SpMatHandle>
    };
    /// A dense tensor.
    CreateDnTensorOp, "gpu.create_dn_tensor", {
        memref: Operand<AnyMemRef>, dims: VariadicOperand<Index>, dn_tensor: OpResult<DnTensorHandle>
    };
    /// Gives a dense tensor back.
    DestroyDnTensorOp, "gpu.destroy_dn_tensor", { dn_tensor: Operand<DnTensorHandle> };
    /// Gives a sparse matrix back.
    DestroySpMatOp, "gpu.destroy_sp_mat", { spmat: Operand<SpMatHandle> };
    /// A dense product, only where a sparse matrix has elements.
    SddmmOp, "gpu.sddmm", {
        dnmat_a: Operand<DnTensorHandle>, dnmat_b: Operand<DnTensorHandle>, spmat_c: Operand<SpMatHandle>,
        buffer: Operand<AnyMemRef>, #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("modeB")] mode_b: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>
    };
    /// The buffer `gpu.sddmm` needs.
    SddmmBufferSizeOp, "gpu.sddmm_buffer_size", {
        dnmat_a: Operand<DnTensorHandle>, dnmat_b: Operand<DnTensorHandle>, spmat_c: Operand<SpMatHandle>,
        #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("modeB")] mode_b: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>,
        buffer_sz: OpResult<Index>
    };
    /// Sets where a sparse matrix by rows lies.
    SetCsrPointersOp, "gpu.set_csr_pointers", {
        spmat: Operand<SpMatHandle>, positions: Operand<AnyMemRef>, coordinates: Operand<AnyMemRef>,
        values: Operand<AnyMemRef>
    };
    /// Copies the result of a product of sparse matrices.
    SpGemmCopyOp, "gpu.spgemm_copy", {
        desc: Operand<SpGemmHandle>, spmat_a: Operand<SpMatHandle>, spmat_b: Operand<SpMatHandle>,
        spmat_c: Operand<SpMatHandle>, #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("modeB")] mode_b: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>
    };
    /// A product of sparse matrices to be made.
    SpGemmCreateDescrOp, "gpu.spgemm_create_descr", { desc: OpResult<SpGemmHandle> };
    /// Gives a product of sparse matrices back.
    SpGemmDestroyDescrOp, "gpu.spgemm_destroy_descr", { desc: Operand<SpGemmHandle> };
    /// A step of a product of sparse matrices.
    SpGemmWorkEstimationOrComputeOp, "gpu.spgemm_work_estimation_or_compute", {
        desc: Operand<SpGemmHandle>, spmat_a: Operand<SpMatHandle>, spmat_b: Operand<SpMatHandle>,
        spmat_c: Operand<SpMatHandle>, buffer_sz: Operand<Index>, buffer: Operand<AnyMemRef>,
        #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("modeB")] mode_b: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>,
        kind: Attr<SpGemmStepAttr>, buffer_sz_new: OpResult<Index>
    };
    /// Extents and number of non-zeros of a sparse matrix.
    SpMatGetSizeOp, "gpu.spmat_get_size", {
        spmat: Operand<SpMatHandle>, rows: OpResult<Index>, cols: OpResult<Index>, nnz: OpResult<Index>
    };
    /// A sparse matrix times a dense one.
    SpMMOp, "gpu.spmm", {
        spmat_a: Operand<SpMatHandle>, dnmat_b: Operand<DnTensorHandle>, dnmat_c: Operand<DnTensorHandle>,
        buffers: VariadicOperand<AnyMemRef>, #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("modeB")] mode_b: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>
    };
    /// The buffers `gpu.spmm` needs.
    SpMMBufferSizeOp, "gpu.spmm_buffer_size", {
        spmat_a: Operand<SpMatHandle>, dnmat_b: Operand<DnTensorHandle>, dnmat_c: Operand<DnTensorHandle>,
        #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("modeB")] mode_b: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>,
        buffer_szs: VariadicResult<Index>
    };
    /// A sparse matrix times a vector.
    SpMVOp, "gpu.spmv", {
        spmat_a: Operand<SpMatHandle>, dn_x: Operand<DnTensorHandle>, dn_y: Operand<DnTensorHandle>,
        buffer: Operand<AnyMemRef>, #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>,
        #[name("computeType")] compute_type: Attr<TypeAttr>
    };
    /// The buffer `gpu.spmv` needs.
    SpMVBufferSizeOp, "gpu.spmv_buffer_size", {
        spmat_a: Operand<SpMatHandle>, dn_x: Operand<DnTensorHandle>, dn_y: Operand<DnTensorHandle>,
        #[name("modeA")] mode_a: OptionalAttr<TransposeModeAttr>, #[name("computeType")] compute_type: Attr<TypeAttr>,
        buffer_sz: OpResult<Index>
    };
}
