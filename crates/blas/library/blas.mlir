// Elementary functions of linear algebra, each a few lines of `array` ops. `!real` is the element type: a call picks f32 or
// f64, and in the copy made for it the name gets BLAS's letter: `@gemv` becomes `@sgemv` or `@dgemv`.
//
// A function that computes the same as another in another order says so: `array.alternative_of = @gemv`. Scripts may call
// either: kernels are the same, or where one reads its input once more, no better.
//
// Values replace memory: nothing is changed in place, so what BLAS overwrites is a result here. Matrices are whole and
// dense, but for those of `us` functions and `ellmv`; rows come first. Deliberately absent: strides, banded matrices, complex numbers,
// unit diagonals.
!real = f32

// ---- BLAS-1: vectors

// y = x. Arrays are values: nothing is moved.
func.func private @copy(%x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  func.return %x : !array.array<[n]!real>
}

// x, y = y, x
func.func private @swap(%x: !array.array<[n]!real>, %y: !array.array<[n]!real>) -> (!array.array<[n]!real>, !array.array<[n]!real>) {
  func.return %y, %x : !array.array<[n]!real>, !array.array<[n]!real>
}

// y = alpha x
func.func private @scal(%alpha: !real, %x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %y = array.map (%e in %x : [n]!real) {
    %p = arith.mulf %alpha, %e : !real
    array.yield %p : !real
  }
  func.return %y : !array.array<[n]!real>
}

// z = alpha x + y
func.func private @axpy(%alpha: !real, %x: !array.array<[n]!real>, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %z = array.map (%e in %x : [n]!real, %f in %y : [n]!real) {
    %p = arith.mulf %alpha, %e : !real
    %s = arith.addf %p, %f : !real
    array.yield %s : !real
  }
  func.return %z : !array.array<[n]!real>
}

// w = alpha x + beta y
func.func private @waxpby(%alpha: !real, %x: !array.array<[n]!real>, %beta: !real, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %w = array.map (%e in %x : [n]!real, %f in %y : [n]!real) {
    %p = arith.mulf %alpha, %e : !real
    %q = arith.mulf %beta, %f : !real
    %s = arith.addf %p, %q : !real
    array.yield %s : !real
  }
  func.return %w : !array.array<[n]!real>
}

// x + y
func.func private @vadd(%x: !array.array<[n]!real>, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %z = array.map (%e in %x : [n]!real, %f in %y : [n]!real) arith.addf
  func.return %z : !array.array<[n]!real>
}

// The product of x and y, element by element.
func.func private @vmul(%x: !array.array<[n]!real>, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %z = array.map (%e in %x : [n]!real, %f in %y : [n]!real) arith.mulf
  func.return %z : !array.array<[n]!real>
}

// The quotient of x and y, element by element.
func.func private @vdiv(%x: !array.array<[n]!real>, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %z = array.map (%e in %x : [n]!real, %f in %y : [n]!real) arith.divf
  func.return %z : !array.array<[n]!real>
}

// A plane rotation: c x + s y and c y - s x
func.func private @rot(%x: !array.array<[n]!real>, %y: !array.array<[n]!real>, %c: !real, %s: !real) -> (!array.array<[n]!real>, !array.array<[n]!real>) {
  %u, %v = array.map (%e in %x : [n]!real, %f in %y : [n]!real) {
    %ce = arith.mulf %c, %e : !real
    %sf = arith.mulf %s, %f : !real
    %cf = arith.mulf %c, %f : !real
    %se = arith.mulf %s, %e : !real
    %sum = arith.addf %ce, %sf : !real
    %difference = arith.subf %cf, %se : !real
    array.yield %sum, %difference : !real, !real
  }
  func.return %u, %v : !array.array<[n]!real>, !array.array<[n]!real>
}

// The sum of products.
func.func private @dot(%x: !array.array<[n]!real>, %y: !array.array<[n]!real>) -> !real {
  %zero = arith.constant 0.0 : !real
  %s = array.redomap (%e in %x : [n]!real, %f in %y : [n]!real) init (%zero : !real) map arith.mulf combine arith.addf
  func.return %s : !real
}

// The sum of magnitudes.
func.func private @asum(%x: !array.array<[n]!real>) -> !real {
  %zero = arith.constant 0.0 : !real
  %s = array.redomap (%e in %x : [n]!real) init (%zero : !real) map math.absf combine arith.addf
  func.return %s : !real
}

