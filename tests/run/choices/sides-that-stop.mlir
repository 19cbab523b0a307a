// run
// Sides of a branch that would run on, divide by zero or read out of range at points that take the other; steps of the point.
// inputs: [[5, -1, 8], [0, -2, -3], [1, 2, 3], [4, 4, 4]]; [2, 0, 3, 9]
// inputs: random:NxM; random:N where N = 0 1 3 40; M = 1 2 33 65
// numpy: i32 = np.int32
// numpy: n, m = xss.shape
// numpy: few = ks.astype(np.int64) & 7
// numpy: grown, scanned, stepped = xss.copy(), xss.copy(), xss.copy()
// numpy: _ = [grown.__setitem__(r, grown[r] ^ i32(v)) for r in range(n) if few[r] for v in range(0, 8, int(few[r]))]
// numpy: _ = [scanned.__setitem__(r, np.cumsum(scanned[r] // i32(few[r]) ^ scanned[r][few[r]], dtype=i32)) for r in range(n) if 0 < few[r] < m]
// numpy: _ = [stepped.__setitem__(r, np.cumsum(stepped[r] ^ stepped[r][i], dtype=i32)) for r in range(n) for i in range(0, m, int(few[r]) + 1)]
// numpy: picked = np.array([(xss[0] ^ xss[0][f]).sum(dtype=i32) if f < m else 0 for f in few], dtype=i32)
// numpy: (grown, scanned, stepped, picked)
// structure: kernel.segmap 1
// versions: kernel.segmap 19, kernel.segred 4, kernel.segscan 4
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = array.dim %xss, 1 : [n][m]i32
  %grown = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %few = arith.andi %k, %seven : i32
    %any = arith.cmpi sgt, %few, %zero : i32
    %ys = scf.if %any -> !array.array<[m]i32> {
      %all:2 = scf.while (%a = %xs, %v = %zero) : (!array.array<[m]i32>, i32) -> (!array.array<[m]i32>, i32) {
        %more = arith.cmpi slt, %v, %eight : i32
        scf.condition(%more) %a, %v : !array.array<[m]i32>, i32
      } do {
      ^bb0(%a: !array.array<[m]i32>, %v: i32):
        %b = array.map (%x in %a : [m]i32) {
          %y = arith.xori %x, %v : i32
          array.yield %y : i32
        }
        %w = arith.addi %v, %few : i32
        scf.yield %b, %w : !array.array<[m]i32>, i32
      }
      scf.yield %all#0 : !array.array<[m]i32>
    } else {
      scf.yield %xs : !array.array<[m]i32>
    }
    array.yield %ys : !array.array<[m]i32>
  }
  %scanned = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %few = arith.andi %k, %seven : i32
    %at = arith.index_cast %few : i32 to index
    %any = arith.cmpi sgt, %few, %zero : i32
    %inside = arith.cmpi slt, %at, %m : index
    %both = arith.andi %any, %inside : i1
    %ys = scf.if %both -> !array.array<[m]i32> {
      %e = array.index %xs[%at] : [m]i32
      %b = array.scanomap (%x in %xs : [m]i32) init (%zero : i32) map {
        %q = arith.floordivsi %x, %few : i32
        %y = arith.xori %q, %e : i32
        array.yield %y : i32
      } combine (%acc, %y) {
        %s = arith.addi %acc, %y : i32
        array.yield %s : i32
      }
      scf.yield %b : !array.array<[m]i32>
    } else {
      scf.yield %xs : !array.array<[m]i32>
    }
    array.yield %ys : !array.array<[m]i32>
  }
  %stepped = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %few = arith.andi %k, %seven : i32
    %at = arith.index_cast %few : i32 to index
    %step = arith.addi %at, %c1 : index
    %ys = scf.for unsigned %i = %c0 to %m step %step iter_args(%a = %xs) -> !array.array<[m]i32> {
      %e = array.index %a[%i] : [m]i32
      %b = array.scanomap (%x in %a : [m]i32) init (%zero : i32) map {
        %y = arith.xori %x, %e : i32
        array.yield %y : i32
      } combine (%acc, %y) {
        %s = arith.addi %acc, %y : i32
        array.yield %s : i32
      }
      scf.yield %b : !array.array<[m]i32>
    }
    array.yield %ys : !array.array<[m]i32>
  }
  %picked = array.map (%k in %ks : [n]i32) {
    %few = arith.andi %k, %seven : i32
    %at = arith.index_cast %few : i32 to index
    %row = array.index %xss[%c0] : [n][m]i32
    %inside = arith.cmpi slt, %at, %m : index
    %y = scf.if %inside -> i32 {
      %e = array.index %row[%at] : [m]i32
      %sum = array.redomap (%x in %row : [m]i32) init (%zero : i32) map {
        %a = arith.xori %x, %e : i32
        array.yield %a : i32
      } combine (%acc, %a) {
        %s = arith.addi %acc, %a : i32
        array.yield %s : i32
      }
      scf.yield %sum : i32
    } else {
      scf.yield %zero : i32
    }
    array.yield %y : i32
  }
  func.return %grown, %scanned, %stepped, %picked : !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>
}
