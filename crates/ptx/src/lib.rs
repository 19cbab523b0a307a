//! PTX reader and SIMT simulator. No IR, no LLVM, no CUDA.
