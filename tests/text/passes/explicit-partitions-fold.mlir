// pass: builtin.module(explicit-partitions{kernels=each})
// With-loop folding: a with-loop that reads another one at its own index takes it in, and no array is made between; at an
// index two away, too. One that reads at an index of its own making does not.
func.func @same(%n: index, %zero: i32, %one: i32) -> !array.array<[?]i32> {
  %a = array.with_loop genarray [100] default (%zero : i32) partition ((%i) < [100] step [2]) {
    %x = arith.index_cast %i : index to i32
    array.yield %x : i32
  } : [100]i32
  %b = array.with_loop genarray [%n] default (%one : i32) partition ([10] <= (%i) < [50]) {
    %x = array.index %a[%i] : [100]i32
    %y = arith.addi %x, %one : i32
    array.yield %y : i32
  } : [?]i32
  func.return %b : !array.array<[?]i32>
}
func.func @shifted(%zero: i32, %one: i32) -> !array.array<[98]i32> {
  %c2 = arith.constant 2 : index
  %a = array.with_loop genarray [100] default (%zero : i32) partition ([4] <= (%i) < [100]) {
    %x = arith.index_cast %i : index to i32
    array.yield %x : i32
  } : [100]i32
  %b = array.with_loop genarray [98] default (%one : i32) partition ((%i) < [98]) {
    %j = arith.addi %i, %c2 : index
    %x = array.index %a[%j] : [100]i32
    array.yield %x : i32
  } : [98]i32
  func.return %b : !array.array<[98]i32>
}
func.func @gathered(%is: !array.array<[100]index>, %zero: i32) -> !array.array<[100]i32> {
  %a = array.with_loop genarray [100] default (%zero : i32) partition ([4] <= (%i) < [100]) {
    %x = arith.index_cast %i : index to i32
    array.yield %x : i32
  } : [100]i32
  %b = array.with_loop genarray [100] default (%zero : i32) partition ([50] <= (%i) < [100]) {
    %j = array.index %is[%i] : [100]index
    %x = array.index %a[%j] : [100]i32
    array.yield %x : i32
  } : [100]i32
  func.return %b : !array.array<[100]i32>
}
// ===== expected
builtin.module {
  func.func @same(%n: index, %zero: i32, %one: i32) -> !array.array<[?]i32> {
    %c10 = arith.constant 10 : index
    %0 = arith.minsi %n, %c10 : index
    %1 = array.with_loop explicit genarray [%n] partition ([10] <= (%arg0) < [50] step [2]) {
      %c0 = arith.constant 0 : index
      %x = arith.index_cast %arg0 : index to i32
      %y = arith.addi %x, %one : i32
      array.yield %y : i32
    } partition ([11] <= (%arg0) < [50] step [2]) {
      %y = arith.addi %zero, %one : i32
      array.yield %y : i32
    } partition ((%arg0) < [%0]) {
      array.yield %one : i32
    } partition ([50] <= (%arg0) < [%n]) {
      array.yield %one : i32
    } : [?]i32
    func.return %1 : !array.array<[?]i32>
  }
  func.func @shifted(%zero: i32, %one: i32) -> !array.array<[98]i32> {
    %c2 = arith.constant 2 : index
    %0 = array.with_loop explicit genarray [98] partition ([2] <= (%arg0) < [98]) {
      %c2_0 = arith.constant 2 : index
      %1 = arith.addi %arg0, %c2_0 : index
      %x = arith.index_cast %1 : index to i32
      %j = arith.addi %arg0, %c2 : index
      array.yield %x : i32
    } partition ((%arg0) < [2]) {
      %j = arith.addi %arg0, %c2 : index
      array.yield %zero : i32
    } : [98]i32
    func.return %0 : !array.array<[98]i32>
  }
  func.func @gathered(%is: !array.array<[100]index>, %zero: i32) -> !array.array<[100]i32> {
    %0 = array.with_loop explicit genarray [100] partition ([4] <= (%arg0) < [100]) {
      %x = arith.index_cast %arg0 : index to i32
      array.yield %x : i32
    } partition ((%arg0) < [4]) {
      array.yield %zero : i32
    } : [100]i32
    %1 = array.with_loop explicit genarray [100] partition ([50] <= (%arg0) < [100]) {
      %j = array.index %is[%arg0] : [100]index
      %x = array.index %0[%j] : [100]i32
      array.yield %x : i32
    } partition ((%arg0) < [50]) {
      array.yield %zero : i32
    } : [100]i32
    func.return %1 : !array.array<[100]i32>
  }
}
