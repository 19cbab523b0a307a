// run
// Where every point cuts another part, the point that cuts outside stops the program.
// inputs: [[1, 2, 3], [10, 20, 30]]; [2, 3]
// outputs: [3, 60]
// inputs: [[1, 2, 3], [10, 20, 30]]; [2, 4]
// error: :16:10: ... 'array.slice' op 4 elements from index 0 on reach outside of dimension 0 of [m]i32, which has 3
// inputs: [[1, 2, 3], [10, 20, 30]]; [-7, 1]
// error: :16:10: ... 'array.slice' op a size cannot be -7
// structure: kernel.segmap 1
// versions: kernel.segmap 6, kernel.segred 2, kernel.segscan 3
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]index>) -> !array.array<[n]i32> {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %sums = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]index) {
    %p = array.slice %xs[%none] sizes [%k] strides [%one] : [m]i32 -> [?]i32
    %s = array.reduce (%p : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %sums : !array.array<[n]i32>
}
