// run
// Two reductions of a point over the same array, tiled: each loop has a first copy of its own.
// inputs: random:NxM; random:N where N = 0 1 3 64 130; M = 1
// structure: kernel.seghist 0, kernel.segmap 1, kernel.segred 2
// versions: kernel.segmap 3, kernel.segred 4
func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
%zero = arith.constant 0 : i32
%v22, %v23 = array.map (%v1 in %xss : [n][m]i32, %v2 in %xs : [n]i32) {
%v3 = arith.constant 42 : i32
%v4, %v5 = array.redomap (%v6 in %xs : [n]i32) init (%v3 : i32) map {
%v7 = arith.addi %v6, %v2 : i32
array.yield %v7, %v7 : i32, i32
} combine (%v8, %v9) {
%v10 = arith.muli %v8, %v9 : i32
array.yield %v10 : i32
}
%v11 = array.filter (%v12 in %v5 : [n]i32) -> [?] {
%v13 = arith.cmpi slt, %v12, %v2 : i32
array.yield %v13 : i1
}
%v14 = array.map (%v15 in %v11 : [?]i32) {
%v16 = arith.muli %v15, %v4 : i32
array.yield %v16 : i32
}
%v18 = arith.constant -2147483648 : i32
%v17 = array.reduce (%v14 : [?]i32) init (%v18 : i32) combine (%v19, %v20) {
%v21 = arith.maxsi %v19, %v20 : i32
array.yield %v21 : i32
}
array.yield %v17, %v4 : i32, i32
}
func.return %v22, %v23 : !array.array<[n]i32>, !array.array<[n]i32>
}
