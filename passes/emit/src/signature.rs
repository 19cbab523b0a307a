//! Signatures of functions: names of parameters and symbolic sizes, at whatever level the program is.
//!
//! Lowering turns `!array.array<[n]f32>` into `memref<?xf32>`; that two parameters have the same size, and what it
//! is called, is then said by attributes ([`segra_array::recorded`]). An extent without a name (`?`) gets one of its own.

use segra_array::recorded::{Side, recorded_sizes};
use segra_array::types::{ArrayType, Size};
use segra_artifact::{
    Dim, ElemType, Entry, EntryParam, EntryResult, ParamType, ResultType, SizeId,
};
use segra_gpu::host::top_level;
use segra_ir::types::DYNAMIC;
use segra_ir::{Context, Diagnostics, FloatKind, Ir, Op, OpView, Type, TypeKind};
use segra_std::func::FuncOp;

/// One function from outside; `entry.plan` and `entry.location` are not filled in.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The function's name, sizes, parameters and results.
    pub entry: Entry,
    /// Whether it can be run from outside.
    pub visibility: Visibility,
}

/// Whether a function can be run from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// It is an entry of the artifact.
    Public,
    /// Only functions of the module call it.
    Private,
}

/// The functions of a module, in order.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    list: Vec<Signature>,
}

impl Signatures {
    /// The signatures of all functions of `module`, at whatever level it is.
    ///
    /// Functions whose types have no meaning outside (vectors, tuples) are errors if they are public.
    pub fn of(ir: &Ir, module: Op, diags: &mut Diagnostics) -> Signatures {
        let mut list = Vec::new();
        for func in top_level(ir, module).filter_map(|op| ir.cast::<FuncOp>(op)) {
            match signature(ir, func) {
                Ok(signature) => list.extend(signature),
                Err(problem) => {
                    diags.op_error(ir, func.op(), problem);
                }
            }
        }
        Signatures { list }
    }
    /// The function of that name.
    pub fn get(&self, name: &str) -> Option<&Signature> {
        self.list
            .iter()
            .find(|signature| signature.entry.name == name)
    }
    /// Those that can be run from outside.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let public = |one: &&Signature| one.visibility == Visibility::Public;
        self.list.iter().filter(public).map(|one| &one.entry)
    }
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Signature> {
        self.list.iter()
    }
}

/// The scalar type the host knows for an IR type.
pub fn element_type(ctx: &Context, ty: Type) -> Option<ElemType> {
    Some(match *ctx.type_kind(ty) {
        TypeKind::Index => ElemType::I64,
        TypeKind::Integer { width: 1, .. } => ElemType::Bool,
        TypeKind::Integer { width: 8, .. } => ElemType::I8,
        TypeKind::Integer { width: 16, .. } => ElemType::I16,
        TypeKind::Integer { width: 32, .. } => ElemType::I32,
        TypeKind::Integer { width: 64, .. } => ElemType::I64,
        TypeKind::Float(FloatKind::F16) => ElemType::F16,
        TypeKind::Float(FloatKind::BF16) => ElemType::BF16,
        TypeKind::Float(FloatKind::F32) => ElemType::F32,
        TypeKind::Float(FloatKind::F64) => ElemType::F64,
        _ => return None,
    })
}

