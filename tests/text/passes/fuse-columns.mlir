// pass: builtin.module(fuse,canonicalize,dce)
// Reductions of rows that are made and combined element by element become maps of reductions of columns.

// Rows of a matrix, scaled by a number of each row and by a vector: two results.
func.func @scaled(%a: !array.array<[m][n]f32>, %x: !array.array<[m]f32>, %w: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %n = array.dim %a, 1 : [m][n]f32
  %zeros = array.replicate %zero, [%n] : f32 -> [n]f32
  %lows = array.replicate %least, [%n] : f32 -> [n]f32
  %y, %z = array.redomap (%row in %a : [m][n]f32, %f in %x : [m]f32) init (%zeros : [n]f32, %lows : [n]f32) map {
    %g = arith.mulf %f, %f : f32
    %scaled, %of_vector = array.map (%e in %row : [n]f32, %v in %w : [n]f32) {
      %p = arith.mulf %e, %g : f32
      %q = arith.mulf %p, %v : f32
      array.yield %p, %q : f32, f32
    }
    array.yield %scaled, %of_vector : [n]f32, [n]f32
  } combine (%s, %t, %u, %v) {
    %sum, %most = array.map (%b in %s : [n]f32, %c in %t : [n]f32, %d in %u : [n]f32, %e in %v : [n]f32) {
      %f = arith.addf %b, %d : f32
      %g = arith.maximumf %c, %e : f32
      array.yield %f, %g : f32, f32
    }
    array.yield %sum, %most : [n]f32, [n]f32
  }
  func.return %y, %z : !array.array<[n]f32>, !array.array<[n]f32>
}

// Columns of a matrix are rows of its transposed: no view is left.
func.func @columns(%a: !array.array<[m][n]f32>, %x: !array.array<[n]f32>) -> !array.array<[m]f32> {
  %zero = arith.constant 0.0 : f32
  %m = array.dim %a, 0 : [m][n]f32
  %zeros = array.replicate %zero, [%m] : f32 -> [m]f32
  %columns = array.rearrange %a, [1, 0] : [m][n]f32
  %y = array.redomap (%column in %columns : [n][m]f32, %f in %x : [n]f32) init (%zeros : [m]f32) map {
    %scaled = array.map (%e in %column : [m]f32) {
      %p = arith.mulf %e, %f : f32
      array.yield %p : f32
    }
    array.yield %scaled : [m]f32
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [m]f32, %v in %t : [m]f32) arith.addf
    array.yield %sum : [m]f32
  }
  func.return %y : !array.array<[m]f32>
}

// Nothing of a row is read but its numbers: the rows are products of two vectors.
func.func @outer(%x: !array.array<[m]f32>, %w: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %w, 0 : [n]f32
  %zeros = array.replicate %zero, [%n] : f32 -> [n]f32
  %y = array.redomap (%f in %x : [m]f32) init (%zeros : [n]f32) map {
    %products = array.map (%e in %w : [n]f32) {
      %p = arith.mulf %e, %f : f32
      array.yield %p : f32
    }
    array.yield %products : [n]f32
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [n]f32, %v in %t : [n]f32) arith.addf
    array.yield %sum : [n]f32
  }
  func.return %y : !array.array<[n]f32>
}

