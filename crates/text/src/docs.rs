//! Documentation pages of dialects, made from the definitions of their ops.
//!
//! Deliberately absent: examples and prose beyond the doc comments; both live beside the definitions.

use crate::form_of;
use crate::format::{DictStyle, Directive, Format, OptionalGroup, SpaceHint, Values};
use segra_ir::constraint::AttrText;
use segra_ir::context::Context;
use segra_ir::def::{Arity, Dialect, OpDef, RegionBlocks, Trait};

/// The documentation page of a registered dialect, as Markdown; `None` where no such dialect is registered.
pub fn docs(ctx: &Context, dialect: &str) -> Option<String> {
    let dialect = ctx.dialect(dialect)?;
    let mut page = Page::default();
    page.line(&format!("# Dialect `{}`", dialect.name));
    page.paragraph(dialect.doc);
    page.names(
        "Types",
        '!',
        dialect,
        &dialect.types.iter().map(|row| row.0).collect::<Vec<_>>(),
    );
    page.names(
        "Attributes",
        '#',
        dialect,
        &dialect.attrs.iter().map(|row| row.0).collect::<Vec<_>>(),
    );
    for def in &dialect.ops {
        page.op(ctx, def);
    }
    Some(page.text)
}

#[derive(Default)]
struct Page {
    text: String,
}

/// A row of a field table.
struct Row {
    name: &'static str,
    what: String,
    doc: &'static str,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.line("");
            self.line(text.trim());
        }
    }

    fn names(&mut self, title: &str, sigil: char, dialect: &Dialect, names: &[&str]) {
        if !names.is_empty() {
            let names: Vec<String> = names
                .iter()
                .map(|name| format!("`{sigil}{}.{name}`", dialect.name))
                .collect();
            self.paragraph(&format!("{title}: {}.", names.join(", ")));
        }
    }

    fn op(&mut self, ctx: &Context, def: &'static OpDef) {
        self.line("");
        self.line(&format!("## `{}`", def.name));
        self.paragraph(def.doc);
        if let Some(syntax) = syntax(ctx, def) {
            self.paragraph(&format!("```text\n{syntax}\n```"));
        }
        let traits: Vec<String> = Trait::ALL
            .iter()
            .filter(|&&t| def.traits.has(t))
            .map(|t| format!("`{t:?}`"))
            .collect();
        if !traits.is_empty() {
            self.paragraph(&format!("Traits: {}.", traits.join(", ")));
        }
        self.fields(def);
    }

    fn fields(&mut self, def: &'static OpDef) {
        let operands = def.operands.iter().map(|field| Row {
            name: field.name,
            what: several(field.arity, field.constraint.describe()),
            doc: field.doc,
        });
        self.table("Operand", operands.collect());
        let attrs = def.attrs.iter().map(|field| Row {
            name: field.name,
            what: several(
                if field.optional {
                    Arity::Optional
                } else {
                    Arity::One
                },
                field.constraint.describe(),
            ),
            doc: field.doc,
        });
        self.table("Attribute", attrs.collect());
        let regions = def.regions.iter().map(|field| Row {
            name: field.name,
            what: several(
                field.arity,
                match field.blocks {
                    RegionBlocks::Any => "any number of blocks",
                    RegionBlocks::Single => "one block",
                    RegionBlocks::AtMostOne => "one block or none",
                },
            ),
            doc: field.doc,
        });
        self.table("Region", regions.collect());
        let successors = def.successors.iter().map(|field| Row {
            name: field.name,
            what: several(field.arity, "a block"),
            doc: field.doc,
        });
        self.table("Successor", successors.collect());
        let results = def.results.iter().map(|field| Row {
            name: field.name,
            what: several(field.arity, field.constraint.describe()),
            doc: field.doc,
        });
        self.table("Result", results.collect());
    }

    fn table(&mut self, title: &str, rows: Vec<Row>) {
        if rows.is_empty() {
            return;
        }
        self.line("");
        self.line(&format!("| {title} | | |"));
        self.line("|---|---|---|");
        for row in rows {
            let doc = row.doc.trim().replace('\n', " ").replace('|', "\\|");
            self.line(&format!("| `{}` | {} | {doc} |", row.name, row.what));
        }
    }
}

