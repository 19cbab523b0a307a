//! What a compiled program is: PTX per target, kernel manifest, host plan, tunables. No IR, no LLVM, no CUDA.
