// Prices of call options by a finite-difference method: LocVolCalib of the finpar benchmarks (Andreetta et al., 2016),
// written from the mathematics. For each strike, backwards in time, the price over a grid of stock values x and logarithms
// of volatility y obeys
//   dR/dt + 1/2 exp(2 (beta log x + y - nu^2 t / 2)) d2R/dx2 + 1/2 nu^2 d2R/dy2 = 0,   R(T) = max(x - strike, 0)
// (no drift, as in the benchmark). A step is explicit in both dimensions, then implicit in one after the other, so it
// solves a tridiagonal system for every row of either dimension: three scans each, as in "Regular flattening" (Henriksen,
// 2021). Grids are uniform; second differences are zero at their ends.
// a[i] r[i-1] + b[i] r[i] + c[i] r[i+1] = d[i], with a[0] = c[last] = 0.
func.func private @tridiagonal(%as: !array.array<[p]f64>, %bs: !array.array<[p]f64>, %cs: !array.array<[p]f64>, %ds: !array.array<[p]f64>)
    -> !array.array<[p]f64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = array.dim %as, 0 : [p]f64
  %is = array.iota %p : [p]index
  %al, %cl, %dl = array.map (%a in %as : [p]f64, %b in %bs : [p]f64, %c in %cs : [p]f64, %d in %ds : [p]f64) {
    %x = arith.divf %a, %b : f64
    %y = arith.divf %c, %b : f64
    %z = arith.divf %d, %b : f64
    array.yield %x, %y, %z : f64, f64, f64
  }
  // Pivots: pivot[i] = 1 - a[i] c[i-1] / pivot[i-1], a quotient that products of 2 x 2 matrices make.
  %ms = array.map (%i in %is : [p]index, %a in %al : [p]f64) {
    %before = arith.subi %i, %c1 : index
    %at = arith.maxsi %before, %c0 : index
    %c = array.index %cl[%at] : [p]f64
    %ac = arith.mulf %a, %c : f64
    %m = arith.subf %zero, %ac : f64
    array.yield %m : f64
  }
  %ones = array.replicate %one, [%p] : f64 -> [p]f64
  %zeros = array.replicate %zero, [%p] : f64 -> [p]f64
  %p00, %p01, %p10, %p11 = array.scan (%ones : [p]f64, %ms : [p]f64, %ones : [p]f64, %zeros : [p]f64)
      init (%one : f64, %zero : f64, %zero : f64, %one : f64) neutral (%one : f64, %zero : f64, %zero : f64, %one : f64) combine (%a00, %a01, %a10, %a11, %b00, %b01, %b10, %b11) {
    %x0 = arith.mulf %b00, %a00 : f64
    %x1 = arith.mulf %b01, %a10 : f64
    %r00 = arith.addf %x0, %x1 : f64
    %x2 = arith.mulf %b00, %a01 : f64
    %x3 = arith.mulf %b01, %a11 : f64
    %r01 = arith.addf %x2, %x3 : f64
    %x4 = arith.mulf %b10, %a00 : f64
    %x5 = arith.mulf %b11, %a10 : f64
    %r10 = arith.addf %x4, %x5 : f64
    %x6 = arith.mulf %b10, %a01 : f64
    %x7 = arith.mulf %b11, %a11 : f64
    %r11 = arith.addf %x6, %x7 : f64
    array.yield %r00, %r01, %r10, %r11 : f64, f64, f64, f64
  }
  %pivots = array.map (%n in %p00 : [p]f64, %d in %p10 : [p]f64) {
    %q = arith.divf %n, %d : f64
    array.yield %q : f64
  }
  // Forwards: y[i] = d[i] - a[i] / pivot[i-1] y[i-1].
  %fs = array.map (%i in %is : [p]index, %a in %al : [p]f64) {
    %before = arith.subi %i, %c1 : index
    %at = arith.maxsi %before, %c0 : index
    %pivot = array.index %pivots[%at] : [p]f64
    %f = arith.divf %a, %pivot : f64
    %m = arith.subf %zero, %f : f64
    array.yield %m : f64
  }
  %gs, %ys = array.scan (%fs : [p]f64, %dl : [p]f64) init (%one : f64, %zero : f64) neutral (%one : f64, %zero : f64) combine (%g, %e, %f, %d) {
    %gf = arith.mulf %g, %f : f64
    %ef = arith.mulf %e, %f : f64
    %r = arith.addf %ef, %d : f64
    array.yield %gf, %r : f64, f64
  }
  // Backwards: r[i] = y[i] / pivot[i] - c[i] / pivot[i] r[i+1].
  %ks, %hs = array.map (%c in %cl : [p]f64, %y in %ys : [p]f64, %pivot in %pivots : [p]f64) {
    %f = arith.divf %c, %pivot : f64
    %m = arith.subf %zero, %f : f64
    %h = arith.divf %y, %pivot : f64
    array.yield %m, %h : f64, f64
  }
  %kr = array.reverse %ks, 0 : [p]f64
  %hr = array.reverse %hs, 0 : [p]f64
  %us, %rs = array.scan (%kr : [p]f64, %hr : [p]f64) init (%one : f64, %zero : f64) neutral (%one : f64, %zero : f64) combine (%g, %e, %f, %d) {
    %gf = arith.mulf %g, %f : f64
    %ef = arith.mulf %e, %f : f64
    %r = arith.addf %ef, %d : f64
    array.yield %gf, %r : f64, f64
  }
  %result = array.reverse %rs, 0 : [p]f64
  func.return %result : !array.array<[p]f64>
}

