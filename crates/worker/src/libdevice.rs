//! The file of CUDA's library of device functions, `libdevice.10.bc`: LLVM bitcode that math functions are linked from.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{ErrorCode, MlirError};

/// Where the file lies in a CUDA toolkit, and in NVIDIA's Python wheels.
const IN_TOOLKIT: &str = "nvvm/libdevice/libdevice.10.bc";

/// Environment variables that name a CUDA toolkit, in the order they are asked.
const TOOLKIT_VARIABLES: &[&str] = &["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"];

/// Where toolkits are installed by default.
const DEFAULT_TOOLKITS: &[&str] = &["/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"];

/// The library of a CUDA toolkit on this machine: of the one that `CUDA_HOME`, `CUDA_PATH` or `CUDA_ROOT` names, else of
/// one in a usual place.
pub fn find_libdevice() -> Option<PathBuf> {
    let named = TOOLKIT_VARIABLES
        .iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from);
    let usual = DEFAULT_TOOLKITS.iter().map(PathBuf::from);
    named
        .chain(usual)
        .map(|toolkit| toolkit.join(IN_TOOLKIT))
        .find(|path| path.is_file())
}

/// Refuses a file that cannot be the library; upstream's own message would name neither option nor reason.
pub(crate) fn check(path: &Path) -> Result<(), MlirError> {
    let refused = |reason: &str| {
        let message = format!("CUDA's device library `{}` {reason}", path.display());
        Err(MlirError::new(ErrorCode::Library, message))
    };
    let mut magic = [0; 4];
    match File::open(path).and_then(|mut file| file.read_exact(&mut magic)) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            refused("is not LLVM bitcode")
        }
        Err(error) => refused(&format!("cannot be read: {error}")),
        // LLVM's own magic number, and that of its wrapper.
        Ok(()) if [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]].contains(&magic) => Ok(()),
        Ok(()) => refused("is not LLVM bitcode"),
    }
}
