//! Inside a function: declarations, labels, scopes, instructions.

use super::{Number, Parse, ParseErrorKind, Parser, parse_number};
use crate::ast::{Function, Guard, Instruction, Location, Operand, RegisterDecl};
use crate::lexer::TokenKind;
use crate::types::{Space, Type};

/// More registers of one name than any compiler emits.
const MOST_REGISTERS: u32 = 1 << 22;
/// Deeper nesting of operands or scopes is a mistake, and would exhaust the stack.
const DEEPEST_OPERAND: usize = 8;

impl<'a> Parser<'a> {
    /// Reads up to and with the closing brace of the function.
    pub(super) fn body(&mut self, function: &mut Function<'a>) {
        let mut scope = 0u32;
        let mut location = None;
        loop {
            let before = self.at;
            if self.at_end() {
                if !self.truncated {
                    let _: Parse<()> =
                        self.error(format!("the body of `{}` is not closed", function.name));
                }
                return;
            }
            if self.eat(b'{') {
                function.scopes.push(Some(scope));
                scope = (function.scopes.len() - 1) as u32;
                continue;
            }
            if self.eat(b'}') {
                match function.scopes[scope as usize] {
                    Some(parent) => scope = parent,
                    None => return,
                }
                continue;
            }
            if self.statement(function, scope, &mut location).is_err() {
                self.recover();
                if self.at == before {
                    self.bump();
                }
            }
        }
    }

    fn statement(
        &mut self,
        function: &mut Function<'a>,
        scope: u32,
        location: &mut Option<Location>,
    ) -> Parse<()> {
        if self.eat(b';') {
            return Ok(());
        }
        if self.is(b'@') {
            return self.instruction(function, scope, *location);
        }
        let Some(word) = self.peek_word() else {
            let found = self.describe();
            return self.error(format!("expected a statement, found {found}"));
        };
        if word.starts_with('.') {
            return self.body_directive(word, function, scope, location);
        }
        if matches!(
            self.tokens.get(self.at + 1).map(|t| t.kind),
            Some(TokenKind::Punct(b':'))
        ) {
            return self.label(word, function, scope);
        }
        self.instruction(function, scope, *location)
    }

    fn label(&mut self, name: &'a str, function: &mut Function<'a>, scope: u32) -> Parse<()> {
        let line = self.line();
        self.bump();
        self.bump();
        if self.eat_word(".branchtargets") {
            let mut targets = vec![self.word()?];
            while self.eat(b',') {
                targets.push(self.word()?);
            }
            function.branch_targets.insert((scope, name), targets);
            return self.expect(b';');
        }
        if matches!(self.peek_word(), Some(".callprototype" | ".calltargets")) {
            self.recover();
            return Ok(());
        }
        let at = function.instructions.len() as u32;
        if function.labels.insert((scope, name), at).is_some() {
            self.errors.push((
                line,
                ParseErrorKind::Name(format!("label `{name}` is defined twice")),
            ));
        }
        Ok(())
    }

    fn body_directive(
        &mut self,
        word: &'a str,
        function: &mut Function<'a>,
        scope: u32,
        location: &mut Option<Location>,
    ) -> Parse<()> {
        let line = self.line();
        self.bump();
        let space = match word {
            ".reg" => return self.registers(function, scope),
            ".loc" => return self.location(location),
            ".pragma" => {
                self.recover();
                return Ok(());
            }
            ".shared" => Space::Shared,
            ".local" => Space::Local,
            ".param" => Space::Param,
            ".const" => Space::Const,
            ".global" => Space::Global,
            _ => return self.error(format!("`{word}` is not a directive of a body")),
        };
        let mut variables = Vec::new();
        self.variables(space, false, &mut variables)?;
        for variable in variables {
            let name = variable.name;
            if function.variables.insert((scope, name), variable).is_some() {
                self.errors.push((
                    line,
                    ParseErrorKind::Name(format!("variable `{name}` is declared twice")),
                ));
            }
        }
        Ok(())
    }

    fn location(&mut self, location: &mut Option<Location>) -> Parse<()> {
        let line = self.line();
        let (file, source_line) = (self.unsigned32()?, self.unsigned32()?);
        let column = if matches!(self.kind(), TokenKind::Number(_)) {
            self.unsigned32()?
        } else {
            0
        };
        *location = Some(Location {
            file,
            line: source_line,
            column,
        });
        // The inlining attributes end with the line; there is no `;`.
        while !self.at_end() && self.line() == line && !self.is(b'}') {
            self.bump();
        }
        Ok(())
    }

