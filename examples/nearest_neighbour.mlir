// For each query point the nearest reference point: its squared distance and its number (the first of equals).
func.func @main(%qx: !array.array<[n]f32>, %qy: !array.array<[n]f32>, %px: !array.array<[m]f32>, %py: !array.array<[m]f32>)
    -> (!array.array<[n]f32>, !array.array<[n]i32>) {
  %far = arith.constant 0x7F800000 : f32
  %none = arith.constant 2147483647 : i32
  %count = array.dim %px, 0 : [m]f32
  %numbers = array.iota %count : [m]i32
  %distances, %nearest = array.map (%x in %qx : [n]f32, %y in %qy : [n]f32) {
    %d, %i = array.redomap (%u in %px : [m]f32, %v in %py : [m]f32, %number in %numbers : [m]i32)
        init (%far : f32, %none : i32) map {
      %dx = arith.subf %x, %u : f32
      %dy = arith.subf %y, %v : f32
      %dx2 = arith.mulf %dx, %dx : f32
      %dy2 = arith.mulf %dy, %dy : f32
      %distance = arith.addf %dx2, %dy2 : f32
      array.yield %distance, %number : f32, i32
    } combine (%d1, %i1, %d2, %i2) {
      %less = arith.cmpf olt, %d1, %d2 : f32
      %equal = arith.cmpf oeq, %d1, %d2 : f32
      %first = arith.cmpi slt, %i1, %i2 : i32
      %tie = arith.andi %equal, %first : i1
      %left = arith.ori %less, %tie : i1
      %best = arith.select %left, %d1, %d2 : f32
      %at = arith.select %left, %i1, %i2 : i32
      array.yield %best, %at : f32, i32
    }
    array.yield %d, %i : f32, i32
  }
  func.return %distances, %nearest : !array.array<[n]f32>, !array.array<[n]i32>
}
