//! The search over combinations of kernels (Filipovič et al., table 5) asks for little beside compiling the kernels it chooses.

use super::work;

/// The pass, which emits the kernels it chooses, may ask for so much of the memory that the pipeline to the device level asks for.
const SHARE: f64 = 0.1;

#[test]
fn a_space_of_kernels_is_searched_without_making_them() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["bicgk", "gemver", "atax"] {
        let path = root.join(format!("benches/sequences/{name}.mlir"));
        let text = std::fs::read_to_string(path).expect("the program is in the repository");
        let rows = work(&text, "array-to-gpu");
        let all: u64 = rows.iter().map(|row| row.1).sum();
        let searches = rows.iter().filter(|row| row.0.contains("fuse-traversals"));
        let search: u64 = searches.map(|row| row.1).sum();
        let share = search as f64 / all as f64;
        assert!(
            share > 0.0 && share <= SHARE,
            "{name}: the search asks for {search} of {all} bytes, {share:.3}"
        );
    }
}