    fn registers(&mut self, function: &mut Function<'a>, scope: u32) -> Parse<()> {
        let word = self.word()?;
        let Some(ty) = word.strip_prefix('.').and_then(Type::parse) else {
            return self.error(format!("`{word}` is not a register type"));
        };
        if ty.bank().is_none() && ty != Type::B128 {
            return self.error(format!("registers of type `{word}` are not supported"));
        }
        loop {
            let name = self.word()?;
            let mut count = None;
            if self.eat(b'<') {
                let number = self.unsigned32()?;
                if number > MOST_REGISTERS {
                    return self.error("too many registers");
                }
                count = Some(number);
                self.expect(b'>')?;
            }
            let line = self.line();
            if function
                .registers
                .insert((scope, name), RegisterDecl { ty, count })
                .is_some()
            {
                self.errors.push((
                    line,
                    ParseErrorKind::Name(format!("register `{name}` is declared twice")),
                ));
            }
            if !self.eat(b',') {
                return self.expect(b';');
            }
        }
    }

    fn instruction(
        &mut self,
        function: &mut Function<'a>,
        scope: u32,
        location: Option<Location>,
    ) -> Parse<()> {
        let mut guard = None;
        if self.eat(b'@') {
            let negated = self.eat(b'!');
            guard = Some(Guard {
                register: self.word()?,
                negated,
            });
        }
        let line = self.line();
        let opcode = self.word()?;
        let mut operands = Vec::new();
        if !self.is(b';') {
            loop {
                operands.push(self.operand(0)?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        self.expect(b';')?;
        function.instructions.push(Instruction {
            line,
            scope,
            guard,
            opcode,
            operands,
            location,
        });
        Ok(())
    }

    fn operand(&mut self, depth: usize) -> Parse<Operand<'a>> {
        if depth > DEEPEST_OPERAND {
            return self.error("operands are nested too deeply");
        }
        match self.kind() {
            TokenKind::Punct(b'{') => {
                self.bump();
                Ok(Operand::Vector(self.operands_until(b'}', depth)?))
            }
            TokenKind::Punct(b'(') => {
                self.bump();
                let list = self.operands_until(b')', depth)?;
                match (list.as_slice(), self.binary()) {
                    (&[Operand::Int(value)], Some(_)) => self.rest_of_constant(value, 0, depth),
                    _ => Ok(Operand::List(list)),
                }
            }
            TokenKind::Punct(b'[') => {
                self.bump();
                self.address(depth)
            }
            TokenKind::Punct(b'!') if !self.begins_constant(self.at + 1) => {
                self.bump();
                Ok(Operand::Not(self.word()?))
            }
            TokenKind::Punct(b'-' | b'!' | b'~') | TokenKind::Number(_) => {
                match self.number(depth)? {
                    Operand::Int(value) => self.rest_of_constant(value, 0, depth),
                    number => Ok(number),
                }
            }
            _ => {
                let name = self.word()?;
                if self.eat(b'|') {
                    return Ok(Operand::Pair(name, self.word()?));
                }
                if self.is(b'+') || self.is(b'-') {
                    // The sum of all that follows, the first term with its sign.
                    return match self.rest_of_constant(0, 0, depth)? {
                        Operand::Int(offset) => Ok(Operand::Offset(name, offset)),
                        _ => self.error("not an offset"),
                    };
                }
                Ok(Operand::Name(name))
            }
        }
    }

    fn operands_until(&mut self, close: u8, depth: usize) -> Parse<Vec<Operand<'a>>> {
        let mut operands = Vec::new();
        while !self.eat(close) {
            operands.push(self.operand(depth + 1)?);
            if !self.is(close) {
                self.expect(b',')?;
            }
        }
        Ok(operands)
    }

    fn address(&mut self, depth: usize) -> Parse<Operand<'a>> {
        let first = self.operand(depth + 1)?;
        if self.eat(b']') {
            return match first {
                Operand::Name(base) => Ok(Operand::Address {
                    base: Some(base),
                    offset: 0,
                }),
                Operand::Offset(base, offset) => Ok(Operand::Address {
                    base: Some(base),
                    offset,
                }),
                Operand::Int(offset) => Ok(Operand::Address { base: None, offset }),
                _ => self.error("not an address"),
            };
        }
        self.expect(b',')?;
        let mut parts = vec![first];
        parts.extend(self.operands_until(b']', depth)?);
        Ok(Operand::Compound(parts))
    }

