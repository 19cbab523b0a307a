// round-trip
// Declarations, visibility, several results, attributes of arguments and results, calls.
builtin.module {
  func.func private @declared(i32, f32) -> f32
  func.func @none() {
    func.return
  }
  func.func @several(%a: i32 {segra.name = "a"}, %b: f32) -> (f32, i32 {segra.name = "r"}) attributes {segra.entry} {
    %0 = func.call @declared(%a, %b) : (i32, f32) -> f32
    func.call @none() : () -> ()
    func.return %0, %a : f32, i32
  }
  func.func @pair(%a: i32, %b: f32) -> i32 {
    %0:2 = func.call @several(%a, %b) : (i32, f32) -> (f32, i32)
    func.return %0#1 : i32
  }
}