fn several(arity: Arity, what: &str) -> String {
    match arity {
        Arity::One => what.to_owned(),
        Arity::Optional => format!("optional: {what}"),
        Arity::Variadic => format!("any number: {what}"),
    }
}

/// The custom form: placeholders where a program has names, types and attributes; `(...)?` may be left out.
fn syntax(ctx: &Context, def: &'static OpDef) -> Option<String> {
    let info = ctx.op_info(ctx.op_name(def.name))?;
    let form = form_of(ctx, info);
    if form.syntax.is_some() {
        return None;
    }
    let format = form.format.as_ref()?;
    let mut out = def.name.to_owned();
    directives(def, &format.directives, &mut out);
    Some(out)
}

/// The text of directives that may be left out together.
fn group_text(def: &'static OpDef, group: &OptionalGroup) -> String {
    let mut inner = String::new();
    directives(def, &group.directives, &mut inner);
    format!("({})?", inner.trim())
}

fn directives(def: &'static OpDef, list: &[Directive], out: &mut String) {
    for directive in list {
        let text = match directive {
            Directive::Space(SpaceHint::None) => {
                while out.ends_with(' ') {
                    out.pop();
                }
                continue;
            }
            Directive::Space(SpaceHint::Space) => String::new(),
            Directive::Literal(text) => (*text).to_owned(),
            Directive::Operands(values) => values_text(def, *values),
            Directive::Attr(_) if Format::is_silent(def, directive) => continue,
            Directive::Attr(index) => {
                let field = &def.attrs[*index];
                let sigil = if field.constraint.text() == AttrText::SymbolName {
                    "@"
                } else {
                    ""
                };
                format!("{sigil}<{}>", field.name)
            }
            Directive::Region(index) => format!("{{{}}}", def.regions[*index].name),
            Directive::Successor(index) => format!("^{}", def.successors[*index].name),
            Directive::Types(values) => format!("type({})", values_text(def, *values)),
            Directive::FunctionalType(inputs, results) => {
                format!(
                    "type({}) -> type({})",
                    values_text(def, *inputs),
                    values_text(def, *results)
                )
            }
            Directive::IndexList { operands, numbers } => format!(
                "[%{} or <{}>, ...]",
                def.operands[*operands].name, def.attrs[*numbers].name
            ),
            Directive::SameType(_) => continue,
            Directive::Unordered(clauses) => {
                let clause = |clause: &OptionalGroup| group_text(def, clause);
                clauses.iter().map(clause).collect::<Vec<_>>().join(" ")
            }
            Directive::AttrDict(DictStyle::Braces) => "{attributes}".to_owned(),
            Directive::AttrDict(DictStyle::WithKeyword) => "attributes {attributes}".to_owned(),
            Directive::Optional(group) => group_text(def, group),
        };
        let tight =
            matches!(text.as_str(), "," | ")" | "]" | ">" | "(") || out.ends_with(['(', '<', '[']);
        if !tight {
            out.push(' ');
        }
        out.push_str(&text);
    }
}

fn values_text(def: &'static OpDef, values: Values) -> String {
    let one = |name: &str, arity: Arity| match arity {
        Arity::Variadic => format!("%{name}..."),
        _ => format!("%{name}"),
    };
    match values {
        Values::AllOperands => def
            .operands
            .iter()
            .map(|field| one(field.name, field.arity))
            .collect::<Vec<_>>()
            .join(", "),
        Values::AllResults => def
            .results
            .iter()
            .map(|field| one(field.name, field.arity))
            .collect::<Vec<_>>()
            .join(", "),
        Values::Operand(index) => one(def.operands[index].name, def.operands[index].arity),
        Values::Result(index) => one(def.results[index].name, def.results[index].arity),
    }
}