    /// Whether a constant expression begins at a token.
    fn begins_constant(&self, at: usize) -> bool {
        matches!(
            self.tokens.get(at).map(|token| token.kind),
            Some(TokenKind::Number(_) | TokenKind::Punct(b'-' | b'+' | b'!' | b'~' | b'('))
        )
    }

    /// The binary operator that comes next, how tightly it binds, and its number of characters.
    fn binary(&self) -> Option<(u8, u8, usize)> {
        let TokenKind::Punct(operator) = self.kind() else {
            return None;
        };
        let twice = || {
            let next = self.tokens.get(self.at + 1).map(|token| token.kind);
            next == Some(TokenKind::Punct(operator))
        };
        match operator {
            b'*' | b'/' => Some((operator, 6, 1)),
            b'+' | b'-' => Some((operator, 5, 1)),
            b'<' | b'>' if twice() => Some((operator, 4, 2)),
            b'&' => Some((operator, 3, 1)),
            b'^' => Some((operator, 2, 1)),
            b'|' => Some((operator, 1, 1)),
            _ => None,
        }
    }

    /// A constant expression of integers whose first value is read, as far as its operators bind so tightly.
    fn rest_of_constant(&mut self, first: i64, least: u8, depth: usize) -> Parse<Operand<'a>> {
        let mut value = first;
        while let Some((operator, binding, characters)) = self.binary() {
            if binding < least {
                break;
            }
            for _ in 0..characters {
                self.bump();
            }
            let right = match self.number(depth)? {
                Operand::Int(right) => self.rest_of_constant(right, binding + 1, depth)?,
                number => number,
            };
            let Operand::Int(right) = right else {
                return self.error("an operator of integers before another number");
            };
            let shift = u32::try_from(right).unwrap_or(64);
            value = match operator {
                b'*' => value.wrapping_mul(right),
                b'/' if right == 0 => return self.error("division by zero"),
                b'/' => value.wrapping_div(right),
                b'+' => value.wrapping_add(right),
                b'-' => value.wrapping_sub(right),
                b'<' => value.checked_shl(shift).unwrap_or(0),
                b'>' => value >> shift.min(63),
                b'&' => value & right,
                b'^' => value ^ right,
                _ => value | right,
            };
        }
        Ok(Operand::Int(value))
    }

    /// A number, with the operators that stand before it.
    fn number(&mut self, depth: usize) -> Parse<Operand<'a>> {
        if depth > DEEPEST_OPERAND {
            return self.error("operands are nested too deeply");
        }
        for operator in [b'-', b'+', b'~', b'!'] {
            if !self.eat(operator) {
                continue;
            }
            return Ok(match (operator, self.number(depth + 1)?) {
                (b'-', Operand::Int(value)) => Operand::Int(value.wrapping_neg()),
                (b'-', Operand::F32(bits)) => Operand::F32(bits ^ 1 << 31),
                (b'-', Operand::F64(bits)) => Operand::F64(bits ^ 1 << 63),
                (b'~', Operand::Int(value)) => Operand::Int(!value),
                (b'!', Operand::Int(value)) => Operand::Int(i64::from(value == 0)),
                (b'+', number) => number,
                _ => return self.error("an operator of integers before another number"),
            });
        }
        if self.is(b'(') {
            return match self.operand(depth + 1)? {
                Operand::List(list) if list.len() == 1 => Ok(list[0].clone()),
                Operand::Int(value) => Ok(Operand::Int(value)),
                _ => self.error("not a constant"),
            };
        }
        let TokenKind::Number(text) = self.kind() else {
            let found = self.describe();
            return self.error(format!("expected a number, found {found}"));
        };
        let Some(number) = parse_number(text) else {
            return self.error(format!("`{text}` is not a number"));
        };
        self.bump();
        Ok(match number {
            Number::Int(value) => Operand::Int(value),
            Number::F32(bits) => Operand::F32(bits),
            Number::F64(bits) => Operand::F64(bits),
        })
    }
}
