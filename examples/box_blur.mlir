// A box blur: the mean of the elements at most %reach away in each dimension, those beyond an edge being the nearest ones
// inside. A stencil, written as a map over places that reads its neighbours.
func.func @main(%xs: !array.array<[h][w]f32>, %reach: index) -> !array.array<[h][w]f32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = array.dim %xs, 0 : [h][w]f32
  %w = array.dim %xs, 1 : [h][w]f32
  %bottom = arith.subi %h, %c1 : index
  %right = arith.subi %w, %c1 : index
  %twice = arith.addi %reach, %reach : index
  %side = arith.addi %twice, %c1 : index
  %area = arith.muli %side, %side : index
  %area_i = arith.index_cast %area : index to i64
  %area_f = arith.sitofp %area_i : i64 to f32
  %ys = array.iota %h : [h]index
  %is = array.iota %w : [w]index
  %blurred = array.map (%y in %ys : [h]index) {
    %row = array.map (%x in %is : [w]index) {
      %sum = scf.for %i = %c0 to %side step %c1 iter_args(%outer = %zero) -> (f32) {
        %down = arith.addi %y, %i : index
        %up = arith.subi %down, %reach : index
        %below = arith.maxsi %up, %c0 : index
        %v = arith.minsi %below, %bottom : index
        %line = scf.for %j = %c0 to %side step %c1 iter_args(%inner = %outer) -> (f32) {
          %along = arith.addi %x, %j : index
          %back = arith.subi %along, %reach : index
          %after = arith.maxsi %back, %c0 : index
          %u = arith.minsi %after, %right : index
          %value = array.index %xs[%v, %u] : [h][w]f32
          %next = arith.addf %inner, %value : f32
          scf.yield %next : f32
        }
        scf.yield %line : f32
      }
      %mean = arith.divf %sum, %area_f : f32
      array.yield %mean : f32
    }
    array.yield %row : [w]f32
  }
  func.return %blurred : !array.array<[h][w]f32>
}