/// The signature of one function; `None` for one without a body.
fn signature(ir: &Ir, func: FuncOp) -> Result<Option<Signature>, String> {
    let ctx = ir.ctx();
    let Some(block) = func.entry(ir) else {
        return Ok(None);
    };
    let (inputs, results) = func.function_type(ir);
    let private = func.sym_visibility(ir).and_then(|attr| attr.as_str(ctx)) == Some("private");
    let mut sizes = SizeNames::default();
    let mut params = Vec::new();
    for (index, (&ty, &arg)) in inputs.iter().zip(ir.block_args(block)).enumerate() {
        let name = ir
            .value_name(arg)
            .map_or_else(|| format!("arg{index}"), |name| ctx.str(name).to_owned());
        let recorded = recorded_sizes(ir, func, Side::Parameters, index);
        let shape = sizes.shape(ctx, ty, recorded, &name, Unnamed::GetNames);
        let (elem, dims) = shape.ok_or_else(|| outside(ctx, ty))?;
        let ty = if dims.is_empty() {
            ParamType::Scalar(elem)
        } else {
            ParamType::Array { elem, dims }
        };
        params.push(EntryParam { name, ty });
    }
    let mut outputs = Vec::new();
    for (index, &ty) in results.iter().enumerate() {
        let recorded = recorded_sizes(ir, func, Side::Results, index);
        let shape = sizes.shape(ctx, ty, recorded, "", Unnamed::StayOpen);
        let (elem, dims) = shape.ok_or_else(|| outside(ctx, ty))?;
        let ty = if dims.is_empty() {
            ResultType::Scalar(elem)
        } else {
            ResultType::Array { elem, dims }
        };
        outputs.push(EntryResult {
            name: String::new(),
            ty,
        });
    }
    let entry = Entry {
        name: ctx.str(func.sym_name(ir)).to_owned(),
        sizes: sizes.names,
        params,
        results: outputs,
        plan: segra_artifact::PlanId(0),
        location: None,
    };
    let visibility = if private {
        Visibility::Private
    } else {
        Visibility::Public
    };
    Ok(Some(Signature { entry, visibility }))
}

fn outside(ctx: &Context, ty: Type) -> String {
    format!(
        "takes or returns a value of type {}; functions run by the host take and return numbers and arrays of them",
        segra_text::print_type(ctx, ty)
    )
}

/// The replacement of an extent without a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unnamed {
    /// A size of its own.
    GetNames,
    /// Not known before the result exists.
    StayOpen,
}

#[derive(Default)]
struct SizeNames {
    names: Vec<String>,
}

impl SizeNames {
    fn id(&mut self, name: &str) -> SizeId {
        match self.names.iter().position(|known| known == name) {
            Some(index) => SizeId::new(index),
            None => {
                self.names.push(name.to_owned());
                SizeId::new(self.names.len() - 1)
            }
        }
    }

    /// Element type and extents; `None` where the type has no meaning outside.
    fn shape(
        &mut self,
        ctx: &Context,
        ty: Type,
        recorded: Option<Vec<Size>>,
        param: &str,
        unnamed: Unnamed,
    ) -> Option<(ElemType, Vec<Dim>)> {
        let sizes = match (ty.dialect::<ArrayType>(ctx), recorded, ctx.type_kind(ty)) {
            (Some(array), ..) => array.sizes.clone(),
            (_, Some(sizes), _) => sizes,
            (None, None, TypeKind::Tensor { shape, .. } | TypeKind::MemRef { shape, .. }) => {
                let size = |&extent: &i64| {
                    if extent == DYNAMIC {
                        Size::Unknown
                    } else {
                        Size::Constant(extent)
                    }
                };
                shape.iter().map(size).collect()
            }
            _ => Vec::new(),
        };
        let element = ty
            .dialect::<ArrayType>(ctx)
            .map_or_else(|| ty.element_or_self(ctx), |array| array.element);
        let elem = element_type(ctx, element)?;
        let mut dims = Vec::new();
        for (position, size) in sizes.into_iter().enumerate() {
            dims.push(match size {
                Size::Constant(extent) => Dim::Const(u64::try_from(extent).ok()?),
                // A result's size that no parameter binds is open, too.
                Size::Symbol(name) if unnamed == Unnamed::StayOpen => {
                    let known = self.names.iter().position(|known| known == ctx.str(name));
                    known.map_or(Dim::Any, |index| Dim::Size(SizeId::new(index)))
                }
                Size::Symbol(name) => Dim::Size(self.id(ctx.str(name))),
                Size::Unknown if unnamed == Unnamed::StayOpen => Dim::Any,
                Size::Unknown => Dim::Size(self.id(&format!("{param}.{position}"))),
            });
        }
        Some((elem, dims))
    }
}
