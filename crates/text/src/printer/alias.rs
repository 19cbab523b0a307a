//! Aliases (`#map = affine_map<...>`): what gets one, and in which order, as in MLIR.
//!
//! Affine maps, integer sets, locations, distinct attributes that carry something and tuples of more than 16 types
//! have aliases, and so have opaque types and attributes whose text gave them one (see
//! [`Ir::alias_names`]). They are numbered by name in order of depth (an alias comes after those it uses), then of first
//! appearance. Those of op locations alone are deferred: defined after the program.
//!
//! Types and attributes are shared and may contain the same one many times, so in place they may be exponentially longer
//! than they are. Where that is so, [`Wanted::Long`] gives aliases to those of many parts or levels, too: each is written
//! once then, and the text is as long as the program.
//!
//! The walk looks at every interned type, dictionary and location once, however often it is used.

use super::data::{DataWriter, TypeText};
use super::locations::OuterAlias;
use super::{Form, Locations, PrintOptions};
use crate::form_of;
use crate::parser::MAX_DEPTH;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::attrs::{Attr, AttrKind, Dict};
use segra_ir::context::{Context, Ident};
use segra_ir::entity::SecondaryMap;
use segra_ir::location::{Loc, LocKind};
use segra_ir::opaque::{OpaqueBody, TypeOrAttr};
use segra_ir::stack;
use segra_ir::store::{Ir, Op};
use segra_ir::types::{Type, TypeKind};
use segra_ir::walk::{Event, Walk};

/// Kinds of things that can have an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entity {
    Attr(Attr),
    Type(Type),
    Loc(Loc),
}

/// The aliases in use.
#[derive(Debug, Default)]
pub(super) struct Aliases<'a> {
    names: FxHashMap<Entity, (&'a str, u32)>,
    /// Of locations, the number plus one; 0: no alias. There is one for every op where locations are written.
    locs: SecondaryMap<Loc, u32>,
    /// In order of definition, and whether after the program.
    order: Vec<(Entity, Place)>,
}

/// Things that get aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    None,
    /// As in MLIR.
    Usual,
    /// Things with many parts, or deep ones.
    Long,
    UsualAndLong,
}

impl Wanted {
    fn has_usual(self) -> bool {
        matches!(self, Wanted::Usual | Wanted::UsualAndLong)
    }
    fn has_long(self) -> bool {
        matches!(self, Wanted::Long | Wanted::UsualAndLong)
    }
}

/// From so many parts on, written in place, a type or an attribute is long.
const MANY_PARTS: usize = 256;
/// So many types and attributes in one another are deep; the reader takes [`MAX_DEPTH`].
const DEEP: u32 = MAX_DEPTH / 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    BeforeProgram,
    AfterProgram,
}

impl<'a> Aliases<'a> {
    /// The aliases of everything below `root`.
    pub(super) fn collect(
        ir: &'a Ir,
        root: Op,
        options: &PrintOptions,
        wanted: Wanted,
    ) -> Aliases<'a> {
        let locations = options.locations;
        let none = locations != Locations::Aliased && ir.alias_names().is_empty();
        if wanted == Wanted::None || wanted == Wanted::Usual && none && !ir.ctx().has_aliasable() {
            return Aliases::default();
        }
        let mut finder = Finder {
            ctx: ir.ctx(),
            hints: ir.alias_names(),
            locations,
            form: options.form,
            wanted,
            index: FxHashMap::default(),
            locs: SecondaryMap::default(),
            found: Vec::new(),
            depth: 0,
            types: SecondaryMap::default(),
            properties: SecondaryMap::default(),
            pairs: FxHashSet::default(),
        };
        finder.walk(ir, root);
        finder.finish()
    }

    pub(super) fn write_attr(&self, out: &mut String, attr: Attr) -> bool {
        !self.names.is_empty() && self.write(out, '#', Entity::Attr(attr))
    }
    pub(super) fn write_type(&self, out: &mut String, ty: Type) -> bool {
        !self.names.is_empty() && self.write(out, '!', Entity::Type(ty))
    }
    /// Whether any location has an alias.
    pub(super) fn has_locs(&self) -> bool {
        !self.locs.is_empty()
    }
    /// Writes the alias of an interned location, if it has one.
    pub(super) fn write_loc(&self, out: &mut String, loc: Loc) -> bool {
        self.locs[loc] != 0 && self.write(out, '#', Entity::Loc(loc))
    }
    fn write(&self, out: &mut String, sigil: char, entity: Entity) -> bool {
        let (name, number) = match entity {
            Entity::Loc(loc) => ("loc", self.locs[loc] - 1),
            _ => match self.names.get(&entity) {
                Some(&row) => row,
                None => return false,
            },
        };
        out.push(sigil);
        out.push_str(name);
        if number > 0 {
            super::data::push_unsigned(out, number.into());
        }
        true
    }
}