// The Euclidean norm, in one pass. Each partial result is a pair: the largest magnitude, and the sum of squares of
// magnitudes divided by it. So nothing overflows or underflows on the way: the result is infinite only where the norm
// itself is beyond the type or an element is infinite. NaN where an element is NaN.
func.func private @nrm2(%x: !array.array<[n]!real>) -> !real {
  %zero = arith.constant 0.0 : !real
  %one = arith.constant 1.0 : !real
  %largest, %squares = array.redomap (%e in %x : [n]!real) init (%zero : !real, %zero : !real) neutral (%zero : !real, %zero : !real) map {
    %magnitude = math.absf %e : !real
    array.yield %magnitude, %one : !real, !real
  } combine (%a, %p, %b, %q) {
    %m = arith.maximumf %a, %b : !real
    // The larger one counts as it is: zero by zero and infinity by infinity are no numbers.
    %a_is = arith.cmpf oeq, %a, %m : !real
    %b_is = arith.cmpf oeq, %b, %m : !real
    %a_part = arith.divf %a, %m : !real
    %b_part = arith.divf %b, %m : !real
    %r = arith.select %a_is, %one, %a_part : !real
    %s = arith.select %b_is, %one, %b_part : !real
    %r2 = arith.mulf %r, %r : !real
    %s2 = arith.mulf %s, %s : !real
    %rp = arith.mulf %r2, %p : !real
    %sq = arith.mulf %s2, %q : !real
    %sum = arith.addf %rp, %sq : !real
    array.yield %m, %sum : !real, !real
  }
  %root = math.sqrt %squares : !real
  %norm = arith.mulf %largest, %root : !real
  func.return %norm : !real
}

// As `nrm2`, in two passes: the largest magnitude, then the sum of squares of elements divided by it.
func.func private @nrm2_two_pass(%x: !array.array<[n]!real>) -> !real attributes {array.alternative_of = @nrm2} {
  %zero = arith.constant 0.0 : !real
  %one = arith.constant 1.0 : !real
  %infinity = arith.divf %one, %zero : !real
  %largest = array.redomap (%e in %x : [n]!real) init (%zero : !real) neutral (%zero : !real) map math.absf combine arith.maximumf
  // Nothing is divided by zero or infinity.
  %positive = arith.cmpf une, %largest, %zero : !real
  %finite = arith.cmpf une, %largest, %infinity : !real
  %both = arith.andi %positive, %finite : i1
  %scale = arith.select %both, %largest, %one : !real
  %squares = array.redomap (%e in %x : [n]!real) init (%zero : !real) map {
    %part = arith.divf %e, %scale : !real
    %square = arith.mulf %part, %part : !real
    array.yield %square : !real
  } combine arith.addf
  %root = math.sqrt %squares : !real
  %norm = arith.mulf %scale, %root : !real
  func.return %norm : !real
}

// The root of the sum of squares as it stands: infinite where a square overflows, 0 where all underflow, and fast. It is no
// alternative of `nrm2`: results differ there.
func.func private @nrm2_plain(%x: !array.array<[n]!real>) -> !real {
  %zero = arith.constant 0.0 : !real
  %squares = array.redomap (%e in %x : [n]!real) init (%zero : !real) map {
    %square = arith.mulf %e, %e : !real
    array.yield %square : !real
  } combine arith.addf
  %norm = math.sqrt %squares : !real
  func.return %norm : !real
}

// The index, from 0, of the first element of the largest magnitude; NaN counts as the largest; 0 for an empty vector.
func.func private @iamax(%x: !array.array<[n]!real>) -> i64 {
  %least = arith.constant -1.0 : !real
  %first = arith.constant 0 : i64
  %n = array.dim %x, 0 : [n]!real
  %is = array.iota %n : [n]i64
  %largest, %at = array.redomap (%e in %x : [n]!real, %i in %is : [n]i64) init (%least : !real, %first : i64) neutral (%least : !real, %first : i64) map {
    %magnitude = math.absf %e : !real
    array.yield %magnitude, %i : !real, i64
  } combine (%a, %i, %b, %j) {
    %known = arith.cmpf ord, %a, %a : !real
    %larger = arith.cmpf ugt, %b, %a : !real
    %right = arith.andi %known, %larger : i1
    %m = arith.select %right, %b, %a : !real
    %k = arith.select %right, %j, %i : i64
    array.yield %m, %k : !real, i64
  }
  func.return %at : i64
}

// ---- BLAS-2: matrices and vectors

