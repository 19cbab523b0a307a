// run
// Arrays made in a map, of sizes that are the same for all its elements: a parameter, a product of parameters, and a
// product of a parameter and an extent. Named or not, they are parallel in all versions.
// inputs: [3, -1, 2]; 4; 2
// inputs: random:N; K; L where N = 0 1 40; K = 0 3 70; L = 1 3
// structure: kernel.segmap 1, kernel.segred 2, kernel.segscan 2
// versions: kernel.segmap 3, kernel.segred 3, kernel.segscan 3
func.func @main(%xs: !array.array<[n]i32>, %k: index, %l: index) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %r, %t = array.map (%x in %xs : [n]i32) {
    %kl = arith.muli %k, %l : index
    %is = array.iota %kl : [kl]i32
    %ys = array.replicate %x, [%kl] : i32 -> [kl]i32
    %ps = array.scan (%ys : [kl]i32) init (%zero : i32) combine arith.addi
    %zs = array.map (%i in %is : [kl]i32, %p in %ps : [kl]i32) {
      %z = arith.xori %i, %p : i32
      array.yield %z : i32
    }
    %s = array.reduce (%zs : [kl]i32) init (%zero : i32) combine arith.addi
    %n = array.dim %xs, 0 : [n]i32
    %nk = arith.muli %n, %k : index
    %ws = array.iota %nk : [?]i32
    %ms = array.scan (%ws : [?]i32) init (%zero : i32) combine arith.xori
    %m = array.reduce (%ms : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s, %m : i32, i32
  }
  func.return %r, %t : !array.array<[n]i32>, !array.array<[n]i32>
}