impl DataWriter<'_> {
    /// Writes the definitions that stand at one place.
    pub(super) fn alias_definitions(&mut self, place: Place) {
        for index in 0..self.aliases.order.len() {
            let (entity, at) = self.aliases.order[index];
            if at != place {
                continue;
            }
            let sigil = if matches!(entity, Entity::Type(_)) {
                '!'
            } else {
                '#'
            };
            self.aliases.write(&mut self.out, sigil, entity);
            self.text(" = ");
            match entity {
                Entity::Attr(attr) => self.attr_itself(attr, TypeText::Always),
                Entity::Type(ty) => self.type_itself(ty),
                Entity::Loc(loc) => match self.ctx.loc_kind(loc) {
                    LocKind::Attr(attr) => self.attr(*attr, TypeText::Always),
                    _ => self.loc(loc, OuterAlias::Forbidden),
                },
            }
            self.text("\n");
        }
    }
}

/// Something that was seen.
struct Seen<'a> {
    entity: Entity,
    name: Option<&'a str>,
    /// 0 where nothing inside has an alias; with one, 1 or 1 more than the deepest alias inside.
    depth: u32,
    place: Place,
    children: Vec<u32>,
    /// Parts of it, written in place; those with aliases count as one.
    parts: usize,
    /// Levels of it, written in place.
    levels: u32,
}

struct Finder<'a> {
    ctx: &'a Context,
    hints: &'a FxHashMap<TypeOrAttr, Ident>,
    locations: Locations,
    form: Form,
    wanted: Wanted,
    index: FxHashMap<Entity, u32>,
    /// As `index`, plus one, for locations.
    locs: SecondaryMap<Loc, u32>,
    found: Vec<Seen<'a>>,
    /// How deep what is visited lies in other data; deeper than this nothing is written.
    depth: u32,
    types: SecondaryMap<Type, bool>,
    /// Inherent attributes seen without discardable ones, and both together.
    properties: SecondaryMap<Dict, bool>,
    pairs: FxHashSet<(Dict, Dict)>,
}

impl<'a> Finder<'a> {
    fn walk(&mut self, ir: &Ir, root: Op) {
        for event in Walk::new(ir, root) {
            match event {
                Event::EnterOp(op) => self.op_location(ir, op),
                Event::EnterBlock(block) => {
                    for &arg in ir.block_args(block) {
                        self.ty(ir.value_type(arg));
                        if self.locations == Locations::Aliased {
                            let loc = self.ctx.interned_loc(ir.value_loc(arg));
                            self.visit(Entity::Loc(loc), Place::BeforeProgram);
                        }
                    }
                }
                Event::LeaveOp(op) => self.op(ir, op),
                Event::Leaf(op) => {
                    self.op_location(ir, op);
                    self.op(ir, op);
                }
            }
        }
    }

    fn op_location(&mut self, ir: &Ir, op: Op) {
        if self.locations == Locations::Aliased {
            let loc = self.ctx.interned_loc(ir.loc(op));
            self.visit(Entity::Loc(loc), Place::AfterProgram);
        }
    }

    fn op(&mut self, ir: &Ir, op: Op) {
        for operand in ir.operands(op) {
            self.ty(ir.value_type(operand));
        }
        for result in ir.results(op) {
            self.ty(ir.value_type(result));
        }
        let (properties, attrs) = (ir.properties(op), ir.discardable_attrs(op));
        let hidden = self.hidden_attrs(ir, op);
        if hidden.is_empty() {
            return self.attributes(properties, attrs);
        }
        let ctx = self.ctx;
        let shown = ctx
            .entries(properties)
            .iter()
            .filter(|entry| !hidden.contains(&ctx.str(entry.0)));
        let shown: Vec<(Ident, Attr)> = shown.copied().collect();
        self.attributes(ctx.dict(&shown), attrs);
    }

