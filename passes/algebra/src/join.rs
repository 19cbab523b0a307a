//! Results of one combinator that share expensive work stay one combinator.
//!
//! ```text
//! %s, %t = redomap (%x in %xs) map { %d = expensive(%x); yield %k * %d, %d }     %u, %t = redomap (%x in %xs) map { %d = expensive(%x);
//!   combine { +, max }                                                   =>   yield %d, %d } combine { +, max }
//!                                                                           %s = %k * %u
//! ```
//!
//! To rules each result is a term of its own (see [`load`](crate::load)). The results of such an op are a *family*; what
//! rules make of a member, and the member seen in other places, belongs to it. Before terms become ops, the members of a
//! family that are combinators over some of the same arrays are brought over all of them, and [`emit`](crate::emit) makes
//! one op of these: equal terms in its body, the expensive work among them, are one op there.
//!
//! Conditions: the arrays have one extent by their types, or are the same; one operator's kind at most beside maps; what
//! another one uses is made before. Where members stay apart, the expensive work would be done for each: a piece with families is taken
//! only if it does no more operations than before (see [`cost`](crate::cost)), else it is done again with such ops as
//! leaves.

use crate::bind::substitute;
use crate::load::Loaded;
use crate::rules::maps::{function_fits, parameters, under};
use crate::term::{Graph, Head, Node, lambda, same_extent, visit};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Terms that become one combinator.
#[derive(Debug)]
pub(crate) struct Joint {
    /// Over these.
    pub(crate) arrays: Vec<Id>,
    /// Those with operators first.
    pub(crate) members: Vec<Member>,
}

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// The value it stands for.
    pub(crate) class: Id,
    pub(crate) head: Head,
    /// Operator and neutral element, if it has them.
    pub(crate) combine: Option<(Id, Id)>,
    /// A function of the elements of all arrays.
    pub(crate) function: Id,
}

/// Which combinator each class is made by together with others.
pub(crate) type Joints = FxHashMap<Id, Rc<Joint>>;

/// The joints among what `roots` need.
pub(crate) fn joints(graph: &mut Graph, loaded: &Loaded, roots: &[Id]) -> Joints {
    let mut joints = Joints::default();
    if !loaded.has_families() {
        return joints;
    }
    for (_, candidates) in candidates(graph, roots) {
        let mut left = candidates;
        while let Some(first) = left.first().copied() {
            let (group, rest) = partition(graph, first, &left);
            left = rest;
            if let Some(joint) = join(graph, &group) {
                let joint = Rc::new(joint);
                joints.extend(
                    joint
                        .members
                        .iter()
                        .map(|member| (member.class, joint.clone())),
                );
            }
        }
    }
    joints
}

/// The terms needed to make some terms, with themselves.
fn needed(graph: &Graph, roots: &[Id]) -> FxHashSet<Id> {
    let mut needed = FxHashSet::default();
    visit(graph, roots, &mut needed, |_, _| true);
    needed
}

/// By family: combinators that its members are, or are computed from without another one between.
fn candidates(graph: &Graph, roots: &[Id]) -> Vec<(u32, Vec<Id>)> {
    let needed = needed(graph, roots);
    let mut members: Vec<(u32, Id)> = needed
        .iter()
        .filter_map(|&class| Some((graph[class].data.family?, class)))
        .collect();
    members.sort_unstable();
    let mut seen = FxHashSet::default();
    let mut families: Vec<(u32, Vec<Id>)> = Vec::new();
    for (family, member) in members {
        visit(graph, &[member], &mut seen, |class, best| {
            if best.head.is_combinator() {
                match families.last_mut().filter(|last| last.0 == family) {
                    Some(last) => last.1.push(class),
                    None => families.push((family, vec![class])),
                }
            }
            matches!(best.head, Head::Prim(_))
        });
    }
    families
}

/// Arrays of a combinator.
fn arrays(graph: &Graph, class: Id) -> Vec<Id> {
    let best = &graph[class].data.best;
    let first = if best.head == Head::Map { 1 } else { 3 };
    best.children[first..]
        .iter()
        .map(|&array| graph.find(array))
        .collect()
}

/// Whether combinators can be one op by what they combine.
fn fits(graph: &Graph, a: Id, b: Id) -> bool {
    let (a, b) = (graph[a].data.best.head, graph[b].data.best.head);
    a == b || a == Head::Map || b == Head::Map
}

/// Those that can be one op with the first and go over some of the same arrays, with it; and the others.
fn partition(graph: &Graph, first: Id, all: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let mut group = vec![first];
    let mut over = arrays(graph, first);
    let mut rest = Vec::new();
    for &class in all.iter().filter(|&&class| class != first) {
        let own = arrays(graph, class);
        let new: Vec<Id> = own
            .iter()
            .copied()
            .filter(|array| !over.contains(array))
            .collect();
        let union = [&over[..], &new].concat();
        let meets = new.len() < own.len()
            && (new.is_empty() && own.len() == over.len() || same_extent(graph, &union))
            && function_fits(&union)
            && group.iter().all(|&other| fits(graph, other, class));
        if meets {
            over = union;
            group.push(class);
        } else {
            rest.push(class);
        }
    }
    (group, rest)
}

fn join(graph: &mut Graph, group: &[Id]) -> Option<Joint> {
    let group = &independent(graph, group)[..];
    if group.len() < 2 {
        return None;
    }
    let mut over: Vec<Id> = Vec::new();
    for array in group.iter().flat_map(|&class| arrays(graph, class)) {
        if !over.contains(&array) {
            over.push(array);
        }
    }
    let mut members = Vec::new();
    for &class in group {
        let Node { head, children } = graph[class].data.best.clone();
        let (combine, function) = match head {
            Head::Map => (None, children[0]),
            _ => (Some((children[0], children[1])), children[2]),
        };
        let function = over_all(graph, function, &arrays(graph, class), &over)?;
        members.push(Member {
            class,
            head,
            combine,
            function,
        });
    }
    members.sort_by_key(|member| member.head == Head::Map);
    Some(Joint {
        arrays: over,
        members,
    })
}

/// Those that no other one needs to be made.
fn independent(graph: &Graph, group: &[Id]) -> Vec<Id> {
    let below: Vec<FxHashSet<Id>> = group
        .iter()
        .map(|&class| needed(graph, &graph[class].data.best.children))
        .collect();
    group
        .iter()
        .copied()
        .filter(|class| !below.iter().any(|below| below.contains(class)))
        .collect()
}

/// A function of elements of some arrays as one of elements of all.
fn over_all(graph: &mut Graph, function: Id, own: &[Id], all: &[Id]) -> Option<Id> {
    let (params, body) = lambda(graph, function)?;
    if own == all {
        return Some(function);
    }
    let elements = parameters(graph, all, 0);
    let args: Option<Vec<Id>> = own
        .iter()
        .map(|array| {
            all.iter()
                .position(|other| other == array)
                .map(|at| elements[at])
        })
        .collect();
    let body = under(graph, body, params, all.len() as u32);
    let body = substitute(graph, body, &args?);
    Some(graph.add(Node::new(Head::Lam(all.len() as u32), [body])))
}
