//! Every rule against evaluation on random values.

use super::*;
use crate::expr::{Arena, Expr, Sort};
use crate::interval::Interval;
use crate::{EvalError, evaluate};
use egg::{ENodeOrVar, PatternAst};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeMap;

/// Each variable of a pattern with the sort that its place asks for (index where the place does not tell).
fn variables(ast: &PatternAst<Index>, sorts: &mut BTreeMap<String, Sort>) {
    for (_, node) in ast.items() {
        let places: Vec<(Id, Sort)> = match node {
            ENodeOrVar::ENode(Index::Binary(op, operands)) => {
                operands.iter().map(|&id| (id, op.operand_sort())).collect()
            }
            ENodeOrVar::ENode(Index::Not(operand)) => vec![(*operand, Sort::Bool)],
            ENodeOrVar::ENode(Index::Select([condition, then, otherwise])) => {
                vec![
                    (*condition, Sort::Bool),
                    (*then, Sort::Index),
                    (*otherwise, Sort::Index),
                ]
            }
            _ => vec![],
        };
        for (id, sort) in places {
            if let ENodeOrVar::Var(variable) = &ast[id] {
                sorts.insert(variable.to_string(), sort);
            }
        }
    }
}

fn parse(text: &str) -> PatternAst<Index> {
    text.parse::<Pattern<Index>>().expect("the rule parses").ast
}

/// The pattern as an expression over one symbol per variable; a boolean variable is `symbol == 1`.
fn build(arena: &mut Arena, ast: &PatternAst<Index>, of: &BTreeMap<String, Expr>) -> Expr {
    let mut exprs: Vec<Expr> = Vec::new();
    for (_, node) in ast.items() {
        let at = |id: &Id| exprs[usize::from(*id)];
        let expr = match node {
            ENodeOrVar::Var(variable) => of[&variable.to_string()],
            ENodeOrVar::ENode(Index::Int(value)) => arena.int(*value),
            ENodeOrVar::ENode(Index::Bool(value)) => arena.bool(*value),
            ENodeOrVar::ENode(Index::Binary(op, [a, b])) => arena.binary(*op, at(a), at(b)),
            ENodeOrVar::ENode(Index::Not(a)) => arena.not(at(a)),
            ENodeOrVar::ENode(Index::Select([c, a, b])) => arena.select(at(c), at(a), at(b)),
            ENodeOrVar::ENode(Index::Symbol(_)) => panic!("rules have no symbols"),
        };
        exprs.push(expr);
    }
    *exprs.last().expect("a pattern has nodes")
}

fn holds(condition: Condition, value: &dyn Fn(&str) -> i64) -> bool {
    match condition {
        NonZero(a) => value(a) != 0,
        Positive(a) => value(a) > 0,
        InRange(a, b) => 0 <= value(a) && value(a) < value(b),
        AtMost(a, b) => value(a) <= value(b),
        Divides(a, b) => value(a) != 0 && value(b) % value(a) == 0,
    }
}

/// Checks the rule on one assignment; says whether the conditions held and the left side had a value.
fn check(rule: &Rule, values: &[i64]) -> Result<bool, TestCaseError> {
    let (left, right) = (parse(rule.left), parse(rule.right));
    let mut sorts = BTreeMap::new();
    for ast in [&left, &right] {
        variables(ast, &mut sorts);
    }
    let mut arena = Arena::new();
    let (mut exprs, mut assigned, mut by_symbol) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for ((name, sort), &value) in sorts.iter().zip(values) {
        let symbol = arena.symbol(name, Interval::ALL);
        let one = arena.int(1);
        let value = if *sort == Sort::Bool {
            value & 1
        } else {
            value
        };
        by_symbol.insert(arena.as_symbol(symbol), value);
        assigned.insert(name.clone(), value);
        exprs.insert(
            name.clone(),
            if *sort == Sort::Bool {
                arena.equal(symbol, one)
            } else {
                symbol
            },
        );
    }
    if !rule
        .conditions
        .iter()
        .all(|&condition| holds(condition, &|name| assigned[name]))
    {
        return Ok(false);
    }
    let (left, right) = (
        build(&mut arena, &left, &exprs),
        build(&mut arena, &right, &exprs),
    );
    let run = |root| {
        evaluate(&arena, &[root], &|symbol| {
            by_symbol.get(&Some(symbol)).copied()
        })
    };
    match run(left) {
        Err(EvalError::DivisionByZero { .. }) => Ok(false),
        left => {
            prop_assert!(left.is_ok(), "{}: {left:?}", rule.name);
            prop_assert_eq!(left, run(right), "{} with {:?}", rule.name, assigned);
            Ok(true)
        }
    }
}

#[test]
fn both_sides_of_every_rule_have_the_same_value() {
    for rule in RULES {
        let mut runner = TestRunner::new_with_rng(
            Config {
                cases: 3000,
                failure_persistence: None,
                ..Config::default()
            },
            proptest::test_runner::TestRng::deterministic_rng(
                proptest::test_runner::RngAlgorithm::ChaCha,
            ),
        );
        let counter = std::cell::Cell::new(0usize);
        runner
            .run(&proptest::collection::vec(-9i64..13, 5), |values| {
                counter.set(counter.get() + usize::from(check(rule, &values)?));
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{}: {error}", rule.name));
        let used = counter.get();
        assert!(
            used >= 10,
            "{} was tried on {used} assignments only",
            rule.name
        );
    }
}

#[test]
fn every_rule_loads_under_its_own_name() {
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    for rule in RULES {
        assert!(rewrite(rule).is_ok(), "{:?}", rewrite(rule).err());
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
    assert_eq!(all().len(), RULES.len());
}

#[test]
fn a_wrong_rule_is_caught() {
    let wrong = rule("wrong", "(/ (* ?a ?k) ?k)", "?k", &[NonZero("?k")]);
    assert!(check(&wrong, &[3, 2]).is_err());
}
