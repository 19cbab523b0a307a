//! Where the worker program is.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{ErrorCode, MlirError};
use crate::protocol::PROGRAM;

/// Names the worker's executable, before anything else is looked at.
const VARIABLE: &str = "SEGRA_PTX";

/// The worker's executable: the one that `SEGRA_PTX` names, else one beside this program, else one on `PATH`.
pub(crate) fn find() -> Result<PathBuf, MlirError> {
    search(
        env::var_os(VARIABLE),
        env::current_exe().ok().as_deref(),
        env::var_os("PATH"),
    )
}

fn search(
    named: Option<OsString>,
    program: Option<&Path>,
    path: Option<OsString>,
) -> Result<PathBuf, MlirError> {
    if let Some(named) = named.filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return match named.is_file() {
            true => Ok(named),
            false => Err(missing(&format!(
                "{VARIABLE} names `{}`, which is no file",
                named.display()
            ))),
        };
    }
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let on_path = path.iter().flat_map(env::split_paths);
    let folders = program.into_iter().flat_map(folders_beside).chain(on_path);
    folders
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            missing(&format!(
                "it is neither beside this program nor on PATH, and {VARIABLE} does not name it"
            ))
        })
}

/// The program's own folder; for cargo's tests and examples also the one that its tools are in.
fn folders_beside(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else {
        return Vec::new();
    };
    let mut folders = vec![folder.to_owned()];
    if folder.ends_with("deps") || folder.ends_with("examples") {
        folders.extend(folder.parent().map(Path::to_owned));
    }
    folders
}

fn missing(how: &str) -> MlirError {
    let message = format!(
        "PTX is made by the program `{PROGRAM}`, and {how}; `cargo build --bin {PROGRAM}` in a clone of \
         Segra builds it, with LLVM 22 (tools/setup)"
    );
    MlirError::new(ErrorCode::NoWorker, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_variable_comes_before_the_programs_folder_and_that_before_the_path() {
        let root = tempfile::tempdir().unwrap();
        let at = |folder: &str| root.path().join(folder).join(PROGRAM);
        for folder in ["named", "debug", "debug/deps", "path"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(at(folder), "").unwrap();
        }
        let named = Some(at("named").into_os_string());
        let path =
            Some(env::join_paths([root.path().join("nothing"), root.path().join("path")]).unwrap());
        let test = root.path().join("debug/deps/test-0123");
        let find = |named: &Option<OsString>| search(named.clone(), Some(&test), path.clone());
        assert_eq!(find(&named), Ok(at("named")));
        assert_eq!(find(&Some(OsString::new())), Ok(at("debug/deps")));
        fs::remove_file(at("debug/deps")).unwrap();
        assert_eq!(find(&None), Ok(at("debug")));
        fs::remove_file(at("debug")).unwrap();
        assert_eq!(find(&None), Ok(at("path")));
        fs::remove_file(at("path")).unwrap();
        let error = find(&None).unwrap_err();
        assert_eq!(error.code, ErrorCode::NoWorker);
        assert!(
            error.message.contains("cargo build --bin segra-ptx"),
            "{error}"
        );
        // A name that is wrong is not passed over.
        let error = search(Some("/no/such/file".into()), Some(&test), path).unwrap_err();
        assert!(
            error.message.contains("SEGRA_PTX names `/no/such/file`"),
            "{error}"
        );
    }
}
