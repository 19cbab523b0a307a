// errors: builtin.module(array-to-kernel)
// Schedules of maps: of more dimensions than the nest has, of another kind, and of what is no nest around sequential code.
func.func @deep(%a: !array.array<[n][m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %c = array.map (%row in %a : [n][m]f32) {
    %s = array.reduce (%row : [m]f32) init (%zero : f32) combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      array.yield %u : f32
    }
    array.yield %s : f32
  } {schedule = #kernel.schedule<stripmine [16, 16], chunk 8>}
  func.return %c : !array.array<[n]f32>
}
// -----
func.func @text(%a: !array.array<[n][m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %c = array.map (%row in %a : [n][m]f32) {
    %s = array.reduce (%row : [m]f32) init (%zero : f32) combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      array.yield %u : f32
    }
    array.yield %s : f32
  } {schedule = "chunk 8"}
  func.return %c : !array.array<[n]f32>
}
// -----
func.func @flat(%a: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %c = array.map (%x in %a : [n]f32) {
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } {schedule = #kernel.schedule<chunk 8>}
  func.return %c : !array.array<[n]f32>
}
// ===== expected
input:5:8: error: 'array.map' op has a schedule with tiles of 2 dimensions, but is a nest of 1
  |
5 |   %c = array.map (%row in %a : [n][m]f32) {
  |        ^^^^^^^^^
  |
  = op: %c = "array.map"(%a) ({...}) {schedule = #kernel.schedule<stripmine [16, 16], chunk 8>} : (!array.array<[n][m]f32>) -> !array.array<[n]f32>
input:17:8: error: 'array.map' op attribute `schedule` must be a schedule (`#kernel.schedule<stripmine [N], ...>`)
   |
17 |   %c = array.map (%row in %a : [n][m]f32) {
   |        ^^^^^^^^^
   |
   = op: %c = "array.map"(%a) ({...}) {schedule = "chunk 8"} : (!array.array<[n][m]f32>) -> !array.array<[n]f32>
input:28:8: remark: array.map becomes a segmap over 1 dimension
   |
28 |   %c = array.map (%x in %a : [n]f32) {
   |        ^^^^^^^^^
input:28:8: error: 'array.map' op has a schedule, but becomes no nest of maps around sequential code
   |
28 |   %c = array.map (%x in %a : [n]f32) {
   |        ^^^^^^^^^
   |
   = op: %c = "array.map"(%a) ({...}) {schedule = #kernel.schedule<chunk 8>} : (!array.array<[n]f32>) -> !array.array<[n]f32>
