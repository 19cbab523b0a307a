// pass: builtin.module(explicit-partitions{kernels=each})
// The example of Janssen and Scholz, section 2.2: with T = [3, 2] and W = [2, 1] as their text says, and with T = [2, 3] and
// W = [1, 2] as their picture shows, one partition becomes seven that have each of the 49 indices once. Then listing 4,
// whose two partitions become three; and two partitions that overlap, of which the second one wins.
func.func @text(%zero: i32, %one: i32) -> !array.array<[7][7]i32> {
  %a = array.with_loop genarray [7, 7] default (%zero : i32) partition ([1, 1] <= (%i, %j) < [6, 6] step [3, 2] width [2, 1]) {
    array.yield %one : i32
  } : [7][7]i32
  func.return %a : !array.array<[7][7]i32>
}
func.func @picture(%zero: i32, %one: i32) -> !array.array<[7][7]i32> {
  %a = array.with_loop genarray [7, 7] default (%zero : i32) partition ([1, 1] <= (%i, %j) < [6, 6] step [2, 3] width [1, 2]) {
    array.yield %one : i32
  } : [7][7]i32
  func.return %a : !array.array<[7][7]i32>
}
func.func @listing_4(%a: !array.array<[1500]i32>, %zero: i32, %one: i32) -> !array.array<[1500]i32> {
  %b = array.with_loop genarray [1500] default (%zero : i32) partition ([0] <= (%i) < [1000] step [2]) {
    %x = array.index %a[%i] : [1500]i32
    %y = arith.addi %x, %one : i32
    array.yield %y : i32
  } partition ([1000] <= (%i) < [1500]) {
    %x = array.index %a[%i] : [1500]i32
    array.yield %x : i32
  } : [1500]i32
  func.return %b : !array.array<[1500]i32>
}
func.func @overlap(%zero: i32, %one: i32) -> !array.array<[9]i32> {
  %a = array.with_loop genarray [9] default (%zero : i32) partition ((%i) < [9] step [2]) {
    array.yield %zero : i32
  } partition ([1] <= (%i) < [8] step [3] width [2]) mapping "GridBlock(1, SplitLast(32, ShiftLB(Gen)))" {
    array.yield %one : i32
  } : [9]i32
  func.return %a : !array.array<[9]i32>
}
// ===== expected
builtin.module {
  func.func @text(%zero: i32, %one: i32) -> !array.array<[7][7]i32> {
    %0 = array.with_loop explicit genarray [7, 7] partition ([1, 1] <= (%arg0, %arg1) < [6, 6] step [3, 2] width [2, 1]) {
      array.yield %one : i32
    } partition ((%arg0, %arg1) < [1, 7]) {
      array.yield %zero : i32
    } partition ([6, 0] <= (%arg0, %arg1) < [7, 7]) {
      array.yield %zero : i32
    } partition ([1, 0] <= (%arg0, %arg1) < [6, 1]) {
      array.yield %zero : i32
    } partition ([1, 6] <= (%arg0, %arg1) < [6, 7]) {
      array.yield %zero : i32
    } partition ([3, 1] <= (%arg0, %arg1) < [4, 6]) {
      array.yield %zero : i32
    } partition ([1, 2] <= (%arg0, %arg1) < [6, 6] step [3, 2] width [2, 1]) {
      array.yield %zero : i32
    } : [7][7]i32
    func.return %0 : !array.array<[7][7]i32>
  }
  func.func @picture(%zero: i32, %one: i32) -> !array.array<[7][7]i32> {
    %0 = array.with_loop explicit genarray [7, 7] partition ([1, 1] <= (%arg0, %arg1) < [6, 6] step [2, 3] width [1, 2]) {
      array.yield %one : i32
    } partition ((%arg0, %arg1) < [1, 7]) {
      array.yield %zero : i32
    } partition ([6, 0] <= (%arg0, %arg1) < [7, 7]) {
      array.yield %zero : i32
    } partition ([1, 0] <= (%arg0, %arg1) < [6, 1]) {
      array.yield %zero : i32
    } partition ([1, 6] <= (%arg0, %arg1) < [6, 7]) {
      array.yield %zero : i32
    } partition ([2, 1] <= (%arg0, %arg1) < [6, 6] step [2, 1]) {
      array.yield %zero : i32
    } partition ([1, 3] <= (%arg0, %arg1) < [6, 4] step [2, 1]) {
      array.yield %zero : i32
    } : [7][7]i32
    func.return %0 : !array.array<[7][7]i32>
  }
  func.func @listing_4(%a: !array.array<[1500]i32>, %zero: i32, %one: i32) -> !array.array<[1500]i32> {
    %0 = array.with_loop explicit genarray [1500] partition ((%arg0) < [1000] step [2]) {
      %x = array.index %a[%arg0] : [1500]i32
      %y = arith.addi %x, %one : i32
      array.yield %y : i32
    } partition ([1000] <= (%arg0) < [1500]) {
      %x = array.index %a[%arg0] : [1500]i32
      array.yield %x : i32
    } partition ([1] <= (%arg0) < [1000] step [2]) {
      array.yield %zero : i32
    } : [1500]i32
    func.return %0 : !array.array<[1500]i32>
  }
  func.func @overlap(%zero: i32, %one: i32) -> !array.array<[9]i32> {
    %0 = array.with_loop explicit genarray [9] partition ((%arg0) < [1]) {
      array.yield %zero : i32
    } partition ([8] <= (%arg0) < [9]) {
      array.yield %zero : i32
    } partition ([6] <= (%arg0) < [7]) {
      array.yield %zero : i32
    } partition ([1] <= (%arg0) < [8] step [3] width [2]) mapping "GridBlock(1, SplitLast(32, ShiftLB(Gen)))" {
      array.yield %one : i32
    } partition ([3] <= (%arg0) < [4]) {
      array.yield %zero : i32
    } : [9]i32
    func.return %0 : !array.array<[9]i32>
  }
}
