//! Facts about a Rust file for the rules: its functions, what is test code, which words its code uses.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// First line, attributes and doc comments left out.
    pub(crate) line: usize,
    /// Lines from its name to its closing brace.
    pub(crate) lines: usize,
    /// Uses of what a library must not do, with their lines.
    pub(crate) offences: Vec<(usize, String)>,
    /// Whether its documentation has a section `# Panics`.
    pub(crate) documents_panics: bool,
    /// Whether it is built only for tests.
    pub(crate) is_test: bool,
}

/// The facts about one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Functions with bodies, closures left out.
    pub(crate) functions: Vec<Function>,
    /// Lines of lint exceptions without a reason.
    pub(crate) unreasoned: Vec<usize>,
    /// Names of modules in files of their own that are built only for tests.
    pub(crate) test_modules: Vec<String>,
}

impl Facts {
    /// Reads a file's text; `None` when it is no Rust.
    pub(crate) fn of(text: &str) -> Option<Facts> {
        let file = syn::parse_file(text).ok()?;
        let mut reader = Reader {
            facts: Facts::default(),
            test_depth: 0,
        };
        reader.visit_file(&file);
        Some(reader.facts)
    }
}

struct Reader {
    facts: Facts,
    test_depth: usize,
}

impl Reader {
    fn function(
        &mut self,
        attrs: &[syn::Attribute],
        signature: &syn::Signature,
        body: &syn::Block,
    ) {
        let line = signature.span().start().line;
        let mut offences = Vec::new();
        find_offences(&body.to_token_stream(), &mut offences);
        self.facts.functions.push(Function {
            name: signature.ident.to_string(),
            line,
            lines: body.span().end().line + 1 - line,
            offences,
            documents_panics: documentation(attrs).contains("# Panics"),
            is_test: self.test_depth > 0,
        });
    }
    fn inside(&mut self, attrs: &[syn::Attribute], visit: impl FnOnce(&mut Self)) {
        let is_test = attrs.iter().any(is_test_attribute);
        self.test_depth += usize::from(is_test);
        visit(self);
        self.test_depth -= usize::from(is_test);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.inside(&item.attrs, |reader| {
            reader.function(&item.attrs, &item.sig, &item.block);
            visit::visit_item_fn(reader, item);
        });
    }
    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.inside(&item.attrs, |reader| {
            reader.function(&item.attrs, &item.sig, &item.block);
            visit::visit_impl_item_fn(reader, item);
        });
    }
    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.attrs, &item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.inside(&item.attrs, |reader| visit::visit_item_impl(reader, item));
    }
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_none() && item.attrs.iter().any(is_test_attribute) {
            self.facts.test_modules.push(item.ident.to_string());
        }
        self.inside(&item.attrs, |reader| visit::visit_item_mod(reader, item));
    }
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        // The body of a macro is code of its users: it is treated like a function's.
        let mut offences = Vec::new();
        find_offences(&item.mac.tokens, &mut offences);
        let line = item.span().start().line;
        let name = item
            .ident
            .as_ref()
            .map_or_else(|| "macro".to_owned(), ToString::to_string);
        let documents_panics = documentation(&item.attrs).contains("# Panics");
        let is_test = self.test_depth > 0;
        self.facts.functions.push(Function {
            name,
            line,
            lines: 0,
            offences,
            documents_panics,
            is_test,
        });
        visit::visit_item_macro(self, item);
    }
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let is_exception =
            attribute.path().is_ident("allow") || attribute.path().is_ident("expect");
        if is_exception
            && !attribute
                .meta
                .to_token_stream()
                .to_string()
                .contains("reason =")
        {
            self.facts.unreasoned.push(attribute.span().start().line);
        }
        visit::visit_attribute(self, attribute);
    }
}

fn is_test_attribute(attribute: &syn::Attribute) -> bool {
    let text = attribute.meta.to_token_stream().to_string();
    text == "test" || text == "cfg (test)"
}

fn documentation(attrs: &[syn::Attribute]) -> String {
    let lines = attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    lines
        .map(|attribute| attribute.meta.to_token_stream().to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Collects `panic!`, `todo!`, printing macros and `.unwrap()`, also inside of macro calls.
fn find_offences(tokens: &TokenStream, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => find_offences(&group.stream(), found),
            TokenTree::Ident(ident) => {
                let word = ident.to_string();
                let next = tokens.get(index + 1);
                let is_macro =
                    matches!(next, Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
                let is_method = index > 0
                    && matches!(&tokens[index - 1], TokenTree::Punct(dot) if dot.as_char() == '.')
                    && matches!(next, Some(TokenTree::Group(args)) if args.delimiter() == Delimiter::Parenthesis && args.stream().is_empty());
                match word.as_str() {
                    "panic" | "todo" | "unimplemented" | "print" | "println" | "eprint"
                    | "eprintln" | "dbg"
                        if is_macro =>
                    {
                        found.push((ident.span().start().line, format!("{word}!")));
                    }
                    "unwrap" if is_method => {
                        found.push((ident.span().start().line, ".unwrap()".to_owned()))
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