// y = A x: one sum per row.
func.func private @gemv(%a: !array.array<[m][n]!real>, %x: !array.array<[n]!real>) -> !array.array<[m]!real> {
  %zero = arith.constant 0.0 : !real
  %y = array.map (%row in %a : [m][n]!real) {
    %s = array.redomap (%e in %row : [n]!real, %f in %x : [n]!real) init (%zero : !real) map arith.mulf combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[m]!real>
}

// As `gemv`, as a sum of columns.
func.func private @gemv_columns(%a: !array.array<[m][n]!real>, %x: !array.array<[n]!real>) -> !array.array<[m]!real> attributes {array.alternative_of = @gemv} {
  %zero = arith.constant 0.0 : !real
  %m = array.dim %a, 0 : [m][n]!real
  %zeros = array.replicate %zero, [%m] : !real -> [m]!real
  %columns = array.rearrange %a, [1, 0] : [m][n]!real
  %y = array.redomap (%column in %columns : [n][m]!real, %f in %x : [n]!real) init (%zeros : [m]!real) map {
    %scaled = array.map (%e in %column : [m]!real) {
      %p = arith.mulf %e, %f : !real
      array.yield %p : !real
    }
    array.yield %scaled : [m]!real
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [m]!real, %v in %t : [m]!real) arith.addf
    array.yield %sum : [m]!real
  }
  func.return %y : !array.array<[m]!real>
}

// y = A' x, A' being A transposed: one sum per column.
func.func private @gemtv(%a: !array.array<[m][n]!real>, %x: !array.array<[m]!real>) -> !array.array<[n]!real> {
  %zero = arith.constant 0.0 : !real
  %columns = array.rearrange %a, [1, 0] : [m][n]!real
  %y = array.map (%column in %columns : [n][m]!real) {
    %s = array.redomap (%e in %column : [m]!real, %f in %x : [m]!real) init (%zero : !real) map arith.mulf combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[n]!real>
}

// As `gemtv`, as a sum of rows.
func.func private @gemtv_rows(%a: !array.array<[m][n]!real>, %x: !array.array<[m]!real>) -> !array.array<[n]!real> attributes {array.alternative_of = @gemtv} {
  %zero = arith.constant 0.0 : !real
  %n = array.dim %a, 1 : [m][n]!real
  %zeros = array.replicate %zero, [%n] : !real -> [n]!real
  %y = array.redomap (%row in %a : [m][n]!real, %f in %x : [m]!real) init (%zeros : [n]!real) map {
    %scaled = array.map (%e in %row : [n]!real) {
      %p = arith.mulf %e, %f : !real
      array.yield %p : !real
    }
    array.yield %scaled : [n]!real
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [n]!real, %v in %t : [n]!real) arith.addf
    array.yield %sum : [n]!real
  }
  func.return %y : !array.array<[n]!real>
}

// A + x y', the rank-1 update, row by row.
func.func private @ger(%x: !array.array<[m]!real>, %y: !array.array<[n]!real>, %a: !array.array<[m][n]!real>) -> !array.array<[m][n]!real> {
  %b = array.map (%e in %x : [m]!real, %row in %a : [m][n]!real) {
    %sums = array.map (%f in %y : [n]!real, %g in %row : [n]!real) {
      %p = arith.mulf %e, %f : !real
      %s = arith.addf %g, %p : !real
      array.yield %s : !real
    }
    array.yield %sums : [n]!real
  }
  func.return %b : !array.array<[m][n]!real>
}

// As `ger`, column by column.
func.func private @ger_columns(%x: !array.array<[m]!real>, %y: !array.array<[n]!real>, %a: !array.array<[m][n]!real>) -> !array.array<[m][n]!real> attributes {array.alternative_of = @ger} {
  %columns = array.rearrange %a, [1, 0] : [m][n]!real
  %bt = array.map (%f in %y : [n]!real, %column in %columns : [n][m]!real) {
    %sums = array.map (%e in %x : [m]!real, %g in %column : [m]!real) {
      %p = arith.mulf %e, %f : !real
      %s = arith.addf %g, %p : !real
      array.yield %s : !real
    }
    array.yield %sums : [m]!real
  }
  %b = array.rearrange %bt, [1, 0] : [n][m]!real
  func.return %b : !array.array<[m][n]!real>
}

