//! A module: its kernels ready to run, its variables, its text for messages.

use crate::arguments::ParamKind;
use crate::ast::{Function, Initial, Location, ModuleAst, Operand, Variable};
use crate::calls::{Calls, functions_by_name};
use crate::cells::Cells;
use crate::check::Tracking;
use crate::decode::{self, Layout};
use crate::fault::SourceLocation;
use crate::isa::Code;
use crate::options::Checks;
use crate::parse::{self, ParseError, ParseErrorKind};
use crate::supported::WrittenFor;
use crate::types::{CONST_WINDOW, MODULE_WINDOW, Space, Type, align_up};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// More module-level memory than this is a mistake.
const LARGEST_MODULE: u64 = 1 << 32;

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX.
    pub name: String,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Offset in the parameter block.
    pub offset: u32,
    /// Kind of its declared type.
    pub kind: ParamKind,
}

/// A kernel of a module.
pub struct Kernel {
    name: String,
    params: Vec<Param>,
    param_bytes: u32,
    max_threads: Option<[u32; 3]>,
    required_threads: Option<[u32; 3]>,
    code: Code,
    tracking: OnceLock<Arc<Tracking>>,
}

impl Kernel {
    /// Name of the entry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Parameters in order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// Size of the parameter block a launch takes.
    pub fn param_bytes(&self) -> u32 {
        self.param_bytes
    }

    /// Bytes of shared memory the kernel declares; dynamic shared memory comes on top.
    pub fn static_shared_bytes(&self) -> u32 {
        self.code.static_shared
    }

    /// Bytes of local memory per thread, parameter variables of calls included.
    pub fn local_bytes(&self) -> u32 {
        self.code.local_bytes
    }

    /// The `.maxntid` or `.reqntid` directive: no block may have more threads than the product.
    pub fn max_threads(&self) -> Option<[u32; 3]> {
        self.max_threads.or(self.required_threads)
    }

    /// The `.reqntid` directive: the block must have exactly this shape.
    pub fn required_threads(&self) -> Option<[u32; 3]> {
        self.required_threads
    }

    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// The registers to watch; found out at the first launch that asks.
    pub(crate) fn tracking(&self, checks: Checks) -> Arc<Tracking> {
        if !checks.uninitialised {
            return Arc::default();
        }
        self.tracking
            .get_or_init(|| Arc::new(Tracking::of(&self.code)))
            .clone()
    }
}

/// A PTX module: kernels and variables. Its `.global` variables keep their values from launch to launch, until they are
/// [reset](Module::reset).
pub struct Module {
    target: String,
    version: String,
    kernels: Vec<Kernel>,
    lines: Vec<String>,
    files: FxHashMap<u32, String>,
    /// The source text of locations.
    sources: FxHashMap<(String, u32, u32), String>,
    globals: Cells,
    /// The initial values of the `.global` variables that have any: offset and bytes.
    initial: Vec<(u64, Vec<u8>)>,
    constants: Vec<u8>,
}

impl core::fmt::Debug for Module {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let kernels: Vec<_> = self.kernels.iter().map(Kernel::name).collect();
        f.debug_struct("Module")
            .field("target", &self.target)
            .field("kernels", &kernels)
            .finish_non_exhaustive()
    }
}