// Half of the second difference's weight at each place of a grid: none at its ends.
func.func private @weights(%is: !array.array<[p]index>, %step: f64) -> !array.array<[p]f64> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = array.dim %is, 0 : [p]index
  %last = arith.subi %p, %c1 : index
  %square = arith.mulf %step, %step : f64
  %inside = arith.divf %half, %square : f64
  %ws = array.map (%i in %is : [p]index) {
    %first = arith.cmpi eq, %i, %c0 : index
    %end = arith.cmpi eq, %i, %last : index
    %edge = arith.ori %first, %end : i1
    %w = arith.select %edge, %zero, %inside : f64
    array.yield %w : f64
  }
  func.return %ws : !array.array<[p]f64>
}

// Prices of options at these strikes, in so many steps of time, on a grid as long as the two other arrays are.
func.func @main(%strikes: !array.array<[n]f64>, %along_x: !array.array<[x]f64>, %along_y: !array.array<[y]f64>, %steps: index,
    %s0: f64, %t: f64, %alpha: f64, %nu: f64, %beta: f64) -> !array.array<[n]f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %two = arith.constant 2.0 : f64
  %ten = arith.constant 10.0 : f64
  %twenty = arith.constant 20.0 : f64
  %x = array.dim %along_x, 0 : [x]f64
  %y = array.dim %along_y, 0 : [y]f64
  %is = array.iota %x : [x]index
  %js = array.iota %y : [y]index
  %xi = arith.index_cast %x : index to i64
  %yi = arith.index_cast %y : index to i64
  %ti = arith.index_cast %steps : index to i64
  %xf = arith.sitofp %xi : i64 to f64
  %yf = arith.sitofp %yi : i64 to f64
  %tf = arith.sitofp %ti : i64 to f64
  // The grids.
  %root = math.sqrt %t : f64
  %as0 = arith.mulf %alpha, %s0 : f64
  %as1 = arith.mulf %as0, %root : f64
  %width = arith.mulf %as1, %twenty : f64
  %dx = arith.divf %width, %xf : f64
  %nr = arith.mulf %nu, %root : f64
  %height = arith.mulf %nr, %ten : f64
  %dy = arith.divf %height, %yf : f64
  %xq = arith.divf %s0, %dx : f64
  %xq0 = arith.fptosi %xq : f64 to i64
  %xq1 = arith.index_cast %xq0 : i64 to index
  %xlast = arith.subi %x, %c1 : index
  %xq2 = arith.minsi %xq1, %xlast : index
  %xat = arith.maxsi %xq2, %c0 : index
  %yat = arith.divsi %y, %c2 : index
  %level = math.log %alpha : f64
  %logs, %xs = array.map (%i in %is : [x]index) {
    %from = arith.subi %i, %xat : index
    %fi = arith.index_cast %from : index to i64
    %ff = arith.sitofp %fi : i64 to f64
    %d = arith.mulf %ff, %dx : f64
    %v = arith.addf %d, %s0 : f64
    %l = math.log %v : f64
    %bl = arith.mulf %beta, %l : f64
    array.yield %bl, %v : f64, f64
  }
  %ys = array.map (%j in %js : [y]index) {
    %from = arith.subi %j, %yat : index
    %fi = arith.index_cast %from : index to i64
    %ff = arith.sitofp %fi : i64 to f64
    %d = arith.mulf %ff, %dy : f64
    %v = arith.addf %d, %level : f64
    array.yield %v : f64
  }
  %wx = func.call @weights(%is, %dx) : (!array.array<[x]index>, f64) -> !array.array<[x]f64>
  %wy0 = func.call @weights(%js, %dy) : (!array.array<[y]index>, f64) -> !array.array<[y]f64>
  %nu2 = arith.mulf %nu, %nu : f64
  %dt = arith.divf %t, %tf : f64
  %rate = arith.divf %tf, %t : f64
  %results = array.map (%strike in %strikes : [n]f64) {
    %start = array.map (%v in %xs : [x]f64) {
      %over = arith.subf %v, %strike : f64
      %worth = arith.maximumf %over, %zero : f64
      %row = array.replicate %worth, [%y] : f64 -> [y]f64
      array.yield %row : !array.array<[y]f64>
    }
    %final = scf.for %k = %c0 to %steps step %c1 iter_args(%now = %start) -> (!array.array<[x][y]f64>) {
      %past = arith.subi %steps, %k : index
      %left = arith.subi %past, %c1 : index
      %li = arith.index_cast %left : index to i64
      %lf = arith.sitofp %li : i64 to f64
      %time = arith.mulf %lf, %dt : f64
      %nt = arith.mulf %nu2, %time : f64
      %damp = arith.mulf %nt, %half : f64
      // Explicit: 1/2 nu^2 d2R/dy2, then all of the right side, by columns.
      %vs = array.map (%row in %now : [x][y]f64) {
        %v = array.map (%j in %js : [y]index, %w in %wy0 : [y]f64, %r in %row : [y]f64) {
          %down = arith.subi %j, %c1 : index
          %up = arith.addi %j, %c1 : index
          %last = arith.subi %y, %c1 : index
          %low = arith.maxsi %down, %c0 : index
          %high = arith.minsi %up, %last : index
          %rl = array.index %row[%low] : [y]f64
          %rh = array.index %row[%high] : [y]f64
          %ends = arith.addf %rl, %rh : f64
          %r2 = arith.mulf %r, %two : f64
          %difference = arith.subf %ends, %r2 : f64
          %wn = arith.mulf %w, %nu2 : f64
          %p = arith.mulf %wn, %difference : f64
          array.yield %p : f64
        }
        array.yield %v : !array.array<[y]f64>
      }
      %columns = array.rearrange %now, [1, 0] : [x][y]f64
      %vcolumns = array.rearrange %vs, [1, 0] : [x][y]f64
      // Implicit along x.
      %us = array.map (%column in %columns : [y][x]f64, %vcolumn in %vcolumns : [y][x]f64, %yv in %ys : [y]f64) {
        %as, %bs, %ds = array.map (%i in %is : [x]index, %w in %wx : [x]f64, %l in %logs : [x]f64, %r in %column : [x]f64, %v in %vcolumn : [x]f64) {
          %ly = arith.addf %l, %yv : f64
          %e = arith.subf %ly, %damp : f64
          %e2 = arith.mulf %e, %two : f64
          %variance = math.exp %e2 : f64
          %wv = arith.mulf %w, %variance : f64
          %q = arith.mulf %wv, %half : f64
          %down = arith.subi %i, %c1 : index
          %up = arith.addi %i, %c1 : index
          %low = arith.maxsi %down, %c0 : index
          %high = arith.minsi %up, %xlast : index
          %rl = array.index %column[%low] : [x]f64
          %rh = array.index %column[%high] : [x]f64
          %ends = arith.addf %rl, %rh : f64
          %r2 = arith.mulf %r, %two : f64
          %difference = arith.subf %ends, %r2 : f64
          %explicit = arith.mulf %q, %difference : f64
          %rr = arith.mulf %rate, %r : f64
          %rv = arith.addf %rr, %v : f64
          %d = arith.addf %rv, %explicit : f64
          %a = arith.subf %zero, %q : f64
          %q2 = arith.mulf %q, %two : f64
          %b = arith.addf %rate, %q2 : f64
          array.yield %a, %b, %d : f64, f64, f64
        }
        %u = func.call @tridiagonal(%as, %bs, %as, %ds) : (!array.array<[x]f64>, !array.array<[x]f64>, !array.array<[x]f64>, !array.array<[x]f64>) -> !array.array<[x]f64>
        array.yield %u : !array.array<[x]f64>
      }
      %urows = array.rearrange %us, [1, 0] : [y][x]f64
      // Implicit along y.
      %next = array.map (%urow in %urows : [x][y]f64, %vrow in %vs : [x][y]f64) {
        %as, %bs, %ds = array.map (%w in %wy0 : [y]f64, %u in %urow : [y]f64, %v in %vrow : [y]f64) {
          %wn = arith.mulf %w, %nu2 : f64
          %q = arith.mulf %wn, %half : f64
          %a = arith.subf %zero, %q : f64
          %q2 = arith.mulf %q, %two : f64
          %b = arith.addf %rate, %q2 : f64
          %ru = arith.mulf %rate, %u : f64
          %hv = arith.mulf %half, %v : f64
          %d = arith.subf %ru, %hv : f64
          array.yield %a, %b, %d : f64, f64, f64
        }
        %r = func.call @tridiagonal(%as, %bs, %as, %ds) : (!array.array<[y]f64>, !array.array<[y]f64>, !array.array<[y]f64>, !array.array<[y]f64>) -> !array.array<[y]f64>
        array.yield %r : !array.array<[y]f64>
      }
      scf.yield %next : !array.array<[x][y]f64>
    }
    %price = array.index %final[%xat, %yat] : [x][y]f64
    array.yield %price : f64
  }
  func.return %results : !array.array<[n]f64>
}
