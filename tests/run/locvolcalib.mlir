// run
// inputs: random:2x3x40; 3
// inputs: random:AxBxC; 2 where A = 1 3; B = 1 2; C = 1 31 33 257
// inputs: random:3x2x5; 0
// inputs: random:0x2x5; 2
// inputs: random:2x0x5; 2
// inputs: random:2x2x0; 2
// structure: kernel.segscan 3
//
// The core of LocVolCalib as in "Regular flattening" (Henriksen 2021), Example: LocVolCalib: three scans along rows, here
// in the time loop that the benchmark has around them, in a map over volatilities. The loop moves out of the map where
// it is flattened; where a thread block runs a point, the loop runs inside it and the rows stay in shared memory.
// versions: kernel.at_least 9, kernel.segmap 5, kernel.segscan 9
func.func @main(%xsss: !array.array<[a][b][c]i32>, %steps: index) -> !array.array<[a][b][c]i32> {
  %zero = arith.constant 0 : i32
  %low = arith.constant -1000000 : i32
  %ones = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xss in %xsss : [a][b][c]i32) {
    %last = scf.for %t = %c0 to %steps step %c1 iter_args(%now = %xss) -> (!array.array<[b][c]i32>) {
      %rows = array.map (%xs in %now : [b][c]i32) {
        %bs = array.scan (%xs : [c]i32) init (%zero : i32) combine (%acc, %x) {
          %s = arith.addi %acc, %x : i32
          array.yield %s : i32
        }
        %cs = array.scan (%bs : [c]i32) init (%low : i32) combine (%acc, %x) {
          %s = arith.maxsi %acc, %x : i32
          array.yield %s : i32
        }
        %ds = array.scan (%cs : [c]i32) init (%ones : i32) combine (%acc, %x) {
          %s = arith.andi %acc, %x : i32
          array.yield %s : i32
        }
        array.yield %ds : !array.array<[c]i32>
      }
      scf.yield %rows : !array.array<[b][c]i32>
    }
    array.yield %last : !array.array<[b][c]i32>
  }
  func.return %r : !array.array<[a][b][c]i32>
}
