// pass: builtin.module(canonicalize)
// Where upstream's canonical form may differ in the last bit, or loses bits, and Segra keeps the program as it is.
module {
  func.func @rounded_twice(%x: i64) -> f32 {
    // From 64 bits to 53 to 24: the first rounding may make a tie of what is none.
    %0 = arith.sitofp %x : i64 to f64
    %1 = arith.truncf %0 : f64 to f32
    return %1 : f32
  }
  func.func @index_cast_loses_bits(%x: index) -> index {
    %0 = arith.index_cast %x : index to i32
    %1 = arith.index_cast %0 : i32 to index
    return %1 : index
  }
}
// ===== expected
builtin.module {
  func.func @rounded_twice(%x: i64) -> f32 {
    %0 = arith.sitofp %x : i64 to f64
    %1 = arith.truncf %0 : f64 to f32
    func.return %1 : f32
  }
  func.func @index_cast_loses_bits(%x: index) -> index {
    %0 = arith.index_cast %x : index to i32
    %1 = arith.index_cast %0 : i32 to index
    func.return %1 : index
  }
}
