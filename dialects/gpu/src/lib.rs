//! The gpu dialect: device modules, launches, ids, workgroup memory, barriers.
