//! Attributes: dimensions, shuffle modes, address spaces; the same text as upstream's. Those that map loops to a device
//! are in [`mapping`](crate::mapping), those of compiled code in [`compiled`](crate::compiled).

use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AttrAccess, AttrConstraint, AttrText};
use segra_ir::{Attr, Context};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser};

/// Declares an enumeration as a dialect attribute `#gpu<MNEMONIC case>` with its constraint.
macro_rules! keyword_attr {
    ($(#[$doc:meta])* $name:ident, $constraint:ident, $mnemonic:literal, $words:literal, $open:literal, $close:literal,
     $parse:ident, { $($(#[$case_doc:meta])* $case:ident = $keyword:literal),* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$case_doc])* #[doc = concat!("`", $keyword, "`")] $case),* }
        impl $name {
            /// Every case.
            pub const ALL: &'static [$name] = &[$($name::$case),*];
            /// The keyword in text.
            pub fn keyword(self) -> &'static str { match self { $($name::$case => $keyword),* } }
            /// The case a keyword names.
            pub fn from_keyword(keyword: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|case| case.keyword() == keyword)
            }
            /// As an attribute.
            pub fn attr(self, ctx: &Context) -> Attr { ctx.custom_attr(self) }
        }
        impl CustomAttr for $name {
            const DIALECT: &'static str = "gpu";
            const MNEMONIC: &'static str = $mnemonic;
            fn print(&self, _: &Context, out: &mut String) {
                out.push_str($open);
                out.push_str(self.keyword());
                out.push_str($close);
            }
        }
        #[doc = concat!("The attribute constraint of [`", stringify!($name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $constraint;
        impl AttrConstraint for $constraint {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &Context, attr: Attr) -> bool { <$constraint as AttrAccess>::read(ctx, attr).is_some() }
            fn text(&self) -> AttrText {
                if $open == "<" { AttrText::Full } else { AttrText::Keyword }
            }
            fn keyword_attr(&self, ctx: &Context, keyword: &str) -> Option<Attr> {
                $name::from_keyword(keyword).map(|case| case.attr(ctx))
            }
            fn keyword_of(&self, ctx: &Context, attr: Attr) -> Option<&'static str> {
                <$constraint as AttrAccess>::read(ctx, attr).map($name::keyword)
            }
        }
        impl AttrAccess for $constraint {
            type Value<'a> = $name;
            fn read(ctx: &Context, attr: Attr) -> Option<$name> { attr.dialect::<$name>(ctx).copied() }
        }
        /// Reads what follows the mnemonic.
        pub(crate) fn $parse(p: &mut Parser<'_>) -> ParseResult<Attr> {
            let ctx = p.ctx();
            let bracketed = $open == "<";
            if bracketed { p.expect(Tok::Less)?; }
            let keyword = p.parse_keyword_or_string()?;
            let Some(case) = $name::from_keyword(&keyword) else {
                return Err(p.error(format!("`{keyword}` is not {}", $words)));
            };
            if bracketed { p.expect(Tok::Greater)?; }
            Ok(case.attr(ctx))
        }
    };
}

keyword_attr! {
    /// A dimension of a grid or a thread block.
    Dimension, DimensionAttr, "dim", "a dimension (`x`, `y` or `z`)", " ", "", parse_dimension, {
        /// Fastest varying.
        X = "x",
        /// Second.
        Y = "y",
        /// Slowest varying.
        Z = "z"
    }
}

impl Dimension {
    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

keyword_attr! {
    /// Which lane of the subgroup a shuffle reads from.
    ShuffleMode, ShuffleModeAttr, "shuffle_mode", "a shuffle mode", " ", "", parse_shuffle_mode, {
        /// Lane number exclusive-or the offset.
        Xor = "xor",
        /// Lane number minus the offset.
        Up = "up",
        /// Lane number plus the offset.
        Down = "down",
        /// The offset itself.
        Idx = "idx"
    }
}

keyword_attr! {
    /// Where a memref lives on the device.
    AddressSpace, AddressSpaceAttr, "address_space", "an address space", "<", ">", parse_address_space, {
        /// Visible to all threads of all launches.
        Global = "global",
        /// Shared memory of one thread block.
        Workgroup = "workgroup",
        /// One thread's own.
        Private = "private"
    }
}

keyword_attr! {
    /// How values of many threads become one.
    ReduceKind, ReduceKindAttr, "all_reduce_op", "a way to combine values", " ", "", parse_reduce_kind, {
        Add = "add",
        Mul = "mul",
        MinUi = "minui",
        MinSi = "minsi",
        MinNumF = "minnumf",
        MaxUi = "maxui",
        MaxSi = "maxsi",
        MaxNumF = "maxnumf",
        And = "and",
        Or = "or",
        Xor = "xor",
        MinimumF = "minimumf",
        MaximumF = "maximumf"
    }
}

keyword_attr! {
    /// Which lane a broadcast reads from.
    BroadcastKind, BroadcastKindAttr, "broadcast", "a kind of broadcast", " ", "", parse_broadcast, {
        FirstActiveLane = "first_active_lane",
        SpecificLane = "specific_lane"
    }
}

keyword_attr! {
    /// How a sparse matrix becomes one of two non-zeros in four.
    PruneFlag, PruneFlagAttr, "prune_2to4_spmat_flag", "a way to prune", " ", "", parse_prune_flag, {
        None = "NONE",
        PruneOnly = "PRUNE_ONLY",
        PruneAndCheck = "PRUNE_AND_CHECK"
    }
}

keyword_attr! {
    /// Whether a matrix is transposed in a product.
    TransposeMode, TransposeModeAttr, "mat_transpose_mode", "a mode of transposition", " ", "", parse_transpose_mode, {
        NonTranspose = "NON_TRANSPOSE",
        Transpose = "TRANSPOSE",
        ConjugateTranspose = "CONJUGATE_TRANSPOSE"
    }
}

keyword_attr! {
    /// Which step of a product of sparse matrices is done.
    SpGemmStep, SpGemmStepAttr, "spgemm_work_estimation_or_compute_kind", "a step of a product", " ", "", parse_sp_gemm_step, {
        WorkEstimation = "WORK_ESTIMATION",
        Compute = "COMPUTE"
    }
}

keyword_attr! {
    /// The operation on each element of a matrix.
    MmaElementwise, MmaElementwiseAttr, "mma_element_wise", "an elementwise op on matrices", " ", "", parse_mma_elementwise, {
        Addf = "addf",
        Mulf = "mulf",
        Subf = "subf",
        Maxf = "maxf",
        Minf = "minf",
        Divf = "divf",
        Addi = "addi",
        Muli = "muli",
        Subi = "subi",
        Divs = "divs",
        Divu = "divu",
        Negatef = "negatef",
        Negates = "negates",
        Extf = "extf"
    }
}
