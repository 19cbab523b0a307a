//! Module level: headers, variables, entries and functions with their directives.

use super::{Failed, Number, Parse, ParseErrorKind, Parser, parse_number};
use crate::ast::{Formal, Function, Initial, ModuleAst, Variable};
use crate::lexer::TokenKind;
use crate::types::{Space, Type};

/// More bytes than any state space of the simulator holds; larger declarations are mistakes.
const LARGEST_VARIABLE: u64 = 1 << 36;

impl<'a> Parser<'a> {
    pub(super) fn module(&mut self) -> ModuleAst<'a> {
        let mut module = ModuleAst::default();
        while !self.at_end() {
            let before = self.at;
            if self.item(&mut module).is_err() {
                self.recover_item();
            }
            if self.at == before {
                self.bump();
            }
        }
        module
    }

    fn recover_item(&mut self) {
        while !self.at_end() {
            if self.is(b'{') {
                return self.skip_braces();
            }
            if self.eat(b';') {
                return;
            }
            self.bump();
        }
    }

    fn item(&mut self, module: &mut ModuleAst<'a>) -> Parse<()> {
        let mut external = false;
        loop {
            let line = self.line();
            let word = match self.kind() {
                TokenKind::Punct(b';') => {
                    self.bump();
                    return Ok(());
                }
                _ => self.word()?,
            };
            match word {
                ".version" => {
                    if let TokenKind::Number(text) = self.kind() {
                        module.version = text;
                    }
                    self.bump();
                    return Ok(());
                }
                ".target" => return self.target(module, line),
                ".address_size" => {
                    if self.unsigned()? != 64 {
                        return self.error("only 64-bit addresses are supported");
                    }
                    return Ok(());
                }
                ".extern" => external = true,
                ".visible" | ".weak" | ".common" | ".internal" => {}
                ".file" => return self.file(module),
                ".section" => {
                    self.word()?;
                    self.skip_braces();
                    return Ok(());
                }
                ".entry" | ".func" => {
                    let function = self.function(word == ".entry", line)?;
                    module.functions.push(function);
                    return Ok(());
                }
                ".global" | ".const" | ".shared" => {
                    let space = if word == ".global" {
                        Space::Global
                    } else if word == ".const" {
                        Space::Const
                    } else {
                        Space::Shared
                    };
                    return self.variables(space, external, &mut module.variables);
                }
                ".pragma" | ".alias" => {
                    self.recover();
                    return Ok(());
                }
                _ => return self.error(format!("`{word}` does not start a module item")),
            }
        }
    }

    /// The processor that a module is for; the options behind it say nothing here.
    fn target(&mut self, module: &mut ModuleAst<'a>, line: u32) -> Parse<()> {
        module.target_line = line;
        module.target = self.word()?;
        while self.eat(b',') {
            self.word()?;
        }
        Ok(())
    }

    fn file(&mut self, module: &mut ModuleAst<'a>) -> Parse<()> {
        let number = self.unsigned32()?;
        let TokenKind::Text(name) = self.kind() else {
            return self.error("expected a file name in quotes");
        };
        self.bump();
        while self.eat(b',') {
            self.unsigned()?;
        }
        module.files.insert(number, name);
        Ok(())
    }

    /// One declaration statement after its state space, up to and with the `;`.
    pub(super) fn variables(
        &mut self,
        space: Space,
        external: bool,
        into: &mut Vec<Variable<'a>>,
    ) -> Parse<()> {
        let (ty, lanes, align) = self.variable_type()?;
        loop {
            let mut variable = self.declarator(space, ty, lanes, align)?;
            variable.external = external;
            if self.eat(b'=') {
                self.initial(&mut variable)?;
            }
            into.push(variable);
            if !self.eat(b',') {
                return self.expect(b';');
            }
        }
    }

    /// `.align N`, `.v2`/`.v4`, the type and pointer attributes, in any order that ends before the name.
    fn variable_type(&mut self) -> Parse<(Type, u32, Option<u32>)> {
        let (mut ty, mut lanes, mut align) = (None, 1, None);
        let mut pointer = false;
        while let Some(word) = self.peek_word().filter(|word| word.starts_with('.')) {
            self.bump();
            match &word[1..] {
                // The alignment after `.ptr` is a promise about the pointee, not the layout of the variable.
                "align" => {
                    let value = self.unsigned32()?;
                    if !value.is_power_of_two() {
                        return self.error("an alignment is a power of two");
                    }
                    if !pointer {
                        align = Some(value);
                    }
                }
                "ptr" => pointer = true,
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "global" | "const" | "shared" | "local" | "param" if pointer => {}
                "attribute" | "managed" => self.skip_parenthesised(),
                name => match Type::parse(name) {
                    Some(found) => ty = Some(found),
                    None => return self.error(format!("`{word}` is not a type")),
                },
            }
        }
        match ty {
            Some(ty) => Ok((ty, lanes, align)),
            None => self.error("expected a type"),
        }
    }

    fn skip_parenthesised(&mut self) {
        if self.eat(b'(') {
            while !self.at_end() && !self.eat(b')') {
                self.bump();
            }
        }
    }

    /// A name with optional array bounds.
    fn declarator(
        &mut self,
        space: Space,
        ty: Type,
        lanes: u32,
        align: Option<u32>,
    ) -> Parse<Variable<'a>> {
        let line = self.line();
        let name = self.word()?;
        let mut bytes = u64::from(ty.bytes()) * u64::from(lanes);
        let mut open = false;
        while self.eat(b'[') {
            if self.eat(b']') {
                open = true;
                continue;
            }
            let count = self.unsigned()?;
            bytes = match bytes
                .checked_mul(count)
                .filter(|&bytes| bytes <= LARGEST_VARIABLE)
            {
                Some(bytes) => bytes,
                None => return self.error("the variable is too large"),
            };
            self.expect(b']')?;
        }
        if open {
            bytes = 0;
        }
        let natural = (ty.bytes() * lanes).max(1);
        let align = align.unwrap_or(natural);
        Ok(Variable {
            name,
            space,
            ty,
            align,
            bytes,
            external: false,
            initial: Vec::new(),
            line,
        })
    }

    fn initial(&mut self, variable: &mut Variable<'a>) -> Parse<()> {
        if !self.is(b'{') {
            let value = self.initial_value()?;
            variable.initial.push(value);
            return Ok(());
        }
        let mut depth = 0usize;
        loop {
            if self.eat(b'{') {
                depth += 1;
            } else if self.eat(b'}') {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if !self.eat(b',') {
                let value = self.initial_value()?;
                variable.initial.push(value);
            }
        }
        let size = variable.initial.len() as u64 * u64::from(variable.ty.bytes());
        if variable.bytes == 0 {
            variable.bytes = size;
        }
        if size > variable.bytes {
            return self.error(format!(
                "the initialiser of `{}` is longer than the variable",
                variable.name
            ));
        }
        Ok(())
    }

    fn initial_value(&mut self) -> Parse<Initial<'a>> {
        if let Some(word) = self.peek_word() {
            self.bump();
            let generic = word == "generic" && self.eat(b'(');
            let name = if generic { self.word()? } else { word };
            let offset = if self.is(b'+') || self.is(b'-') {
                self.signed()?
            } else {
                0
            };
            if generic {
                self.expect(b')')?;
            }
            let offset = if self.is(b'+') || self.is(b'-') {
                offset + self.signed()?
            } else {
                offset
            };
            return Ok(Initial::Symbol {
                name,
                offset,
                generic,
            });
        }
        let negative = self.eat(b'-');
        let TokenKind::Number(text) = self.kind() else {
            let found = self.describe();
            return self.error(format!("expected a value, found {found}"));
        };
        let Some(number) = parse_number(text) else {
            return self.error(format!("`{text}` is not a number"));
        };
        self.bump();
        Ok(match number {
            Number::Int(value) => Initial::Int(if negative {
                value.wrapping_neg()
            } else {
                value
            }),
            Number::F32(bits) => Initial::F32(bits ^ u32::from(negative) << 31),
            Number::F64(bits) => Initial::F64(bits ^ u64::from(negative) << 63),
        })
    }

    fn function(&mut self, is_entry: bool, line: u32) -> Parse<Function<'a>> {
        let mut function = Function {
            is_entry,
            line,
            scopes: vec![None],
            ..Function::default()
        };
        if !is_entry && self.is(b'(') {
            function.results = self.formals()?;
        }
        function.name = self.word()?;
        if self.is(b'(') {
            function.params = self.formals()?;
        }
        while let Some(word) = self.peek_word() {
            self.bump();
            self.directive(word, &mut function)?;
        }
        if self.eat(b';') {
            return Ok(function);
        }
        self.expect(b'{')?;
        function.has_body = true;
        self.body(&mut function);
        Ok(function)
    }

    fn directive(&mut self, word: &'a str, function: &mut Function<'a>) -> Parse<()> {
        match word {
            ".maxntid" => function.max_threads = Some(self.dimensions()?),
            ".reqntid" => function.required_threads = Some(self.dimensions()?),
            ".minnctapersm" | ".maxnctapersm" | ".maxnreg" | ".maxclusterrank" => {
                self.unsigned()?;
            }
            ".reqnctapercluster" => {
                let line = self.line();
                if self.dimensions()?.iter().any(|&blocks| blocks > 1) {
                    let message = "clusters of several thread blocks are not supported".to_owned();
                    self.errors.push((line, ParseErrorKind::Syntax(message)));
                }
            }
            ".noreturn" | ".explicitcluster" | ".blocksareclusters" => {}
            ".pragma" => {
                self.bump();
                self.expect(b';')?;
            }
            _ => return self.error(format!("`{word}` is not a directive of a function")),
        }
        Ok(())
    }

    fn dimensions(&mut self) -> Parse<[u32; 3]> {
        let mut dimensions = [1; 3];
        for (axis, slot) in dimensions.iter_mut().enumerate() {
            if axis > 0 && !self.eat(b',') {
                break;
            }
            *slot = self.unsigned32()?;
        }
        Ok(dimensions)
    }

    fn formals(&mut self) -> Parse<Vec<Formal<'a>>> {
        self.expect(b'(')?;
        let mut formals = Vec::new();
        while !self.eat(b')') {
            let word = self.word()?;
            let in_register = match word {
                ".param" => false,
                ".reg" => true,
                _ => return self.error(format!("`{word}` does not start a parameter")),
            };
            let (ty, lanes, align) = self.variable_type()?;
            let variable = self.declarator(Space::Param, ty, lanes, align)?;
            formals.push(Formal {
                variable,
                in_register,
            });
            if !self.eat(b',') && !self.is(b')') {
                let found = self.describe();
                self.error::<()>(format!("expected `,` or `)`, found {found}"))?;
                return Err(Failed);
            }
        }
        Ok(formals)
    }
}
