// run
// Scans that begin with 42 or a number given: with xs all 1, element i is 42 + i + 1, exclusive k + i; a maximum from 42.
// inputs: [1, 1, 1]; 10
// outputs: [43, 44, 45]; [10, 11, 12]; [42, 42, 42]
// inputs: []; 10
// outputs: []; []; []
// inputs: random:N; 5 where N = 1 2 31 32 33 1023 1025 4096 4097 60000
// structure: kernel.segscan 2
// versions: kernel.segscan 2
func.func @main(%xs: !array.array<[n]i32>, %k: i32) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %c42 = arith.constant 42 : i32
  %sums = array.scan (%xs : [n]i32) init (%c42 : i32) combine arith.addi
  %offsets = array.scan exclusive (%xs : [n]i32) init (%k : i32) combine arith.addi
  %highest = array.scan (%xs : [n]i32) init (%c42 : i32) combine arith.maxsi
  func.return %sums, %offsets, %highest : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
