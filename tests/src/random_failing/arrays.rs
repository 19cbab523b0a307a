//! Statements on arrays.

use super::{Env, Statement, Type, Writer, row_of};

impl Writer {
    fn indices_of(&mut self, env: &Env, count: usize) -> Vec<String> {
        (0..count).map(|_| self.index(env)).collect()
    }
    fn sizes_of(&mut self, env: &Env, count: usize) -> Vec<String> {
        (0..count).map(|_| self.size(env)).collect()
    }

    pub(super) fn element(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2, 3])?;
        let (at, ty) = (self.indices_of(env, sizes.len()), Type::Array(sizes).bare());
        let within = self.within(&array, &ty, &at);
        let at = at.join(", ");
        self.guarded(Type::Number, within, |name| {
            format!("{name} = array.index {array}[{at}] : {ty}")
        })
    }

    pub(super) fn row(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[2, 3])?;
        let (at, ty) = (self.index(env), Type::Array(sizes.clone()).bare());
        let within = self.within(&array, &ty, std::slice::from_ref(&at));
        self.guarded(row_of(&sizes), within, |name| {
            format!("{name} = array.index {array}[{at}] : {ty}")
        })
    }

    pub(super) fn update(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let (at, value) = (self.indices_of(env, sizes.len()), self.number(env));
        let ty = Type::Array(sizes);
        let bare = ty.bare();
        let within = self.within(&array, &bare, &at);
        let at = at.join(", ");
        self.guarded(ty, within, |name| {
            format!("{name} = array.update {value}, {array}[{at}] : i32, {bare}")
        })
    }

    pub(super) fn slice(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let rank = sizes.len();
        let (offsets, extents) = (self.indices_of(env, rank), self.sizes_of(env, rank));
        let strides = ["%c1", "%c1", "%c1", "%c2", "%back", "%vast"];
        let strides: Vec<&str> = (0..rank)
            .map(|_| strides[self.below(strides.len())])
            .collect();
        let (from, to) = (Type::Array(sizes).bare(), Type::Array(vec!["?"; rank]));
        let bare = to.bare();
        let mut conditions = self.not_negative(&extents);
        conditions.extend(self.within(&array, &from, &offsets));
        let mut lasts = Vec::new();
        let rows = offsets.iter().zip(&extents).zip(&strides);
        for ((offset, extent), stride) in rows {
            let (less, far, last) = (self.name(), self.name(), self.name());
            lasts.push((
                format!(
                    "{less} = arith.subi {extent}, %c1 : index\n{far} = arith.muli {less}, {stride} : index\n\
                     {last} = arith.addi {offset}, {far} : index"
                ),
                last,
            ));
        }
        let names: Vec<String> = lasts.iter().map(|row| row.1.clone()).collect();
        let within = self.within(&array, &from, &names);
        let rows = lasts.into_iter().zip(within);
        conditions
            .extend(rows.map(|((lines, _), (more, name))| (format!("{lines}\n{more}"), name)));
        let (offsets, extents) = (offsets.join(", "), extents.join(", "));
        let strides = strides.join(", ");
        self.guarded(to, conditions, |name| {
            format!(
                "{name} = array.slice {array}[{offsets}] sizes [{extents}] strides [{strides}] : {from} -> {bare}"
            )
        })
    }

    /// To as many elements, or others.
    pub(super) fn reshape(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let from = Type::Array(sizes.clone()).bare();
        let known = sizes.iter().all(|size| *size != "?");
        let (count, product) = (self.name(), self.name());
        let (extents, to) = match self.below(4) {
            0 if known && sizes.len() == 2 => (product.clone(), vec!["?"]),
            1 => (
                format!("{}, {}", self.size(env), self.size(env)),
                vec!["?", "?"],
            ),
            2 => ("%vast, %c4".to_owned(), vec!["?", "?"]),
            _ => (format!("{count}, %c1"), vec!["?", "?"]),
        };
        let to = Type::Array(to);
        let bare = to.bare();
        let before = match (extents == product, sizes.len()) {
            (true, _) => format!(
                "{product} = arith.muli %{}, %{} : index\n",
                sizes[0], sizes[1]
            ),
            (false, _) => format!("{count} = array.dim {array}, 0 : {from}\n"),
        };
        self.one(to, |name| {
            format!("{before}{name} = array.reshape {array}, [{extents}] : {from} -> {bare}")
        })
    }

    /// As many elements as a number says.
    pub(super) fn made(&mut self, env: &Env) -> Option<Statement> {
        let (extent, value) = (self.size(env), self.number(env));
        let (sizes, op) = match self.below(3) {
            0 => (vec!["?"], format!("array.iota {extent} : [?]i32")),
            1 => (
                vec!["?"],
                format!("array.replicate {value}, [{extent}] : i32 -> [?]i32"),
            ),
            _ => (
                vec!["n", "?"],
                format!("array.replicate {value}, [%n, {extent}] : i32 -> [n][?]i32"),
            ),
        };
        let conditions = self.not_negative(&[extent]);
        self.guarded(Type::Array(sizes), conditions, |name| {
            format!("{name} = {op}")
        })
    }

    pub(super) fn pad(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let rank = sizes.len();
        let (low, high, value) = (
            self.sizes_of(env, rank),
            self.sizes_of(env, rank),
            self.number(env),
        );
        let (from, to) = (Type::Array(sizes).bare(), Type::Array(vec!["?"; rank]));
        let bare = to.bare();
        let conditions = self.not_negative(&[&low[..], &high[..]].concat());
        let (low, high) = (low.join(", "), high.join(", "));
        self.guarded(to, conditions, |name| {
            format!(
                "{name} = array.pad {array}, {value} low [{low}] high [{high}] : {from} -> {bare}"
            )
        })
    }

    /// A size that only running tells is taken for one that is known.
    pub(super) fn cast(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.pick(
            env,
            |ty| matches!(ty, Type::Array(sizes) if sizes.contains(&"?")),
        )?;
        let Type::Array(sizes) = sizes else {
            return None;
        };
        let known = ["n", "m"][self.below(2)];
        let to: Vec<&'static str> = sizes
            .iter()
            .map(|&size| if size == "?" { known } else { size })
            .collect();
        let unknown: Vec<usize> = (0..sizes.len()).filter(|&at| sizes[at] == "?").collect();
        let (from, to) = (Type::Array(sizes).bare(), Type::Array(to));
        let bare = to.bare();
        let mut conditions = Vec::new();
        for dim in unknown {
            let extent = self.name();
            let (compared, equal) = self.compared("eq", &extent, &format!("%{known}"));
            let extent = format!("{extent} = array.dim {array}, {dim} : {from}");
            conditions.push((format!("{extent}\n{compared}"), equal));
        }
        self.guarded(to, conditions, |name| {
            format!("{name} = array.cast {array} : {from} -> {bare}")
        })
    }

    /// Elements in another order, or one array behind another.
    pub(super) fn rearranged(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let ty = Type::Array(sizes.clone());
        let bare = ty.bare();
        match self.below(3) {
            0 if sizes.len() == 2 => {
                let to = Type::Array(vec![sizes[1], sizes[0]]);
                self.one(to, |name| {
                    format!("{name} = array.rearrange {array}, [1, 0] : {bare}")
                })
            }
            1 if sizes.len() == 1 => {
                let (other, of) = self.array(env, &[1])?;
                let of = Type::Array(of).bare();
                self.one(Type::Array(vec!["?"]), |name| {
                    format!("{name} = array.concat {array}, {other} : {bare}, {of} -> [?]i32")
                })
            }
            _ => {
                let dim = self.below(sizes.len());
                self.one(ty, |name| {
                    format!("{name} = array.reverse {array}, {dim} : {bare}")
                })
            }
        }
    }

    /// Small numbers as indices.
    pub(super) fn indices(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1])?;
        let (x, few, less, index) = (self.name(), self.name(), self.name(), self.name());
        let from = ["%zero", "%zero", "%zero", "%one"][self.below(4)];
        let (size, ty) = (sizes[0], Type::Array(sizes).bare());
        self.one(Type::Indices(size), |name| {
            format!(
                "{name} = array.map ({x} in {array} : {ty}) {{\n{few} = arith.andi {x}, %three : i32\n\
                 {less} = arith.subi {few}, {from} : i32\n{index} = arith.index_cast {less} : i32 to index\n\
                 array.yield {index} : index\n}}"
            )
        })
    }

    pub(super) fn gather(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let (indices, ty) = self.pick(env, |ty| matches!(ty, Type::Indices(_)))?;
        let Type::Indices(size) = ty else { return None };
        let from = Type::Array(sizes.clone()).bare();
        let to = Type::Array([&[size], &sizes[1..]].concat());
        self.one(to, |name| {
            format!(
                "{name} = array.gather {array}[{indices}] : {from}, {}",
                ty.bare()
            )
        })
    }

    /// One value at indices of which some are out of range.
    pub(super) fn scatter(&mut self, env: &Env) -> Option<Statement> {
        let (target, sizes) = self.array(env, &[1])?;
        let (source, from) = self.array(env, &[1])?;
        let (value, x, at) = (self.number(env), self.name(), self.name());
        let (ty, from) = (Type::Array(sizes), Type::Array(from).bare());
        let bare = ty.bare();
        self.one(ty, |name| {
            format!(
                "{name} = array.scatter ({x} in {source} : {from}) into ({target} : {bare}) {{\n\
                 {at} = arith.index_cast {x} : i32 to index\narray.yield {at}, {value} : index, i32\n}}"
            )
        })
    }

    pub(super) fn hist(&mut self, env: &Env) -> Option<Statement> {
        let (target, sizes) = self.array(env, &[1])?;
        let (source, from) = self.array(env, &[1])?;
        let (x, few, at) = (self.name(), self.name(), self.name());
        let (a, b) = (self.name(), self.name());
        let (ty, from) = (Type::Array(sizes), Type::Array(from).bare());
        let bare = ty.bare();
        let (operator, _) = self.sum(env, &a, &b);
        self.one(ty, |name| {
            format!(
                "{name} = array.hist ({x} in {source} : {from}) into ({target} : {bare}) neutral (%zero : i32) map {{\n\
                 {few} = arith.andi {x}, %three : i32\n{at} = arith.index_cast {few} : i32 to index\n\
                 array.yield {at}, {x} : index, i32\n}} combine {operator}"
            )
        })
    }

    /// An operator that adds; the divisor of a division that it has beside that, if it has one. The sum does not need it.
    fn sum(&mut self, env: &Env, a: &str, b: &str) -> (String, Option<String>) {
        let sum = self.name();
        let add = format!("{sum} = arith.addi {a}, {b} : i32");
        if self.below(3) > 0 {
            let text = format!("({a}, {b}) {{\n{add}\narray.yield {sum} : i32\n}}");
            return (text, None);
        }
        let (divisor, op) = (self.number(env), self.divided());
        let (quotient, nothing, all) = (self.name(), self.name(), self.name());
        let text = format!(
            "({a}, {b}) {{\n{quotient} = {op} %three, {divisor} : i32\n\
             {nothing} = arith.xori {quotient}, {quotient} : i32\n{add}\n\
             {all} = arith.ori {sum}, {nothing} : i32\narray.yield {all} : i32\n}}"
        );
        (text, Some(divisor))
    }

    /// That an operator does not divide by zero: the divisor is another number, or the array has no elements.
    fn divides(
        &mut self,
        array: &str,
        bare: &str,
        divisor: Option<String>,
    ) -> Vec<(String, String)> {
        let Some(divisor) = divisor else {
            return Vec::new();
        };
        let (other, extent, none, either) = (self.name(), self.name(), self.name(), self.name());
        let lines = format!(
            "{other} = arith.cmpi ne, {divisor}, %zero : i32\n{extent} = array.dim {array}, 0 : {bare}\n\
             {none} = arith.cmpi eq, {extent}, %c0 : index\n{either} = arith.ori {other}, {none} : i1"
        );
        vec![(lines, either)]
    }

    pub(super) fn total(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1])?;
        let (x, acc, ty) = (self.name(), self.name(), Type::Array(sizes).bare());
        let start = self.number(env);
        let (operator, divisor) = self.sum(env, &acc, &x);
        let conditions = self.divides(&array, &ty, divisor);
        self.guarded(Type::Number, conditions, |name| {
            format!(
                "{name} = array.reduce ({array} : {ty}) init ({start} : i32) neutral (%zero : i32) combine {operator}"
            )
        })
    }

    pub(super) fn scan(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1])?;
        let (x, acc, start) = (self.name(), self.name(), self.number(env));
        let ty = Type::Array(sizes);
        let bare = ty.bare();
        let (operator, divisor) = self.sum(env, &acc, &x);
        let conditions = self.divides(&array, &bare, divisor);
        self.guarded(ty, conditions, |name| {
            format!(
                "{name} = array.scan ({array} : {bare}) init ({start} : i32) neutral (%zero : i32) combine {operator}"
            )
        })
    }
}
