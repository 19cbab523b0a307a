//! A project outside of the workspace adds a dialect, a pass, a driver and a language by the public API: it is built and
//! tested here.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn a_project_outside_the_workspace_extends_segra() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let project = root.join("tests/outside");
    // The same versions as here, so that nothing is downloaded.
    std::fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock"))
        .expect("the lock file can be copied");
    // The same folder too, so that what is built is used.
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_segra-opt"));
    let target = binary
        .ancestors()
        .nth(2)
        .expect("binaries lie in target/PROFILE")
        .to_owned();
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--manifest-path"])
        .arg(project.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    for test in [
        "numbers_become_integers_and_mean_the_same",
        "programs_compute_what_they_say",
    ] {
        assert!(told.contains(&format!("{test} ... ok")), "{told}");
    }
}
