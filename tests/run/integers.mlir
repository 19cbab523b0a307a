// run
// Integers of every width wrap; comparison and shifts respect the sign.
// inputs: [127, -128]; [32767, -1]; [9223372036854775807, 1]
// outputs: [-128, -127]; [-2, -2]; [-9223372036854775808, 2]
// inputs: random:N; random:N; random:N where N = 1 257
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%as: !array.array<[n]i8>, %bs: !array.array<[n]i16>, %cs: !array.array<[n]i64>) -> (!array.array<[n]i8>, !array.array<[n]i16>, !array.array<[n]i64>) {
  %a1 = arith.constant 1 : i8
  %c1 = arith.constant 1 : i64
  %ra, %rb, %rc = array.map (%a in %as : [n]i8, %b in %bs : [n]i16, %c in %cs : [n]i64) {
    %x = arith.addi %a, %a1 : i8
    %y = arith.addi %b, %b : i16
    %z = arith.addi %c, %c1 : i64
    array.yield %x, %y, %z : i8, i16, i64
  }
  func.return %ra, %rb, %rc : !array.array<[n]i8>, !array.array<[n]i16>, !array.array<[n]i64>
}