impl Module {
    /// Reads PTX text.
    ///
    /// # Errors
    /// Every error in the text, in the order of lines: syntax, names, operands, unsupported instructions. Of a truncated
    /// text those of its syntax, as its end may hold the names that are missing.
    pub fn parse(text: &str) -> Result<Module, Vec<ParseError>> {
        let parse::Parsed {
            module: mut tree,
            mut errors,
            truncated,
        } = parse::parse(text);
        let lines: Vec<String> = text.lines().map(shown).collect();
        if truncated {
            return Err(report(errors, &lines));
        }
        tree.addressed = addressed(&tree);
        check_names(&tree, &mut errors);
        if let Some(conflict) = WrittenFor::read(tree.version, tree.target).conflict() {
            errors.push((tree.target_line, ParseErrorKind::Newer(conflict)));
        }
        let (mut layout, globals, initial, constants) = variables(&tree, &mut errors);
        let calls = Calls::of(&tree);
        layout.recursion = calls.recursion(&tree);
        // Functions that no kernel and no other function reaches are decoded by themselves, for their errors.
        let mut reached = vec![false; tree.functions.len()];
        let mut kernels = Vec::new();
        let entries = (0..tree.functions.len()).filter(|&index| tree.functions[index].is_entry);
        for index in entries.chain(calls.callers_first()) {
            let function = &tree.functions[index];
            if !function.has_body || reached[index] {
                continue;
            }
            match decode::decode(&tree, &layout, index, &mut reached) {
                Ok(code) if function.is_entry => match kernel(function, code) {
                    Ok(kernel) => kernels.push(kernel),
                    Err(error) => errors.push(error),
                },
                Ok(_) => {}
                Err(found) => errors.extend(found),
            }
        }
        if !errors.is_empty() {
            return Err(report(errors, &lines));
        }
        let files = tree
            .files
            .iter()
            .map(|(&number, &name)| (number, unescaped(name)))
            .collect();
        let (target, version) = (tree.target.to_owned(), tree.version.to_owned());
        let sources = FxHashMap::default();
        Ok(Module {
            target,
            version,
            kernels,
            lines,
            files,
            sources,
            globals,
            initial,
            constants,
        })
    }

    /// The kernels in the order of the text.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The `.target` architecture, such as `sm_80`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The `.version` of the PTX language.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// A line of the text, from 1, trimmed; empty beyond the end.
    pub(crate) fn line(&self, line: u32) -> &str {
        (line as usize)
            .checked_sub(1)
            .and_then(|at| self.lines.get(at))
            .map_or("", String::as_str)
    }

    /// Says what stands at places of the source (file, line, column): reports and profiles name it.
    pub fn name_sources(&mut self, names: impl IntoIterator<Item = ((String, u32, u32), String)>) {
        self.sources.extend(names);
    }

    /// The position in the source that a `.loc` line gives; line 0 stands for none.
    pub(crate) fn source(&self, location: Location) -> Option<SourceLocation> {
        let Location { file, line, column } = location;
        let file = self
            .files
            .get(&file)
            .cloned()
            .unwrap_or_else(|| file.to_string());
        let what = self.sources.get(&(file.clone(), line, column)).cloned();
        (line > 0).then_some(SourceLocation {
            file,
            line,
            column,
            what,
        })
    }

    /// Gives the `.global` variables the values they had when the module was read.
    pub fn reset(&mut self) {
        self.globals = Cells::new(self.globals.len());
        for (offset, bytes) in &self.initial {
            let _ = self.globals.write(*offset, bytes);
        }
    }

    pub(crate) fn globals(&self) -> &Cells {
        &self.globals
    }

    pub(crate) fn constants(&self) -> &[u8] {
        &self.constants
    }
}

type Errors = Vec<(u32, ParseErrorKind)>;

/// The line as reports quote it: trimmed, and with a space for each tab, which compilers write after opcodes.
fn shown(line: &str) -> String {
    line.trim().replace('\t', " ")
}

fn report(mut errors: Errors, lines: &[String]) -> Vec<ParseError> {
    errors.sort_by_key(|(line, _)| *line);
    let mut seen = FxHashSet::default();
    let mut reported = Vec::new();
    for (line, kind) in errors {
        if seen.insert((line, kind.to_string())) {
            let text = (line as usize)
                .checked_sub(1)
                .and_then(|at| lines.get(at))
                .cloned()
                .unwrap_or_default();
            reported.push(ParseError { line, text, kind });
        }
    }
    reported
}

