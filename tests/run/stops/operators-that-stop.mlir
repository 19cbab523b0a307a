// run
// An operator runs once for each element: a check in it stops the program where there are elements, on whatever level, and never
// where there are none, nor for elements of a histogram without a bin. It is not lost where the values do not need it.
// inputs: [1, 2]; [0, 1]; [5, 5]; [[1, 2], [3, 4]]; 1; 1; 1; [1, 1]
// outputs: 8; [5, 6]; [6, 6]; [3, 7]
// inputs: [1, 2]; [0, 1]; [5, 5]; [[1, 2], [3, 4]]; 0; 1; 1; [1, 1]
// error: @%qa = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: [1, 2]; [0, 1]; [5, 5]; [[1, 2], [3, 4]]; 1; 0; 1; [1, 1]
// error: @%qb = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: [1, 2]; [0, 1]; [5, 5]; [[1, 2], [3, 4]]; 1; 1; 0; [1, 1]
// error: @%qc = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: [1, 2]; [0, 1]; [5, 5]; [[1, 2], [3, 4]]; 1; 1; 1; [1, 0]
// error: @%qd = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: []; []; [5, 5]; [[1, 2], [3, 4]]; 0; 0; 0; [1, 1]
// outputs: 5; []; [5, 5]; [3, 7]
// inputs: [1, 2]; [7, -1]; [5, 5]; [[1, 2], [3, 4]]; 1; 1; 0; [1, 1]
// outputs: 8; [5, 6]; [5, 5]; [3, 7]
// inputs: [1, 2]; [0, 1]; []; random:2x0; 1; 1; 0; [0, 0]
// outputs: 8; [5, 6]; []; [0, 0]
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 3, kernel.segred 2, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>, %is: !array.array<[n]index>, %bins: !array.array<[b]i32>, %xss: !array.array<[r][c]i32>, %ka: i32, %kb: i32, %kc: i32, %kds: !array.array<[r]i32>) -> (i32, !array.array<[n]i32>, !array.array<[b]i32>, !array.array<[r]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %a = array.reduce (%xs : [n]i32) init (%five : i32) neutral (%zero : i32) combine (%x, %y) {
    %qa = arith.divsi %five, %ka : i32
    %none = arith.subi %qa, %qa : i32
    %sum = arith.addi %x, %y : i32
    %all = arith.addi %sum, %none : i32
    array.yield %all : i32
  }
  %b = array.scan exclusive (%xs : [n]i32) init (%five : i32) neutral (%zero : i32) combine (%x, %y) {
    %qb = arith.divsi %five, %kb : i32
    %sum = arith.addi %x, %y : i32
    array.yield %sum : i32
  }
  %c = array.hist (%i in %is : [n]index) into (%bins : [b]i32) neutral (%zero : i32) map {
    array.yield %i, %one : index, i32
  } combine (%x, %y) {
    %qc = arith.divsi %five, %kc : i32
    %sum = arith.addi %x, %y : i32
    array.yield %sum : i32
  }
  %d = array.map (%row in %xss : [r][c]i32, %kd in %kds : [r]i32) {
    %s = array.reduce (%row : [c]i32) init (%zero : i32) neutral (%zero : i32) combine (%x, %y) {
      %qd = arith.divsi %five, %kd : i32
      %none = arith.subi %qd, %qd : i32
      %sum = arith.addi %x, %y : i32
      %all = arith.addi %sum, %none : i32
      array.yield %all : i32
    }
    array.yield %s : i32
  }
  func.return %a, %b, %c, %d : i32, !array.array<[n]i32>, !array.array<[b]i32>, !array.array<[r]i32>
}
