//! Reading pipelines: text to tree, with the place of every mistake.

use crate::options::OptionError;
use crate::pass::{Anchors, Pass};
use crate::pipeline::{Pipeline, PipelineAnchor, PipelineError, PipelineItem};
use crate::quote;
use crate::registry::{NamedPipeline, PassRegistry, Registered};
use segra_text::suggestion;
use std::ops::Range;

/// How deep pipelines may nest, named ones included.
const DEEPEST: usize = 64;

pub(crate) fn parse_pipeline(
    text: &str,
    registry: &PassRegistry,
) -> Result<Pipeline, PipelineError> {
    let mut reader = Reader {
        text,
        at: 0,
        registry,
        depth: 0,
        source: Source::User,
    };
    let name = reader.name()?;
    if !reader.eat('(') {
        return Err(PipelineError {
            help: Some(format!("write `builtin.module({})`", text.trim())),
            ..reader.error(name, "a pipeline names the op it runs on")
        });
    }
    let pipeline = reader.nested(&text[name])?;
    reader.end()?;
    Ok(pipeline)
}

pub(crate) fn parse_items_into(
    text: &str,
    registry: &PassRegistry,
    into: &mut Pipeline,
) -> Result<(), PipelineError> {
    let mut reader = Reader {
        text,
        at: 0,
        registry,
        depth: 0,
        source: Source::User,
    };
    reader.items(into)?;
    reader.end()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    registry: &'a PassRegistry,
    depth: usize,
    source: Source,
}

/// Who wrote the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    User,
    NamedPipeline,
}

