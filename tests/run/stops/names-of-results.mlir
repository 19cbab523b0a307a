// run
// A size that two results name is one number: the first result says which, outside of maps, in branches and in loops.
// inputs: 3; 3; true
// outputs: [14, 14, 14]; 6
// inputs: 3; 4; true
// error: @%ys = @ ... 'array.replicate' op size 4 of dimension 0 is not `q`, which is 3
// inputs: 0; 1; false
// error: @%ys = @ ... 'array.replicate' op size 1 of dimension 0 is not `q`, which is 0
// inputs: 2; 2; false
// outputs: [14, 14]; 2
// inputs: 2; 1; true
// error: @%ys = @ ... 'array.replicate' op size 1 of dimension 0 is not `q`, which is 2
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 1, kernel.segred 1
func.func @main(%a: index, %b: index, %which: i1) -> (!array.array<[q]i32>, index) {
  %c = arith.constant 7 : i32
  %xs = array.replicate %c, [%a] : i32 -> [q]i32
  %ys = array.replicate %c, [%b] : i32 -> [q]i32
  %r = array.map (%x in %xs : [q]i32, %y in %ys : [q]i32) {
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  }
  %t = scf.if %which -> (index) {
    %is = array.iota %b : [p]index
    %js = array.iota %a : [p]index
    %sum = array.map (%i in %is : [p]index, %j in %js : [p]index) {
      %z = arith.addi %i, %j : index
      array.yield %z : index
    }
    %zero = arith.constant 0 : index
    %s = array.reduce (%sum : [p]index) init (%zero : index) combine arith.addi
    scf.yield %s : index
  } else {
    scf.yield %b : index
  }
  func.return %r, %t : !array.array<[q]i32>, index
}
