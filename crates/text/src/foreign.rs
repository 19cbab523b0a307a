//! Files that are programs in another form than this text: their first bytes tell, and which program makes text of them.
//!
//! Deliberately absent: reading them.

/// The form of a file that is not text, and the command that makes text of it; `None` where the first bytes are of no known form.
pub fn foreign_form(bytes: &[u8]) -> Option<&'static str> {
    let has = |word: &[u8]| {
        bytes[..bytes.len().min(64)]
            .windows(word.len())
            .any(|part| part == word)
    };
    if bytes.starts_with(b"ML\xefR") {
        return Some(if has(b"StableHLO") {
            "StableHLO in MLIR's bytecode; `stablehlo-translate --deserialize FILE | stablehlo-opt --mlir-print-op-generic` writes it as text"
        } else {
            "MLIR's bytecode; `mlir-opt --mlir-print-op-generic FILE` writes it as text"
        });
    }
    if bytes.starts_with(b"BC\xc0\xde") {
        return Some("LLVM's bitcode, which is not read");
    }
    if bytes.starts_with(b"\x7fELF") {
        return Some("an object file, which is not read");
    }
    None
}

/// The program that reads the custom forms of a dialect that is not registered, and writes the generic form.
pub(crate) fn tool_of(dialect: &str) -> &'static str {
    match dialect {
        "stablehlo" | "chlo" | "vhlo" | "interpreter" => "stablehlo-opt",
        "mhlo" => "mlir-hlo-opt",
        "tt" | "ttg" | "ttng" | "triton_gpu" => "triton-opt",
        "torch" | "torch_c" => "torch-mlir-opt",
        "iree" | "flow" | "hal" | "util" | "stream" | "vm" | "iree_tensor_ext" => "iree-opt",
        "tf" | "tfl" | "tf_executor" => "tf-opt",
        "fir" | "hlfir" | "cuf" => "fir-opt",
        "cir" => "cir-opt",
        "hw" | "comb" | "seq" | "sv" | "firrtl" | "handshake" => "circt-opt",
        _ => "mlir-opt",
    }
}
