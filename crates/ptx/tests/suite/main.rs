//! Tests of the simulator as its users see it: PTX text in, memory and counts out.

mod arithmetic;
mod atomics;
mod barriers;
mod bugs;
mod checks;
mod common;
mod conversions;
mod copies;
mod documented;
mod exact;
mod extended;
mod faults;
mod launching;
mod limits;
mod llvm;
mod memory;
mod planted;
mod profile;
mod programs;
mod reader;
mod since;
mod single;
mod tensor;
mod trace;
mod warps;
mod wmma;
