// pass: builtin.module(func.func(vectorize))
// Threads take several elements of reductions whose operator is the same with its operands exchanged.

// Pairs of the largest magnitude and the squares scaled by it.
func.func @norm(%xs: tensor<?xf32>, %n: index) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %largest, %squares = kernel.segred thread form block (%i < %n) init (%zero, %zero : f32, f32) -> (f32, f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x, %one : f32, f32
  } combine (%a, %p, %b, %q) {
    %m = arith.maximumf %a, %b : f32
    %r = arith.divf %a, %m : f32
    %s = arith.divf %b, %m : f32
    %rp = arith.mulf %p, %r : f32
    %sq = arith.mulf %s, %q : f32
    %sum = arith.addf %rp, %sq : f32
    kernel.return %m, %sum : f32, f32
  }
  func.return %largest, %squares : f32, f32
}

// Products of complex numbers.
func.func @product(%xs: tensor<?xf32>, %ys: tensor<?xf32>, %n: index) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %re, %im = kernel.segred thread form block (%i < %n) init (%one, %zero : f32, f32) -> (f32, f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %y = tensor.extract %ys[%i] : tensor<?xf32>
    kernel.return %x, %y : f32, f32
  } combine (%a, %b, %c, %d) {
    %ac = arith.mulf %a, %c : f32
    %bd = arith.mulf %b, %d : f32
    %ad = arith.mulf %a, %d : f32
    %bc = arith.mulf %b, %c : f32
    %x = arith.subf %ac, %bd : f32
    %y = arith.addf %ad, %bc : f32
    kernel.return %x, %y : f32, f32
  }
  func.return %re, %im : f32, f32
}

// Affine maps, one after the other: their order counts.
func.func @composed(%xs: tensor<?xf32>, %ys: tensor<?xf32>, %n: index) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %slope, %offset = kernel.segred thread form block (%i < %n) init (%one, %zero : f32, f32) -> (f32, f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %y = tensor.extract %ys[%i] : tensor<?xf32>
    kernel.return %x, %y : f32, f32
  } combine (%a, %b, %c, %d) {
    %ac = arith.mulf %a, %c : f32
    %bc = arith.mulf %b, %c : f32
    %y = arith.addf %bc, %d : f32
    kernel.return %ac, %y : f32, f32
  }
  func.return %slope, %offset : f32, f32
}

// Both values are exchanged with each other, too; the product of an operand with itself; another predicate.
func.func @others(%xs: tensor<?xf32>, %n: index) -> (f32, f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %x0, %y0 = kernel.segred thread form block (%i < %n) init (%zero, %zero : f32, f32) -> (f32, f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x, %x : f32, f32
  } combine (%a, %b, %c, %d) {
    %x = arith.addf %a, %d : f32
    %y = arith.addf %b, %c : f32
    kernel.return %x, %y : f32, f32
  }
  %squares = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.mulf %a, %a : f32
    kernel.return %s : f32
  }
  %least = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %first = arith.cmpf olt, %a, %b : f32
    %second = arith.cmpf ole, %b, %a : f32
    %s = arith.select %first, %a, %b : f32
    %t = arith.select %second, %b, %a : f32
    %m = arith.maximumf %s, %t : f32
    kernel.return %m : f32
  }
  func.return %x0, %y0, %squares, %least : f32, f32, f32, f32
}
// ----
// ===== expected
builtin.module {
  func.func @norm(%xs: tensor<?xf32>, %n: index) -> (f32, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %largest, %squares = kernel.segred thread form block vector 4 (%i < %n) init (%zero, %zero : f32, f32) -> (f32, f32) {
      %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
      kernel.return %x, %one : f32, f32
    } combine (%a, %p, %b, %q) {
      %m = arith.maximumf %a, %b : f32
      %r = arith.divf %a, %m : f32
      %s = arith.divf %b, %m : f32
      %rp = arith.mulf %p, %r : f32
      %sq = arith.mulf %s, %q : f32
      %sum = arith.addf %rp, %sq : f32
      kernel.return %m, %sum : f32, f32
    }
    func.return %largest, %squares : f32, f32
  }
  func.func @product(%xs: tensor<?xf32>, %ys: tensor<?xf32>, %n: index) -> (f32, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %re, %im = kernel.segred thread form block vector 4 (%i < %n) init (%one, %zero : f32, f32) -> (f32, f32) {
      %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
      %y = tensor.extract %ys[%i] {kernel.vector} : tensor<?xf32>
      kernel.return %x, %y : f32, f32
    } combine (%a, %b, %c, %d) {
      %ac = arith.mulf %a, %c : f32
      %bd = arith.mulf %b, %d : f32
      %ad = arith.mulf %a, %d : f32
      %bc = arith.mulf %b, %c : f32
      %x = arith.subf %ac, %bd : f32
      %y = arith.addf %ad, %bc : f32
      kernel.return %x, %y : f32, f32
    }
    func.return %re, %im : f32, f32
  }
  func.func @composed(%xs: tensor<?xf32>, %ys: tensor<?xf32>, %n: index) -> (f32, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %slope, %offset = kernel.segred thread form block (%i < %n) init (%one, %zero : f32, f32) -> (f32, f32) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      %y = tensor.extract %ys[%i] : tensor<?xf32>
      kernel.return %x, %y : f32, f32
    } combine (%a, %b, %c, %d) {
      %ac = arith.mulf %a, %c : f32
      %bc = arith.mulf %b, %c : f32
      %y = arith.addf %bc, %d : f32
      kernel.return %ac, %y : f32, f32
    }
    func.return %slope, %offset : f32, f32
  }
  func.func @others(%xs: tensor<?xf32>, %n: index) -> (f32, f32, f32, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %x0, %y0 = kernel.segred thread form block (%i < %n) init (%zero, %zero : f32, f32) -> (f32, f32) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      kernel.return %x, %x : f32, f32
    } combine (%a, %b, %c, %d) {
      %x = arith.addf %a, %d : f32
      %y = arith.addf %b, %c : f32
      kernel.return %x, %y : f32, f32
    }
    %squares = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %s = arith.mulf %a, %a : f32
      kernel.return %s : f32
    }
    %least = kernel.segred thread form block (%i < %n) init (%zero : f32) -> (f32) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %first = arith.cmpf olt, %a, %b : f32
      %second = arith.cmpf ole, %b, %a : f32
      %s = arith.select %first, %a, %b : f32
      %t = arith.select %second, %b, %a : f32
      %m = arith.maximumf %s, %t : f32
      kernel.return %m : f32
    }
    func.return %x0, %y0, %squares, %least : f32, f32, f32, f32
  }
}
