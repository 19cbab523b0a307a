//! The only procedural macros: an op is one struct whose fields are its operands, attributes and regions.
