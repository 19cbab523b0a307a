//! An array program built in Rust, compiled, and run: a * x + y, and the dot product of the result with y.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use segra::builder::{build, map, map_reduce};
use segra::{Array, Compiler, DeviceChoice, Scalar, Value, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = build(|p| {
        p.function("main", |f| {
            let a = f.scalar::<f32>("a");
            let (x, y) = (f.array::<f32>("x", ["n"]), f.array::<f32>("y", ["n"]));
            let z = map((x, y), |(x, y)| a * x + y);
            (z, map_reduce((z, y), |(z, y)| z * y, 0.0, |s, t| s + t))
        });
    })?;
    let compiled = Compiler::default().compile(program)?;
    let loaded = load(compiled.artifact, DeviceChoice::Auto)?;
    let array = |values: &[f32]| Value::Array(Array::vector(values));
    let inputs = [
        Value::Scalar(Scalar::f32(2.0)),
        array(&[1.0, 2.0, 3.0]),
        array(&[10.0, 20.0, 30.0]),
    ];
    for result in loaded.entry("main")?.run(&inputs)? {
        println!("{result}");
    }
    Ok(())
}