// y = A x for a symmetric A, of which only the lower triangle is read.
func.func private @symv_lower(%a: !array.array<[n][n]!real>, %x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %zero = arith.constant 0.0 : !real
  %n = array.dim %a, 0 : [n][n]!real
  %is = array.iota %n : [n]index
  %y = array.map (%i in %is : [n]index) {
    %s = array.redomap (%j in %is : [n]index, %f in %x : [n]!real) init (%zero : !real) map {
      %row = arith.maxsi %i, %j : index
      %column = arith.minsi %i, %j : index
      %e = array.index %a[%row, %column] : [n][n]!real
      %p = arith.mulf %e, %f : !real
      array.yield %p : !real
    } combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[n]!real>
}

// y = A x for a symmetric A, of which only the upper triangle is read.
func.func private @symv_upper(%a: !array.array<[n][n]!real>, %x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %transposed = array.rearrange %a, [1, 0] : [n][n]!real
  %y = func.call @symv_lower(%transposed, %x) : (!array.array<[n][n]!real>, !array.array<[n]!real>) -> !array.array<[n]!real>
  func.return %y : !array.array<[n]!real>
}

// y = A x for a symmetric A in packed form: `ap` has the rows of the lower triangle one after the other, n (n + 1) / 2 elements.
func.func private @spmv_lower(%ap: !array.array<[p]!real>, %x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %zero = arith.constant 0.0 : !real
  %one = arith.constant 1 : index
  %n = array.dim %x, 0 : [n]!real
  %is = array.iota %n : [n]index
  %y = array.map (%i in %is : [n]index) {
    %s = array.redomap (%j in %is : [n]index, %f in %x : [n]!real) init (%zero : !real) map {
      %row = arith.maxsi %i, %j : index
      %column = arith.minsi %i, %j : index
      %next = arith.addi %row, %one : index
      %twice = arith.muli %row, %next : index
      %before = arith.shrui %twice, %one : index
      %at = arith.addi %before, %column : index
      %e = array.index %ap[%at] : [p]!real
      %p = arith.mulf %e, %f : !real
      array.yield %p : !real
    } combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[n]!real>
}

// y = A x for a lower triangular A: what is above the diagonal counts as 0, whatever it is.
func.func private @trmv_lower(%a: !array.array<[n][n]!real>, %x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %zero = arith.constant 0.0 : !real
  %n = array.dim %a, 0 : [n][n]!real
  %is = array.iota %n : [n]index
  %y = array.map (%i in %is : [n]index, %row in %a : [n][n]!real) {
    %s = array.redomap (%j in %is : [n]index, %e in %row : [n]!real, %f in %x : [n]!real) init (%zero : !real) map {
      %inside = arith.cmpi sle, %j, %i : index
      %p = arith.mulf %e, %f : !real
      %q = arith.select %inside, %p, %zero : !real
      array.yield %q : !real
    } combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[n]!real>
}

// y = A x for an upper triangular A: what is below the diagonal counts as 0, whatever it is.
func.func private @trmv_upper(%a: !array.array<[n][n]!real>, %x: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %zero = arith.constant 0.0 : !real
  %n = array.dim %a, 0 : [n][n]!real
  %is = array.iota %n : [n]index
  %y = array.map (%i in %is : [n]index, %row in %a : [n][n]!real) {
    %s = array.redomap (%j in %is : [n]index, %e in %row : [n]!real, %f in %x : [n]!real) init (%zero : !real) map {
      %inside = arith.cmpi sge, %j, %i : index
      %p = arith.mulf %e, %f : !real
      %q = arith.select %inside, %p, %zero : !real
      array.yield %q : !real
    } combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[n]!real>
}

// The x with A x = b for a lower triangular A, by substitution: 256 elements after another, each of those by one thread block
// once what the elements before contribute is subtracted.
func.func private @trsv_lower(%a: !array.array<[n][n]!real>, %b: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %zero = arith.constant 0.0 : !real
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = array.dim %a, 0 : [n][n]!real
  %solved = scf.for %start = %c0 to %n step %c256 iter_args(%x = %b) -> (!array.array<[n]!real>) {
    %rest = arith.subi %n, %start : index
    %count = arith.minui %rest, %c256 : index
    %left = array.slice %a[%start, %c0] sizes [%count, %start] strides [%c1, %c1] : [n][n]!real -> [k][s]!real
    %known = array.slice %x[%c0] sizes [%start] strides [%c1] : [n]!real -> [s]!real
    %right = array.slice %x[%start] sizes [%count] strides [%c1] : [n]!real -> [k]!real
    %reduced = array.map (%row in %left : [k][s]!real, %r in %right : [k]!real) {
      %s = array.redomap (%e in %row : [s]!real, %f in %known : [s]!real) init (%zero : !real) map arith.mulf combine arith.addf
      %d = arith.subf %r, %s : !real
      array.yield %d : !real
    }
    %triangle = array.slice %a[%start, %start] sizes [%count, %count] strides [%c1, %c1] : [n][n]!real -> [k][k]!real
    %triangles = array.reshape %triangle, [%c1, %count, %count] : [k][k]!real -> [1][k][k]!real
    %sides = array.reshape %reduced, [%c1, %count] : [k]!real -> [1][k]!real
    %is = array.iota %count : [k]index
    %blocks = array.map (%t in %triangles : [1][k][k]!real, %side in %sides : [1][k]!real) {
      %columns = array.rearrange %t, [1, 0] : [k][k]!real
      %y = scf.for %j = %c0 to %count step %c1 iter_args(%s = %side) -> (!array.array<[k]!real>) {
        %pivot = array.index %t[%j, %j] : [k][k]!real
        %v = array.index %s[%j] : [k]!real
        %q = arith.divf %v, %pivot : !real
        %column = array.index %columns[%j] : [k][k]!real
        %next = array.map (%i in %is : [k]index, %e in %s : [k]!real, %f in %column : [k]!real) {
          %p = arith.mulf %f, %q : !real
          %o = arith.subf %e, %p : !real
          %later = arith.cmpi ugt, %i, %j : index
          %here = arith.cmpi eq, %i, %j : index
          %u = arith.select %later, %o, %e : !real
          %w = arith.select %here, %q, %u : !real
          array.yield %w : !real
        }
        scf.yield %next : !array.array<[k]!real>
      }
      array.yield %y : [k]!real
    }
    %block = array.index %blocks[%c0] : [1][k]!real
    %next = array.scatter (%i in %is : [k]index, %v in %block : [k]!real) into (%x : [n]!real) {
      %at = arith.addi %start, %i : index
      array.yield %at, %v : index, !real
    }
    scf.yield %next : !array.array<[n]!real>
  }
  func.return %solved : !array.array<[n]!real>
}

// The x with A x = b for an upper triangular A, in the same way from the last element on.
func.func private @trsv_upper(%a: !array.array<[n][n]!real>, %b: !array.array<[n]!real>) -> !array.array<[n]!real> {
  // Rows and columns in reverse order make it lower triangular.
  %rows = array.reverse %a, 0 : [n][n]!real
  %both = array.reverse %rows, 1 : [n][n]!real
  %c = array.reverse %b, 0 : [n]!real
  %y = func.call @trsv_lower(%both, %c) : (!array.array<[n][n]!real>, !array.array<[n]!real>) -> !array.array<[n]!real>
  %x = array.reverse %y, 0 : [n]!real
  func.return %x : !array.array<[n]!real>
}

// The diagonal of a square matrix.
func.func private @diag(%a: !array.array<[n][n]!real>) -> !array.array<[n]!real> {
  %n = array.dim %a, 0 : [n][n]!real
  %is = array.iota %n : [n]index
  %d = array.map (%i in %is : [n]index) {
    %e = array.index %a[%i, %i] : [n][n]!real
    array.yield %e : !real
  }
  func.return %d : !array.array<[n]!real>
}

// ---- Sparse vectors and matrices: elements with their indices, from 0

// x[k] = y[at[k]]
func.func private @usga(%y: !array.array<[n]!real>, %at: !array.array<[k]i64>) -> !array.array<[k]!real> {
  %x = array.map (%i in %at : [k]i64) {
    %index = arith.index_cast %i : i64 to index
    %e = array.index %y[%index] : [n]!real
    array.yield %e : !real
  }
  func.return %x : !array.array<[k]!real>
}

// y with x[k] at at[k], which are all different; those beyond y are left out.
func.func private @ussc(%x: !array.array<[k]!real>, %at: !array.array<[k]i64>, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %z = array.scatter (%e in %x : [k]!real, %i in %at : [k]i64) into (%y : [n]!real) {
    %index = arith.index_cast %i : i64 to index
    array.yield %index, %e : index, !real
  }
  func.return %z : !array.array<[n]!real>
}

// The sum of x[k] y[at[k]]
func.func private @usdot(%x: !array.array<[k]!real>, %at: !array.array<[k]i64>, %y: !array.array<[n]!real>) -> !real {
  %zero = arith.constant 0.0 : !real
  %s = array.redomap (%e in %x : [k]!real, %i in %at : [k]i64) init (%zero : !real) map {
    %index = arith.index_cast %i : i64 to index
    %f = array.index %y[%index] : [n]!real
    %p = arith.mulf %e, %f : !real
    array.yield %p : !real
  } combine arith.addf
  func.return %s : !real
}

// y with alpha x[k] added to y[at[k]], which are all different.
func.func private @usaxpy(%alpha: !real, %x: !array.array<[k]!real>, %at: !array.array<[k]i64>, %y: !array.array<[n]!real>) -> !array.array<[n]!real> {
  %z = array.scatter (%e in %x : [k]!real, %i in %at : [k]i64) into (%y : [n]!real) {
    %index = arith.index_cast %i : i64 to index
    %f = array.index %y[%index] : [n]!real
    %p = arith.mulf %alpha, %e : !real
    %s = arith.addf %p, %f : !real
    array.yield %index, %s : index, !real
  }
  func.return %z : !array.array<[n]!real>
}

// y = A x of a sparse A, each row with as many values and their columns (ELLPACK); columns below 0 fill up rows that have fewer.
func.func private @ellmv(%values: !array.array<[m][k]!real>, %columns: !array.array<[m][k]i64>, %x: !array.array<[n]!real>) -> !array.array<[m]!real> {
  %zero = arith.constant 0.0 : !real
  %none = arith.constant 0 : i64
  %y = array.map (%vs in %values : [m][k]!real, %cs in %columns : [m][k]i64) {
    %s = array.redomap (%v in %vs : [k]!real, %c in %cs : [k]i64) init (%zero : !real) map {
      %fills = arith.cmpi slt, %c, %none : i64
      %p = scf.if %fills -> (!real) {
        scf.yield %zero : !real
      } else {
        %at = arith.index_cast %c : i64 to index
        %e = array.index %x[%at] : [n]!real
        %q = arith.mulf %v, %e : !real
        scf.yield %q : !real
      }
      array.yield %p : !real
    } combine arith.addf
    array.yield %s : !real
  }
  func.return %y : !array.array<[m]!real>
}

// ---- Matrices

// A + B
func.func private @madd(%a: !array.array<[m][n]!real>, %b: !array.array<[m][n]!real>) -> !array.array<[m][n]!real> {
  %c = array.map (%r in %a : [m][n]!real, %s in %b : [m][n]!real) {
    %t = array.map (%e in %r : [n]!real, %f in %s : [n]!real) arith.addf
    array.yield %t : [n]!real
  }
  func.return %c : !array.array<[m][n]!real>
}

// alpha A
func.func private @mscal(%alpha: !real, %a: !array.array<[m][n]!real>) -> !array.array<[m][n]!real> {
  %b = array.map (%row in %a : [m][n]!real) {
    %scaled = array.map (%e in %row : [n]!real) {
      %p = arith.mulf %alpha, %e : !real
      array.yield %p : !real
    }
    array.yield %scaled : [n]!real
  }
  func.return %b : !array.array<[m][n]!real>
}

// A transposed: a view.
func.func private @transpose(%a: !array.array<[m][n]!real>) -> !array.array<[n][m]!real> {
  %b = array.rearrange %a, [1, 0] : [m][n]!real
  func.return %b : !array.array<[n][m]!real>
}

// A B: one sum per row of A and column of B. The tiler takes it from there.
func.func private @gemm(%a: !array.array<[m][k]!real>, %b: !array.array<[k][n]!real>) -> !array.array<[m][n]!real> {
  %zero = arith.constant 0.0 : !real
  %columns = array.rearrange %b, [1, 0] : [k][n]!real
  %c = array.map (%row in %a : [m][k]!real) {
    %sums = array.map (%column in %columns : [n][k]!real) {
      %s = array.redomap (%e in %row : [k]!real, %f in %column : [k]!real) init (%zero : !real) map arith.mulf combine arith.addf
      array.yield %s : !real
    }
    array.yield %sums : [n]!real
  }
  func.return %c : !array.array<[m][n]!real>
}

// ---- Numbers

// The square root.
func.func private @sqrt(%a: !real) -> !real {
  %r = math.sqrt %a : !real
  func.return %r : !real
}

// The magnitude.
func.func private @abs(%a: !real) -> !real {
  %r = math.absf %a : !real
  func.return %r : !real
}
