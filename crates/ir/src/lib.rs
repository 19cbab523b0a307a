//! The IR: entities, context, ops, blocks, regions, interfaces, verifier, text form, diagnostics.