impl<'a> Reader<'a> {
    fn error(&self, at: Range<usize>, message: impl Into<String>) -> PipelineError {
        PipelineError {
            message: message.into(),
            text: self.text.to_owned(),
            at,
            help: None,
        }
    }
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }
    fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }
    fn here(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }
    fn end(&mut self) -> Result<(), PipelineError> {
        self.skip_space();
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(self.error(
            self.at..self.text.len(),
            "expected `,` or the end of the pipeline",
        ))
    }
    /// A name of a pass, an op or an option.
    fn name(&mut self) -> Result<Range<usize>, PipelineError> {
        self.skip_space();
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error(
                self.here(),
                "expected the name of a pass, a pipeline or an op",
            ));
        }
        let range = self.at..self.at + length;
        self.at = range.end;
        Ok(range)
    }
    /// The text behind `anchor(`.
    fn nested(&mut self, anchor: &str) -> Result<Pipeline, PipelineError> {
        let open = self.at - 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(
                open..self.at,
                format!("pipelines nest deeper than {DEEPEST}"),
            ));
        }
        let anchor = if anchor == "any" {
            PipelineAnchor::Any
        } else {
            PipelineAnchor::Op(anchor.to_owned())
        };
        let mut pipeline = Pipeline::new(anchor);
        if !self.eat(')') {
            self.items(&mut pipeline)?;
            if !self.eat(')') {
                let message = if self.rest().is_empty() {
                    return Err(self.error(open..open + 1, "this `(` is never closed"));
                } else {
                    "expected `,` or `)`"
                };
                return Err(self.error(self.here(), message));
            }
        }
        self.depth -= 1;
        Ok(pipeline)
    }
    fn items(&mut self, into: &mut Pipeline) -> Result<(), PipelineError> {
        loop {
            self.item(into)?;
            if !self.eat(',') {
                return Ok(());
            }
        }
    }
    fn item(&mut self, into: &mut Pipeline) -> Result<(), PipelineError> {
        let range = self.name()?;
        let name = &self.text[range.clone()];
        self.skip_space();
        if self.eat('(') {
            let nested = self.nested(name)?;
            into.items.push(PipelineItem::Nested(nested));
            return Ok(());
        }
        match self.registry.find(name) {
            Some(Registered::Pass(entry)) => {
                let mut pass = self.registry.make(entry);
                if self.eat('{') {
                    let owner = format!("pass `{name}`");
                    let set = |option: &str, value: Option<&str>| pass.set_option(option, value);
                    self.options(&owner, set)?;
                }
                self.check_anchor(&range, &*pass, into)?;
                into.items.push(PipelineItem::Pass(pass));
                Ok(())
            }
            Some(Registered::Pipeline(named)) => self.expand(named, range, into),
            None => Err(self.unknown(range)),
        }
    }
    /// Puts the steps of a named pipeline, whose name is at `range`, into `into`.
    fn expand(
        &mut self,
        named: &NamedPipeline,
        range: Range<usize>,
        into: &mut Pipeline,
    ) -> Result<(), PipelineError> {
        let name = &self.text[range.clone()];
        // The options are defaults of the passes inside.
        let mut own = None;
        if self.eat('{') {
            let own = own.insert(self.registry.clone());
            let owner = format!("pipeline `{name}`");
            let set =
                |option: &str, value: Option<&str>| own.set_pipeline_option(named, option, value);
            self.options(&owner, set)?;
        }
        let steps = named.steps.join(",");
        let registry = own.as_ref().unwrap_or(self.registry);
        let depth = self.depth + 1;
        let mut inner = Reader {
            text: &steps,
            at: 0,
            registry,
            depth,
            source: Source::NamedPipeline,
        };
        let expanded = if inner.depth > DEEPEST {
            Err(self.error(
                range.clone(),
                format!("pipelines nest deeper than {DEEPEST}"),
            ))
        } else {
            inner.items(into).and_then(|()| inner.end())
        };
        // The place is the user's; what is wrong inside the named pipeline becomes the help.
        expanded.map_err(|error| match self.source {
            Source::NamedPipeline => error,
            Source::User => PipelineError {
                help: Some(format!("`{name}` stands for `{steps}`: {}", error.message)),
                ..self.error(range, format!("the pipeline `{name}` does not fit here"))
            },
        })
    }
    fn unknown(&self, range: Range<usize>) -> PipelineError {
        let name = &self.text[range.clone()];
        let help = match suggestion(name, self.registry.names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "there are: {}",
                self.registry.names().collect::<Vec<_>>().join(", ")
            ),
        };
        PipelineError {
            help: Some(help),
            ..self.error(range, format!("`{name}` is neither a pass nor a pipeline"))
        }
    }
    fn check_anchor(
        &self,
        range: &Range<usize>,
        pass: &dyn Pass,
        into: &Pipeline,
    ) -> Result<(), PipelineError> {
        let (Anchors::Ops(names), PipelineAnchor::Op(here)) = (pass.info().anchors, &into.anchor)
        else {
            return Ok(());
        };
        if names.contains(&here.as_str()) {
            return Ok(());
        }
        let name = pass.info().name;
        let message = format!("`{name}` runs on {}, not on {here}", names.join(" or "));
        let help = format!(
            "nest it: `{}({name})`",
            names.first().copied().unwrap_or_default()
        );
        Err(PipelineError {
            help: Some(help),
            ..self.error(range.clone(), message)
        })
    }
    /// The text behind `pass{` or `pipeline{`; `set` takes an option's name and value.
    fn options(
        &mut self,
        owner: &str,
        mut set: impl FnMut(&str, Option<&str>) -> Result<(), OptionError>,
    ) -> Result<(), PipelineError> {
        let open = self.at - 1;
        while !self.eat('}') {
            if self.rest().is_empty() {
                return Err(self.error(open..open + 1, "this `{` is never closed"));
            }
            let name = self.name().map_err(|error| PipelineError {
                message: "expected the name of an option".to_owned(),
                ..error
            })?;
            let mut whole = name.clone();
            let mut value = None;
            if self.rest().starts_with('=') {
                self.at += 1;
                let text = self.value()?;
                whole.end = self.at;
                value = Some(text);
            }
            set(&self.text[name.clone()], value.as_deref())
                .map_err(|error| self.option_error(owner, name, whole, &error))?;
        }
        Ok(())
    }
    /// A value: up to a space or the closing brace, quoted and braced parts whole.
    fn value(&mut self) -> Result<String, PipelineError> {
        let start = self.at;
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { break };
            if c.is_whitespace() || c == '}' {
                break;
            }
            self.at += match quote::quoted_length(rest) {
                Some(length) => length,
                None if matches!(c, '"' | '\'' | '{') => {
                    return Err(self.error(self.here(), format!("this `{c}` is never closed")));
                }
                None => c.len_utf8(),
            };
        }
        Ok(quote::unquote(&self.text[start..self.at]))
    }
    fn option_error(
        &self,
        owner: &str,
        name: Range<usize>,
        whole: Range<usize>,
        error: &OptionError,
    ) -> PipelineError {
        let message = format!("{owner}: {error}");
        match error {
            OptionError::Unknown { options, .. } => {
                let near = suggestion(&self.text[name.clone()], options.iter().map(String::as_str));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                PipelineError {
                    help,
                    ..self.error(name, message)
                }
            }
            OptionError::NoValue { .. } | OptionError::BadValue { .. } => {
                self.error(whole, message)
            }
        }
    }
}