// As they are: the operator takes its values in another order, few elements, and a row that is used as a whole.
func.func @kept(%a: !array.array<[m][n]f32>, %few: !array.array<[m][3]f32>) -> (!array.array<[n]f32>, !array.array<[3]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = array.dim %a, 1 : [m][n]f32
  %zeros = array.replicate %zero, [%n] : f32 -> [n]f32
  %three = array.replicate %zero, [%c3] : f32 -> [3]f32
  %x = array.redomap (%row in %a : [m][n]f32) init (%zeros : [n]f32) map {
    %doubled = array.map (%e in %row : [n]f32) {
      %p = arith.addf %e, %e : f32
      array.yield %p : f32
    }
    array.yield %doubled : [n]f32
  } combine (%s, %t) {
    %sum = array.map (%u in %t : [n]f32, %v in %s : [n]f32) arith.addf
    array.yield %sum : [n]f32
  }
  %y = array.redomap (%row in %few : [m][3]f32) init (%three : [3]f32) map {
    %doubled = array.map (%e in %row : [3]f32) {
      %p = arith.addf %e, %e : f32
      array.yield %p : f32
    }
    array.yield %doubled : [3]f32
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [3]f32, %v in %t : [3]f32) arith.addf
    array.yield %sum : [3]f32
  }
  %z = array.redomap (%row in %a : [m][n]f32) init (%zeros : [n]f32) map {
    %first = array.index %row[%c0] : [n]f32
    %moved = array.map (%e in %row : [n]f32) {
      %p = arith.subf %e, %first : f32
      array.yield %p : f32
    }
    array.yield %moved : [n]f32
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [n]f32, %v in %t : [n]f32) arith.addf
    array.yield %sum : [n]f32
  }
  func.return %x, %y, %z : !array.array<[n]f32>, !array.array<[3]f32>, !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @scaled(%a: !array.array<[m][n]f32>, %x: !array.array<[m]f32>, %w: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %least = arith.constant 0xFF800000 : f32
    %0 = array.rearrange %a, [1, 0] : [m][n]f32
    %1:2 = array.map (%arg0 in %0 : [n][m]f32, %arg1 in %w : [n]f32) {
      %2:2 = array.redomap (%arg2 in %arg0 : [m]f32, %arg3 in %x : [m]f32) init (%zero : f32, %least : f32) map {
        %g = arith.mulf %arg3, %arg3 : f32
        %p = arith.mulf %arg2, %g : f32
        %q = arith.mulf %p, %arg1 : f32
        array.yield %p, %q : f32, f32
      } combine (%arg2, %arg3, %arg4, %arg5) {
        %f = arith.addf %arg2, %arg4 : f32
        %g = arith.maximumf %arg3, %arg5 : f32
        array.yield %f, %g : f32, f32
      }
      array.yield %2#0, %2#1 : f32, f32
    }
    func.return %1#0, %1#1 : !array.array<[n]f32>, !array.array<[n]f32>
  }
  func.func @columns(%a: !array.array<[m][n]f32>, %x: !array.array<[n]f32>) -> !array.array<[m]f32> {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = array.map (%arg0 in %a : [m][n]f32) {
      %1 = array.redomap (%arg1 in %arg0 : [n]f32, %arg2 in %x : [n]f32) init (%zero : f32) map {
        %p = arith.mulf %arg1, %arg2 : f32
        array.yield %p : f32
      } combine (%arg1, %arg2) {
        %2 = arith.addf %arg1, %arg2 : f32
        array.yield %2 : f32
      }
      array.yield %1 : f32
    }
    func.return %0 : !array.array<[m]f32>
  }
  func.func @outer(%x: !array.array<[m]f32>, %w: !array.array<[n]f32>) -> !array.array<[n]f32> {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = array.map (%arg0 in %w : [n]f32) {
      %1 = array.redomap (%arg1 in %x : [m]f32) init (%zero : f32) map {
        %p = arith.mulf %arg0, %arg1 : f32
        array.yield %p : f32
      } combine (%arg1, %arg2) {
        %2 = arith.addf %arg1, %arg2 : f32
        array.yield %2 : f32
      }
      array.yield %1 : f32
    }
    func.return %0 : !array.array<[n]f32>
  }
  func.func @kept(%a: !array.array<[m][n]f32>, %few: !array.array<[m][3]f32>) -> (!array.array<[n]f32>, !array.array<[3]f32>, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %n = array.dim %a, 1 : [m][n]f32
    %zeros = array.replicate %zero, [%n] : f32 -> [n]f32
    %x = array.redomap (%row in %a : [m][n]f32) init (%zeros : [n]f32) map {
      %doubled = array.map (%e in %row : [n]f32) {
        %p = arith.addf %e, %e : f32
        array.yield %p : f32
      }
      array.yield %doubled : [n]f32
    } combine (%s, %t) {
      %sum = array.map (%u in %t : [n]f32, %v in %s : [n]f32) {
        %0 = arith.addf %u, %v : f32
        array.yield %0 : f32
      }
      array.yield %sum : [n]f32
    }
    %three = array.replicate %zero, [%c3] : f32 -> [3]f32
    %y = array.redomap (%row in %few : [m][3]f32) init (%three : [3]f32) map {
      %doubled = array.map (%e in %row : [3]f32) {
        %p = arith.addf %e, %e : f32
        array.yield %p : f32
      }
      array.yield %doubled : [3]f32
    } combine (%s, %t) {
      %sum = array.map (%u in %s : [3]f32, %v in %t : [3]f32) {
        %0 = arith.addf %u, %v : f32
        array.yield %0 : f32
      }
      array.yield %sum : [3]f32
    }
    %z = array.redomap (%row in %a : [m][n]f32) init (%zeros : [n]f32) map {
      %first = array.index %row[%c0] : [n]f32
      %moved = array.map (%e in %row : [n]f32) {
        %p = arith.subf %e, %first : f32
        array.yield %p : f32
      }
      array.yield %moved : [n]f32
    } combine (%s, %t) {
      %sum = array.map (%u in %s : [n]f32, %v in %t : [n]f32) {
        %0 = arith.addf %u, %v : f32
        array.yield %0 : f32
      }
      array.yield %sum : [n]f32
    }
    func.return %x, %y, %z : !array.array<[n]f32>, !array.array<[3]f32>, !array.array<[n]f32>
  }
}