fn check_names(tree: &ModuleAst<'_>, errors: &mut Errors) {
    let mut seen = FxHashSet::default();
    for function in tree.functions.iter().filter(|function| function.has_body) {
        if !seen.insert(function.name) {
            errors.push((
                function.line,
                ParseErrorKind::Name(format!("`{}` is defined twice", function.name)),
            ));
        }
    }
    for variable in tree.variables.iter().filter(|variable| !variable.external) {
        if !seen.insert(variable.name) {
            errors.push((
                variable.line,
                ParseErrorKind::Name(format!("`{}` is defined twice", variable.name)),
            ));
        }
    }
}

fn kernel(function: &Function<'_>, code: Code) -> Result<Kernel, (u32, ParseErrorKind)> {
    let offsets = decode::parameter_offsets(function);
    let total = offsets.last().copied().unwrap_or(0);
    let Ok(param_bytes) = u16::try_from(total) else {
        let text = format!("{total} bytes of parameters are too many");
        return Err((function.line, ParseErrorKind::Operand(text)));
    };
    let params = function
        .params
        .iter()
        .zip(&offsets)
        .map(|(formal, &offset)| Param {
            name: formal.variable.name.to_owned(),
            size: formal.variable.bytes as u32,
            align: formal.variable.align,
            offset: offset as u32,
            kind: match formal.variable.ty {
                ty if u64::from(ty.bytes()) != formal.variable.bytes => ParamKind::Bytes,
                ty if ty.is_float() => ParamKind::Float,
                ty if ty.is_signed() => ParamKind::Signed,
                Type::U8 | Type::U16 | Type::U32 | Type::U64 => ParamKind::Unsigned,
                _ => ParamKind::Bits,
            },
        });
    Ok(Kernel {
        name: function.name.to_owned(),
        params: params.collect(),
        param_bytes: u32::from(param_bytes),
        max_threads: function.max_threads,
        required_threads: function.required_threads,
        code,
        tracking: OnceLock::new(),
    })
}

/// Functions named anywhere but as the target of a call.
fn addressed(tree: &ModuleAst<'_>) -> Vec<usize> {
    let by_name = functions_by_name(tree);
    let mut found = Vec::new();
    let mut name = |name: &str| {
        if let Some(&index) = by_name
            .get(name)
            .filter(|&&index| !tree.functions[index].is_entry)
        {
            found.push(index);
        }
    };
    let instructions = tree
        .functions
        .iter()
        .flat_map(|function| &function.instructions);
    for operand in instructions
        .filter(|inst| !inst.opcode.starts_with("call"))
        .flat_map(|inst| &inst.operands)
    {
        if let Operand::Name(symbol) = operand {
            name(symbol);
        }
    }
    for value in tree.variables.iter().flat_map(|variable| &variable.initial) {
        if let Initial::Symbol { name: symbol, .. } = value {
            name(symbol);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Where the module's variables lie; its `.global` variables, their initial values, and its constants.
type Variables<'a> = (Layout<'a>, Cells, Vec<(u64, Vec<u8>)>, Vec<u8>);

/// Gives functions their addresses and the names by which they are called: of a name's, the one with a body.
fn name_functions<'a>(tree: &ModuleAst<'a>, layout: &mut Layout<'a>) {
    for (name, index) in functions_by_name(tree) {
        layout
            .functions
            .insert(name, decode::function_address(index));
    }
    for (index, function) in tree
        .functions
        .iter()
        .enumerate()
        .filter(|(_, function)| !function.is_entry)
    {
        let known = layout.callable.entry(function.name).or_insert(index);
        if function.has_body && !tree.functions[*known].has_body {
            *known = index;
        }
    }
}

/// Places the module's `.global` and `.const` variables and writes their initial values.
fn variables<'a>(tree: &ModuleAst<'a>, errors: &mut Errors) -> Variables<'a> {
    let mut layout = Layout::default();
    let (mut global_bytes, mut const_bytes) = (0u64, 0u64);
    for variable in &tree.variables {
        let end = match variable.space {
            Space::Global => &mut global_bytes,
            Space::Const => &mut const_bytes,
            _ => continue,
        };
        let at = align_up(*end, u64::from(variable.align).max(16));
        let address = if variable.space == Space::Global {
            MODULE_WINDOW + at
        } else {
            at
        };
        layout
            .fixed
            .insert(variable.name, (variable.space, address));
        *end = at + variable.bytes;
    }
    if global_bytes > LARGEST_MODULE || const_bytes > LARGEST_MODULE {
        errors.push((
            0,
            ParseErrorKind::Operand("the module's variables are too large".into()),
        ));
        return (layout, Cells::new(0), Vec::new(), Vec::new());
    }
    name_functions(tree, &mut layout);
    let globals = Cells::new(global_bytes);
    let mut initial = Vec::new();
    let mut constants = vec![0; const_bytes as usize];
    for variable in &tree.variables {
        let Some(&(space, address)) = layout.fixed.get(variable.name) else {
            continue;
        };
        match initial_bytes(variable, &layout) {
            Ok(bytes) if space == Space::Global => {
                let _ = globals.write(address - MODULE_WINDOW, &bytes);
                initial.push((address - MODULE_WINDOW, bytes));
            }
            Ok(bytes) => {
                if let Some(target) =
                    constants.get_mut(address as usize..address as usize + bytes.len())
                {
                    target.copy_from_slice(&bytes);
                }
            }
            Err(kind) => errors.push((variable.line, kind)),
        }
    }
    (layout, globals, initial, constants)
}

