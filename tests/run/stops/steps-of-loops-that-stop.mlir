// run
// A loop whose step is not positive stops the program, be there iterations or not; in a map, around maps, with another type.
// inputs: [5, 4]; [2, 1]; 5; 2; 3; 1; 3; 1
// outputs: [6, 6]; 6; [11, 10]; 3
// inputs: [5, 0]; [2, 0]; 5; 2; 3; 1; 3; 1
// error: @%t = scf.for@ ... 'scf.for' op needs a positive step, not 0
// inputs: [5, -3]; [2, -1]; 5; 2; 3; 1; 3; 1
// error: @%t = scf.for@ ... 'scf.for' op needs a positive step, not -1
// inputs: [5, 4]; [2, 1]; 0; 0; 3; 1; 3; 1
// error: @%u = scf.for@ ... 'scf.for' op needs a positive step, not 0
// inputs: [5, 4]; [2, 1]; -9; -4; 3; 1; 3; 1
// error: @%u = scf.for@ ... 'scf.for' op needs a positive step, not -4
// inputs: [5, 4]; [2, 1]; 5; 2; 0; 0; 3; 1
// error: @%v = scf.for@ ... 'scf.for' op needs a positive step, not 0
// inputs: [5, 4]; [2, 1]; 5; 2; 3; 1; 3; -2147483648
// error: @%w = scf.for@ ... 'scf.for' op needs a positive step, not -2147483648
// inputs: []; []; 5; 2; 3; 2; 0; 7
// outputs: []; 6; []; 0
// structure: kernel.segmap 2
// versions: kernel.segmap 2
// shapes: 6
func.func @main(%ks: !array.array<[n]index>, %ss: !array.array<[n]index>, %k: index, %s: index, %l: index, %p: index, %m: i32, %q: i32) -> (!array.array<[n]index>, index, !array.array<[n]index>, i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %r = array.map (%e in %ks : [n]index, %f in %ss : [n]index) {
    %t = scf.for %i = %c0 to %e step %f iter_args(%a = %c0) -> (index) {
      %b = arith.addi %a, %i : index
      scf.yield %b : index
    }
    array.yield %t : index
  }
  %u = scf.for %i = %c0 to %k step %s iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  %v = scf.for %i = %c0 to %l step %p iter_args(%a = %ks) -> (!array.array<[n]index>) {
    %two = arith.constant 2 : index
    %b = array.map (%x in %a : [n]index) {
      %y = arith.addi %x, %two : index
      array.yield %y : index
    }
    scf.yield %b : !array.array<[n]index>
  }
  %w = scf.for %i = %zero to %m step %q iter_args(%a = %zero) -> (i32) : i32 {
    %b = arith.addi %a, %i : i32
    scf.yield %b : i32
  }
  func.return %r, %u, %v, %w : !array.array<[n]index>, index, !array.array<[n]index>, i32
}
