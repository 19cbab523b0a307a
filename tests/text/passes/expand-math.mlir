// pass: builtin.module(expand-math)
// Functions without an exact instruction become arithmetic.
module {
  func.func @f(%x: f32) -> (f32, f32) {
    %0 = math.exp %x : f32
    %1 = math.absf %x : f32
    return %0, %1 : f32, f32
  }
}
