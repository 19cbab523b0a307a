// run
// Convolution of images with channels, as networks have it: batch, filters, rows, columns around sums over channels and windows.
// inputs: [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]; [[[[1, 0], [0, 1]]]]
// outputs: [[[[6, 8], [12, 14]]]]
// inputs: random:BxCxHx5; random:2xCx3x3 where B = 1 2; C = 1 3; H = 3 4 7
// structure: kernel.segmap 1
// shapes: 5
// versions: kernel.segmap 6, kernel.segred 9
func.func @main(%images: !array.array<[b][c][h][w]i64>, %filters: !array.array<[f][c][y][x]i64>) -> !array.array<[b][f][?][?]i64> {
  %zero = arith.constant 0 : i64
  %c1 = arith.constant 1 : index
  %h = array.dim %images, 2 : [b][c][h][w]i64
  %w = array.dim %images, 3 : [b][c][h][w]i64
  %y = array.dim %filters, 2 : [f][c][y][x]i64
  %x = array.dim %filters, 3 : [f][c][y][x]i64
  %h0 = arith.subi %h, %y : index
  %w0 = arith.subi %w, %x : index
  %rows = arith.addi %h0, %c1 : index
  %columns = arith.addi %w0, %c1 : index
  %is = array.iota %rows : [?]index
  %js = array.iota %columns : [?]index
  %ys = array.iota %y : [y]index
  %xs = array.iota %x : [x]index
  %r = array.map (%image in %images : [b][c][h][w]i64) {
    %of = array.map (%filter in %filters : [f][c][y][x]i64) {
      %plane = array.map (%i in %is : [?]index) {
        %line = array.map (%j in %js : [?]index) {
          %sum = array.redomap (%channel in %image : [c][h][w]i64, %weights in %filter : [c][y][x]i64) init (%zero : i64) map {
            %of_rows = array.redomap (%dy in %ys : [y]index, %row in %weights : [y][x]i64) init (%zero : i64) map {
              %at = arith.addi %i, %dy : index
              %of_cells = array.redomap (%dx in %xs : [x]index, %weight in %row : [x]i64) init (%zero : i64) map {
                %to = arith.addi %j, %dx : index
                %pixel = array.index %channel[%at, %to] : [h][w]i64
                %p = arith.muli %pixel, %weight : i64
                array.yield %p : i64
              } combine arith.addi
              array.yield %of_cells : i64
            } combine arith.addi
            array.yield %of_rows : i64
          } combine arith.addi
          array.yield %sum : i64
        }
        array.yield %line : [?]i64
      }
      array.yield %plane : [?][?]i64
    }
    array.yield %of : [f][?][?]i64
  }
  func.return %r : !array.array<[b][f][?][?]i64>
}
