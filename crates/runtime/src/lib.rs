//! Devices (CUDA, simulator), buffers, and the executor of host plans.
