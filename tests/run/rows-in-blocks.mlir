// run
// Ops that iterate over the same rows are one kernel where a row fits a thread block: softmax, its sums, a scan of what the
// rows are, and what each row has at its end. Rows too short, fitting and too long for one.
// inputs: random:NxM where N = 0 1 3 70; M = 0 1 16 17 31 32 33 256 1023 1025
// inputs: random:2x4100
// inputs: random:65x4100
// inputs: random:1x11000
// structure: kernel.segred 2, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segred 4, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n]f32>, !array.array<[n][m]index>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lowest = arith.constant 0xFF800000 : f32
  %yss, %sums, %counts = array.map (%xs in %xss : [n][m]f32) {
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
    %flags = array.map (%x in %xs : [m]f32) {
      %large = arith.cmpf ogt, %x, %half : f32
      %flag = arith.select %large, %one, %none : index
      array.yield %flag : index
    }
    %count = array.scan (%flags : [m]index) init (%none : index) combine (%acc, %f) {
      %s = arith.addi %acc, %f : index
      array.yield %s : index
    }
    array.yield %ys, %sum, %count : !array.array<[m]f32>, f32, !array.array<[m]index>
  }
  func.return %yss, %sums, %counts : !array.array<[n][m]f32>, !array.array<[n]f32>, !array.array<[n][m]index>
}