    /// Attributes that the op's own form does not write as such.
    fn hidden_attrs(&self, ir: &Ir, op: Op) -> &'static [&'static str] {
        if self.form == Form::Generic || ir.properties(op) == Dict::EMPTY {
            return &[];
        }
        let syntax = ir.info(op).and_then(|info| form_of(self.ctx, info).syntax);
        match syntax {
            Some(syntax) if segra_ir::verify::is_well_formed(ir, op) => syntax.hidden_attrs(ir, op),
            _ => &[],
        }
    }

    #[inline]
    fn ty(&mut self, ty: Type) {
        if !std::mem::replace(&mut self.types[ty], true) {
            self.visit(Entity::Type(ty), Place::BeforeProgram);
        }
    }

    fn attributes(&mut self, properties: Dict, attrs: Dict) {
        let seen = if attrs == Dict::EMPTY {
            properties == Dict::EMPTY || std::mem::replace(&mut self.properties[properties], true)
        } else {
            !self.pairs.insert((properties, attrs))
        };
        if seen {
            return;
        }
        let ctx = self.ctx;
        let mut all: Vec<(Ident, Attr)> = [ctx.entries(properties), ctx.entries(attrs)].concat();
        all.sort_by(|a, b| ctx.str(a.0).cmp(ctx.str(b.0)));
        for (_, attr) in all {
            self.visit(Entity::Attr(attr), Place::BeforeProgram);
        }
    }

    /// Returns the position in `found`.
    fn visit(&mut self, entity: Entity, place: Place) -> u32 {
        if let Some(index) = self.position(entity) {
            if place == Place::BeforeProgram {
                self.move_forward(index);
            }
            return index;
        }
        let index = self.found.len() as u32;
        match entity {
            Entity::Loc(loc) => self.locs[loc] = index + 1,
            _ => drop(self.index.insert(entity, index)),
        }
        let name = self.name(entity);
        let depth = u32::from(name.is_some());
        self.found.push(Seen {
            entity,
            name,
            depth,
            place,
            children: Vec::new(),
            parts: 1,
            levels: 1,
        });
        let mut children = Vec::new();
        if self.depth >= MAX_DEPTH
            && let Entity::Loc(loc) = entity
        {
            self.visit_inner_locations(loc, place);
        }
        if self.depth < MAX_DEPTH || matches!(entity, Entity::Loc(_)) || self.wanted.has_long() {
            self.depth += 1;
            stack::deep(|| {
                self.parts(entity, &mut |finder, part| {
                    children.push(finder.visit(part, place))
                })
            });
            self.depth -= 1;
        }
        self.measure(index, children);
        index
    }

    /// Notes what something is made of; names it if it is long.
    fn measure(&mut self, index: u32, children: Vec<u32>) {
        let (mut deepest, mut parts, mut levels) = (0, 1usize, 0);
        for &child in &children {
            let child = &self.found[child as usize];
            deepest = deepest.max(child.depth);
            let inline = child.name.is_none();
            parts = parts.saturating_add(if inline { child.parts } else { 1 });
            levels = levels.max(if inline { child.levels } else { 0 });
        }
        let is_long = self.wanted.has_long() && (parts > MANY_PARTS || levels >= DEEP);
        let seen = &mut self.found[index as usize];
        (seen.children, seen.parts, seen.levels) = (children, parts, levels + 1);
        if is_long && !matches!(seen.entity, Entity::Loc(_)) {
            seen.name.get_or_insert("long");
        }
        if deepest > 0 || seen.name.is_some() {
            seen.depth = deepest + 1;
        }
    }

    /// Visits what a location is made of from the innermost on, so that no visit goes deep: locations nest as deep as
    /// the program likes, each on its own line.
    fn visit_inner_locations(&mut self, loc: Loc, place: Place) {
        let depth = std::mem::replace(&mut self.depth, 0);
        let mut pending = vec![(loc, false)];
        let mut seen = FxHashSet::default();
        while let Some((inner, is_ready)) = pending.pop() {
            if is_ready {
                if inner != loc {
                    self.visit(Entity::Loc(inner), place);
                }
                continue;
            }
            if !seen.insert(inner) || inner != loc && self.position(Entity::Loc(inner)).is_some() {
                continue;
            }
            pending.push((inner, true));
            let inside = match self.ctx.loc_kind(inner) {
                LocKind::Name { child, .. } if *child != Loc::UNKNOWN => vec![*child],
                LocKind::Fused(parts) => parts.0.clone(),
                LocKind::CallSite { callee, caller } => vec![*caller, *callee],
                _ => Vec::new(),
            };
            pending.extend(
                inside
                    .into_iter()
                    .map(|part| (self.ctx.interned_loc(part), false)),
            );
        }
        self.depth = depth;
    }

    fn position(&self, entity: Entity) -> Option<u32> {
        match entity {
            Entity::Loc(loc) => self.locs[loc].checked_sub(1),
            _ => self.index.get(&entity).copied(),
        }
    }

    /// Something outside of op locations uses it: it and what it is made of are defined before the program.
    fn move_forward(&mut self, index: u32) {
        let mut pending = vec![index];
        while let Some(index) = pending.pop() {
            let seen = &mut self.found[index as usize];
            if seen.place == Place::AfterProgram {
                seen.place = Place::BeforeProgram;
                pending.extend_from_slice(&seen.children);
            }
        }
    }

    fn name(&self, entity: Entity) -> Option<&'a str> {
        if !self.wanted.has_usual() && !matches!(entity, Entity::Loc(_)) {
            return None;
        }
        let hint = |entity| self.hints.get(&entity).map(|&name| self.ctx.str(name));
        match entity {
            Entity::Loc(_) => Some("loc"),
            Entity::Attr(attr) => match self.ctx.attr_kind(attr) {
                AttrKind::AffineMap(_) => Some("map"),
                AttrKind::IntegerSet(_) => Some("set"),
                AttrKind::Distinct { inner, .. } => {
                    (!matches!(self.ctx.attr_kind(*inner), AttrKind::Unit)).then_some("distinct")
                }
                AttrKind::Opaque { .. } => hint(TypeOrAttr::Attr(attr)),
                _ => None,
            },
            Entity::Type(ty) => match self.ctx.type_kind(ty) {
                TypeKind::Tuple(types) => (types.len() > 16).then_some("tuple"),
                TypeKind::Opaque { .. } => hint(TypeOrAttr::Type(ty)),
                _ => None,
            },
        }
    }

    /// The parts of a type or an attribute.
    fn parts(&mut self, entity: Entity, visit: &mut dyn FnMut(&mut Self, Entity)) {
        let ctx = self.ctx;
        match entity {
            Entity::Attr(attr) => self.attr_parts(attr, visit),
            Entity::Type(ty) => self.type_parts(ty, visit),
            Entity::Loc(loc) => match ctx.loc_kind(loc) {
                LocKind::Unknown | LocKind::File { .. } | LocKind::FileRange(_) => {}
                LocKind::Name { child, .. } => {
                    if *child != Loc::UNKNOWN {
                        visit(self, Entity::Loc(ctx.interned_loc(*child)));
                    }
                }
                LocKind::Fused(parts) => {
                    if let Some(metadata) = parts.1 {
                        visit(self, Entity::Attr(metadata));
                    }
                    for &part in &parts.0 {
                        visit(self, Entity::Loc(ctx.interned_loc(part)));
                    }
                }
                LocKind::Attr(attr) => self.attr_parts(*attr, visit),
                LocKind::CallSite { callee, caller } => {
                    visit(self, Entity::Loc(ctx.interned_loc(*callee)));
                    visit(self, Entity::Loc(ctx.interned_loc(*caller)));
                }
            },
        }
    }

    fn attr_parts(&mut self, attr: Attr, visit: &mut dyn FnMut(&mut Self, Entity)) {
        let ctx = self.ctx;
        match ctx.attr_kind(attr) {
            AttrKind::Array(items) => items
                .iter()
                .for_each(|&item| visit(self, Entity::Attr(item))),
            AttrKind::Dict(dict) => {
                ctx.entries(*dict)
                    .iter()
                    .for_each(|entry| visit(self, Entity::Attr(entry.1)));
            }
            AttrKind::Type(ty) => visit(self, Entity::Type(*ty)),
            AttrKind::Loc(loc) => visit(self, Entity::Loc(ctx.interned_loc(*loc))),
            AttrKind::Distinct { inner, .. } => visit(self, Entity::Attr(*inner)),
            AttrKind::DenseArray { element, .. } => visit(self, Entity::Type(*element)),
            AttrKind::Opaque { body, ty, .. } => {
                self.body_parts(body, visit);
                ty.iter().for_each(|&ty| visit(self, Entity::Type(ty)));
            }
            _ => {
                if let Some(ty) = attr.ty(ctx) {
                    visit(self, Entity::Type(ty));
                }
            }
        }
    }

    fn body_parts(&mut self, body: &OpaqueBody, visit: &mut dyn FnMut(&mut Self, Entity)) {
        for &(_, part) in &body.parts {
            match part {
                TypeOrAttr::Type(ty) => visit(self, Entity::Type(ty)),
                TypeOrAttr::Attr(attr) => visit(self, Entity::Attr(attr)),
            }
        }
    }

    fn type_parts(&mut self, ty: Type, visit: &mut dyn FnMut(&mut Self, Entity)) {
        match self.ctx.type_kind(ty) {
            TypeKind::Complex(element) | TypeKind::UnrankedTensor(element) => {
                visit(self, Entity::Type(*element));
            }
            TypeKind::Tuple(types) => types.iter().for_each(|&ty| visit(self, Entity::Type(ty))),
            TypeKind::Function { inputs, results } => {
                inputs
                    .iter()
                    .chain(results)
                    .for_each(|&ty| visit(self, Entity::Type(ty)));
            }
            TypeKind::Vector { element, .. } => visit(self, Entity::Type(*element)),
            TypeKind::Tensor {
                element, encoding, ..
            } => {
                visit(self, Entity::Type(*element));
                encoding
                    .iter()
                    .for_each(|&attr| visit(self, Entity::Attr(attr)));
            }
            TypeKind::MemRef {
                element,
                layout,
                space,
                ..
            } => {
                visit(self, Entity::Type(*element));
                layout
                    .iter()
                    .chain(space)
                    .for_each(|&attr| visit(self, Entity::Attr(attr)));
            }
            TypeKind::Opaque { body, .. } => self.body_parts(body, visit),
            TypeKind::UnrankedMemRef { element, space } => {
                visit(self, Entity::Type(*element));
                space
                    .iter()
                    .for_each(|&attr| visit(self, Entity::Attr(attr)));
            }
            _ => {}
        }
    }

    fn finish(self) -> Aliases<'a> {
        let mut named: Vec<&Seen<'a>> = self
            .found
            .iter()
            .filter(|seen| seen.name.is_some())
            .collect();
        named.sort_by_key(|seen| {
            (
                seen.depth,
                !matches!(seen.entity, Entity::Type(_)),
                seen.name,
            )
        });
        let mut aliases = Aliases::default();
        let mut numbers = Numbers::default();
        for seen in named {
            let Some(name) = seen.name else { continue };
            let number = numbers.next(name);
            match seen.entity {
                Entity::Loc(loc) => aliases.locs[loc] = number + 1,
                entity => drop(aliases.names.insert(entity, (name, number))),
            }
            aliases.order.push((seen.entity, seen.place));
        }
        aliases
    }
}

/// Numbers aliases of one name: 0 (which is not written), 1, 2, ...
#[derive(Default)]
struct Numbers<'a> {
    next: FxHashMap<&'a str, u32>,
    /// Names that end in a digit, which a number could make of another name.
    odd: FxHashSet<String>,
}

impl<'a> Numbers<'a> {
    fn next(&mut self, name: &'a str) -> u32 {
        if name.ends_with(|c: char| c.is_ascii_digit()) {
            self.odd.insert(name.to_owned());
        }
        let next = self.next.entry(name).or_default();
        while *next > 0 && !self.odd.is_empty() && !self.odd.insert(format!("{name}{next}")) {
            *next += 1;
        }
        *next += 1;
        *next - 1
    }
}
