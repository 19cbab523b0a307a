// run
// A convolution of images that have channels with filters of 3 by 3: a sum over three dimensions, filters by columns tiled.
// inputs: random:BxCxHxW; random:FxCx3x3 where B = 2; C = 1 5; H = 3 5; W = 3 40; F = 9
// inputs: random:1x0x5x6; random:2x0x3x3
// inputs: random:1x2x5x6; random:0x2x3x3
// numpy: h, w = images.shape[2] - 2, images.shape[3] - 2
// numpy: r = np.zeros((len(images), len(filters), h, w), np.float32)
// numpy: for y in range(3):
// numpy:     for x in range(3):
// numpy:         r += np.einsum('bchw,fc->bfhw', images[:, :, y:y + h, x:x + w], filters[:, :, y, x])
// numpy: r
// structure: kernel.segmap 1
// versions: kernel.segmap 6, kernel.segred 9
// shapes: 5
func.func @main(%images: !array.array<[b][c][h][w]f32>, %filters: !array.array<[f][c][3][3]f32>) -> !array.array<[b][f][?][?]f32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = array.dim %images, 2 : [b][c][h][w]f32
  %w = array.dim %images, 3 : [b][c][h][w]f32
  %rows = arith.subi %h, %c2 : index
  %columns = arith.subi %w, %c2 : index
  %is = array.iota %rows : [?]index
  %js = array.iota %columns : [?]index
  %ds = array.iota %c3 : [3]index
  %r = array.map (%image in %images : [b][c][h][w]f32) {
    %of = array.map (%filter in %filters : [f][c][3][3]f32) {
      %plane = array.map (%i in %is : [?]index) {
        %line = array.map (%j in %js : [?]index) {
          %sum = array.redomap (%channel in %image : [c][h][w]f32, %weights in %filter : [c][3][3]f32) init (%zero : f32) map {
            %of_rows = array.redomap (%dy in %ds : [3]index, %row in %weights : [3][3]f32) init (%zero : f32) map {
              %at = arith.addi %i, %dy : index
              %of_cells = array.redomap (%dx in %ds : [3]index, %weight in %row : [3]f32) init (%zero : f32) map {
                %to = arith.addi %j, %dx : index
                %pixel = array.index %channel[%at, %to] : [h][w]f32
                %p = arith.mulf %pixel, %weight : f32
                array.yield %p : f32
              } combine arith.addf
              array.yield %of_cells : f32
            } combine arith.addf
            array.yield %of_rows : f32
          } combine arith.addf
          array.yield %sum : f32
        }
        array.yield %line : [?]f32
      }
      array.yield %plane : [?][?]f32
    }
    array.yield %of : [f][?][?]f32
  }
  func.return %r : !array.array<[b][f][?][?]f32>
}