fn initial_bytes(variable: &Variable<'_>, layout: &Layout<'_>) -> Result<Vec<u8>, ParseErrorKind> {
    let size = variable.ty.bytes() as usize;
    if size == 0 || size > 8 {
        return Err(ParseErrorKind::Operand(format!(
            "`{}` cannot have initial values",
            variable.name
        )));
    }
    let mut bytes = Vec::with_capacity(variable.initial.len() * size);
    for value in &variable.initial {
        let bits = match *value {
            Initial::Int(value) if variable.ty == Type::F32 => u64::from((value as f32).to_bits()),
            Initial::Int(value) if variable.ty == Type::F64 => (value as f64).to_bits(),
            Initial::Int(value) => value as u64,
            Initial::F32(bits) => u64::from(bits),
            Initial::F64(bits) if variable.ty == Type::F32 => {
                u64::from((f64::from_bits(bits) as f32).to_bits())
            }
            Initial::F64(bits) => bits,
            Initial::Symbol {
                name,
                offset,
                generic,
            } => {
                let function = layout
                    .functions
                    .get(name)
                    .map(|&address| (Space::Global, address));
                let Some((space, address)) = layout.fixed.get(name).copied().or(function) else {
                    return Err(ParseErrorKind::Name(format!(
                        "`{name}` is not a variable of the module"
                    )));
                };
                let window = if generic && space == Space::Const {
                    CONST_WINDOW
                } else {
                    0
                };
                (address + window).wrapping_add(offset as u64)
            }
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    Ok(bytes)
}

/// A text in quotes: `\"`, `\\` and bytes as octal digits, as LLVM writes them.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind
            .iter()
            .take(3)
            .take_while(|byte| matches!(byte, b'0'..=b'7'))
            .count();
        let (byte, left) = match (byte, digits) {
            (b'\\', 0) => behind
                .split_first()
                .map_or((byte, behind), |(&next, behind)| (next, behind)),
            (b'\\', _) => {
                let code = behind[..digits]
                    .iter()
                    .fold(0u32, |code, digit| code * 8 + u32::from(digit - b'0'));
                (code as u8, &behind[digits..])
            }
            _ => (byte, behind),
        };
        bytes.push(byte);
        rest = left;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
