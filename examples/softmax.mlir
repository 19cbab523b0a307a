// Softmax of each row: maximum, exponentials, their sum, quotients.
func.func @main(%xss: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %yss = array.map (%xs in %xss : [n][m]f32) {
    %max = array.reduce (%xs : [m]f32) init (%lowest : f32) combine (%acc, %x) {
      %larger = arith.maximumf %acc, %x : f32
      array.yield %larger : f32
    }
    %es = array.map (%x in %xs : [m]f32) {
      %d = arith.subf %x, %max : f32
      %e = math.exp %d : f32
      array.yield %e : f32
    }
    %sum = array.reduce (%es : [m]f32) init (%zero : f32) combine (%acc, %e) {
      %s = arith.addf %acc, %e : f32
      array.yield %s : f32
    }
    %ys = array.map (%e in %es : [m]f32) {
      %y = arith.divf %e, %sum : f32
      array.yield %y : f32
    }
    array.yield %ys : [m]f32
  }
  func.return %yss : !array.array<[n][m]f32>
}
