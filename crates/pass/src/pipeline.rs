//! Pipelines as trees of passes, and their text, exactly as MLIR writes it.
//!
//! ```text
//! pipeline ::= anchor `(` item (`,` item)* `)`        anchor ::= op name | `any`
//! item     ::= pipeline | pass (`{` options `}`)? | named pipeline (`{` options `}`)?
//! options  ::= (name (`=` value)?)*  separated by spaces; values bare, "quoted", 'quoted' or {braced}
//! ```
//! `text(parse(text))` is the normalised text: every option written out, named pipelines expanded.

use crate::pass::Pass;
use crate::quote;
use crate::registry::PassRegistry;
use std::fmt;
use std::ops::Range;

/// The ops a (nested) pipeline runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineAnchor {
    /// Every registered op that is isolated from above.
    Any,
    /// Ops of that name.
    Op(String),
}

impl fmt::Display for PipelineAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineAnchor::Any => f.write_str("any"),
            PipelineAnchor::Op(name) => f.write_str(name),
        }
    }
}

/// A step of a pipeline.
pub enum PipelineItem {
    /// A pass on the pipeline's op.
    Pass(Box<dyn Pass>),
    /// A pipeline on ops directly inside the pipeline's op.
    Nested(Pipeline),
}

/// Passes in order, on ops of one name.
pub struct Pipeline {
    /// The ops it runs on.
    pub anchor: PipelineAnchor,
    /// Its steps.
    pub items: Vec<PipelineItem>,
}

/// Which options a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowOptions {
    /// All.
    All,
    /// Those that differ from their defaults.
    Changed,
}

impl Pipeline {
    /// A pipeline without steps.
    pub fn new(anchor: PipelineAnchor) -> Pipeline {
        Pipeline {
            anchor,
            items: Vec::new(),
        }
    }
    /// A pipeline without steps on ops of that name.
    pub fn on(op_name: &str) -> Pipeline {
        Pipeline::new(PipelineAnchor::Op(op_name.to_owned()))
    }
    /// Reads a whole pipeline.
    pub fn parse(text: &str, registry: &PassRegistry) -> Result<Pipeline, PipelineError> {
        crate::pipeline_parse::parse_pipeline(text, registry)
    }
    /// Reads a list of steps and appends them, passes nested where they must be (see [`Pipeline::add`]).
    pub fn add_text(&mut self, text: &str, registry: &PassRegistry) -> Result<(), PipelineError> {
        let mut steps = Pipeline::new(PipelineAnchor::Any);
        crate::pipeline_parse::parse_items_into(text, registry, &mut steps)?;
        for item in steps.items {
            match item {
                PipelineItem::Pass(pass) => self.add(pass),
                PipelineItem::Nested(_) => self.items.push(item),
            }
        }
        Ok(())
    }
    /// Appends a pass, inside a nested pipeline where the pass needs another anchor than this one's.
    /// Passes that follow one another on the same anchor share the nested pipeline.
    pub fn add(&mut self, pass: Box<dyn Pass>) {
        let crate::pass::Anchors::Ops(names) = pass.info().anchors else {
            self.items.push(PipelineItem::Pass(pass));
            return;
        };
        match &self.anchor {
            PipelineAnchor::Op(here) if !names.contains(&here.as_str()) => {
                let wanted =
                    PipelineAnchor::Op(names.first().copied().unwrap_or_default().to_owned());
                match self.items.last_mut() {
                    Some(PipelineItem::Nested(last)) if last.anchor == wanted => last.add(pass),
                    _ => {
                        let items = vec![PipelineItem::Pass(pass)];
                        self.items.push(PipelineItem::Nested(Pipeline {
                            anchor: wanted,
                            items,
                        }));
                    }
                }
            }
            _ => self.items.push(PipelineItem::Pass(pass)),
        }
    }
    /// The text that reads back as this pipeline.
    pub fn text(&self, show: ShowOptions) -> String {
        let items: Vec<String> = self.items.iter().map(|item| item.text(show)).collect();
        format!("{}({})", self.anchor, items.join(","))
    }
    /// Calls `visit` on every pass, in order.
    pub fn for_each_pass<'a>(&'a self, visit: &mut dyn FnMut(&'a dyn Pass)) {
        for item in &self.items {
            match item {
                PipelineItem::Pass(pass) => visit(&**pass),
                PipelineItem::Nested(nested) => nested.for_each_pass(visit),
            }
        }
    }
}

impl PipelineItem {
    /// How many steps it is: itself and those inside.
    pub fn steps(&self) -> usize {
        match self {
            PipelineItem::Pass(_) => 1,
            PipelineItem::Nested(nested) => {
                1 + nested.items.iter().map(PipelineItem::steps).sum::<usize>()
            }
        }
    }
    /// The text that reads back as this step.
    pub fn text(&self, show: ShowOptions) -> String {
        match self {
            PipelineItem::Pass(pass) => pass_text(&**pass, show),
            PipelineItem::Nested(nested) => nested.text(show),
        }
    }
}

/// The text of one pass with its options.
pub fn pass_text(pass: &dyn Pass, show: ShowOptions) -> String {
    let mut parts = Vec::new();
    for option in pass.option_texts() {
        if let Some(value) = option.value
            && (show == ShowOptions::All || !option.is_default)
        {
            parts.push(format!("{}={}", option.name, quote::quote_value(&value)));
        }
    }
    let name = pass.info().name;
    if parts.is_empty() {
        name.to_owned()
    } else {
        format!("{name}{{{}}}", parts.join(" "))
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(ShowOptions::Changed))
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for PipelineItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(ShowOptions::Changed))
    }
}

/// An error in a pipeline's text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineError {
    /// The problem.
    pub message: String,
    /// The text that was read.
    pub text: String,
    /// The bytes at fault.
    pub at: Range<usize>,
    /// A hint.
    pub help: Option<String>,
}

impl std::error::Error for PipelineError {}

/// The message, then the text with carets under the part at fault, then the help.
impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self
            .text
            .chars()
            .map(|c| if c.is_whitespace() { ' ' } else { c })
            .collect();
        let before = self.text[..self.at.start].chars().count();
        let width = self.text[self.at.clone()].chars().count().max(1);
        write!(
            f,
            "{}\n  {shown}\n  {}{}",
            self.message,
            " ".repeat(before),
            "^".repeat(width)
        )?;
        match &self.help {
            Some(help) => write!(f, "\n  {help}"),
            None => Ok(()),
        }
    }
}
