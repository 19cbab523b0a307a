// run
// Shifts by 2^32 and by the value itself, floats that no integer holds, and the sign of a NaN have the values that the
// docs of the ops give them, although LLVM leaves them undefined.
// inputs: [5, -5, 7]; [4294967296, 4294967297, 1]; [-1, -5, 100]; [nan, inf, -1000]; [1, -2, 3]; [0, inf, -4]
// outputs: [0, 0, 14]; [0, 0, 3]; [0, -1, 3]; [-1, -1, 0]; [false, false, true]; [0, 127, -128]; [0, 255, 0]; [0, 9223372036854775807, -1000]; [1, 2, 3]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i64>, %ks: !array.array<[n]i64>, %is: !array.array<[n]i32>, %fs: !array.array<[n]f32>, %as: !array.array<[n]f32>, %bs: !array.array<[n]f32>) -> (!array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i32>, !array.array<[n]i1>, !array.array<[n]i8>, !array.array<[n]i8>, !array.array<[n]i64>, !array.array<[n]f32>) {
  %ls, %us, %ss, %ts, %bools, %bytes, %unsigned, %longs, %signed = array.map (%x in %xs : [n]i64, %k in %ks : [n]i64, %i in %is : [n]i32, %f in %fs : [n]f32, %a in %as : [n]f32, %b in %bs : [n]f32) {
    %l = arith.shli %x, %k : i64
    %u = arith.shrui %x, %k : i64
    %s = arith.shrsi %x, %k : i64
    %t = arith.shrsi %i, %i : i32
    %bool = arith.fptosi %f : f32 to i1
    %byte = arith.fptosi %f : f32 to i8
    %unsigned_byte = arith.fptoui %f : f32 to i8
    %long = arith.fptosi %f : f32 to i64
    %one = arith.divf %b, %b : f32
    %sign = math.copysign %a, %one : f32
    array.yield %l, %u, %s, %t, %bool, %byte, %unsigned_byte, %long, %sign : i64, i64, i64, i32, i1, i8, i8, i64, f32
  }
  func.return %ls, %us, %ss, %ts, %bools, %bytes, %unsigned, %longs, %signed : !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i32>, !array.array<[n]i1>, !array.array<[n]i8>, !array.array<[n]i8>, !array.array<[n]i64>, !array.array<[n]f32>
}
