//! Lets the worker link the distribution's shared `libMLIR` and `libLLVM`.
//!
//! Debian packages MLIR's C interface as archives only, while `mlir-sys`, told to link shared libraries
//! (`MLIR_SYS_LINK_SHARED=1`, the default in `.cargo/config.toml`), asks for a shared `libMLIR-C`. A linker script
//! of that name stands in for it: it names the archives, and the shared libraries they need. With
//! `MLIR_SYS_LINK_SHARED=0` all of LLVM is linked statically and this script does nothing.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_LINK_SHARED");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    if env::var("MLIR_SYS_LINK_SHARED").as_deref() != Ok("1") {
        return Ok(());
    }
    let prefix = env::var("MLIR_SYS_220_PREFIX").map_err(
        |_| "MLIR_SYS_220_PREFIX is not set: it names the folder of LLVM 22, such as /usr/lib/llvm-22",
    )?;
    let libraries = Path::new(&prefix).join("lib");
    // libMLIR.so is not on the loader's path.
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libraries.display());
    let archives = archives(&libraries)?;
    if archives.is_empty() {
        return Ok(()); // A distribution with a shared libMLIR-C needs no stand-in.
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let names: Vec<String> = archives
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let script = format!(
        "GROUP ( {} AS_NEEDED ( libMLIR.so libLLVM-22.so ) )\n",
        names.join(" ")
    );
    fs::write(out.join("libMLIR-C.so"), script)?;
    println!("cargo:rustc-link-search=native={}", out.display());
    Ok(())
}

/// The archives of MLIR's C interface, in order of their names.
fn archives(libraries: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in
        fs::read_dir(libraries).map_err(|error| format!("{}: {error}", libraries.display()))?
    {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.starts_with("libMLIRCAPI") && name.ends_with(".a") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
