// pass: builtin.module(fuse-loops,dce)
// A loop that makes an array and the one that reads it element by element become one without the array; the last element is
// what the loop carries to its end, or the error where there is none.
module {
  func.func @scan_then_reduce(%xs: tensor<?xf32>, %z: f32) -> (f32, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = tensor.dim %xs, %c0 : tensor<?xf32>
    %t = tensor.empty(%n) : tensor<?xf32>
    %a, %ts = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (f32, tensor<?xf32>) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      %y = arith.addf %p, %x : f32
      %v = tensor.insert %y into %u[%i] : tensor<?xf32>
      scf.yield %y, %v : f32, tensor<?xf32>
    }
    %twice = arith.addf %a, %a : f32
    %m = tensor.dim %ts, %c0 : tensor<?xf32>
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%q = %z) -> (f32) {
      %e = tensor.extract %ts[%j] : tensor<?xf32>
      %y = arith.maximumf %q, %e : f32
      scf.yield %y : f32
    }
    func.return %s, %twice : f32, f32
  }
  func.func @last(%n: index, %z: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tensor.empty(%n) : tensor<?xi32>
    %a, %ts = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %l = arith.subi %n, %c1 : index
    %e = tensor.extract %ts[%l] {kernel.checked} : tensor<?xi32>
    func.return %e : i32
  }
  // Two arrays, two readers: all one loop.
  func.func @both(%n: index, %z: i32) -> (i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tensor.empty(%n) : tensor<?xi32>
    %ts, %us = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t, %w = %t) -> (tensor<?xi32>, tensor<?xi32>) {
      %y = arith.index_cast %i : index to i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      %m = arith.muli %y, %y : i32
      %x = tensor.insert %m into %w[%i] : tensor<?xi32>
      scf.yield %v, %x : tensor<?xi32>, tensor<?xi32>
    }
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%q = %z) -> (i32) {
      %e = tensor.extract %ts[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %z) -> (i32) {
      %e = tensor.extract %ts[%j] : tensor<?xi32>
      %f = tensor.extract %us[%j] : tensor<?xi32>
      %y = arith.muli %e, %f : i32
      scf.yield %y : i32
    }
    func.return %r, %s : i32, i32
  }
  // Stay as they are: a reader of the neighbour's element, one that starts from what the first loop carries, one of other
  // length, one that counts by twos.
  func.func @kept(%n: index, %m: index, %z: i32) -> (i32, i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = tensor.empty(%n) : tensor<?xi32>
    %a, %ts = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%q = %z) -> (i32) {
      %k = arith.subi %n, %j : index
      %l = arith.subi %k, %c1 : index
      %e = tensor.extract %ts[%l] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %b, %us = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %b) -> (i32) {
      %e = tensor.extract %us[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %c, %vs = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %w = scf.for %j = %c0 to %m step %c1 iter_args(%q = %z) -> (i32) {
      %e = tensor.extract %vs[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %d, %xs = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %x = scf.for %j = %c0 to %n step %c2 iter_args(%q = %z) -> (i32) {
      %e = tensor.extract %xs[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    func.return %r, %s, %w, %x : i32, i32, i32, i32
  }
}
// ===== expected
builtin.module {
  func.func @scan_then_reduce(%xs: tensor<?xf32>, %z: f32) -> (f32, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = tensor.dim %xs, %c0 : tensor<?xf32>
    %a, %s = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %z, %arg2 = %z) -> (f32, f32) {
      %x = tensor.extract %xs[%arg0] : tensor<?xf32>
      %y = arith.addf %arg1, %x : f32
      %y_0 = arith.maximumf %arg2, %y : f32
      scf.yield %y, %y_0 : f32, f32
    }
    %twice = arith.addf %a, %a : f32
    func.return %s, %twice : f32, f32
  }
  func.func @last(%n: index, %z: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %z) -> (i32) {
      %y = arith.addi %arg1, %arg1 : i32
      scf.yield %y : i32
    }
    %l = arith.subi %n, %c1 : index
    %0 = arith.cmpi sgt, %n, %c0 : index
    %1 = scf.if %0 -> (i32) {
      scf.yield %a : i32
    } else {
      %2 = tensor.empty(%c0) : tensor<?xi32>
      %3 = tensor.extract %2[%l] {kernel.checked} : tensor<?xi32>
      scf.yield %3 : i32
    }
    func.return %1 : i32
  }
  func.func @both(%n: index, %z: i32) -> (i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r, %s = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %z, %arg2 = %z) -> (i32, i32) {
      %y = arith.index_cast %arg0 : index to i32
      %m = arith.muli %y, %y : i32
      %y_0 = arith.addi %arg1, %y : i32
      %y_1 = arith.muli %y, %m : i32
      scf.yield %y_0, %y_1 : i32, i32
    }
    func.return %r, %s : i32, i32
  }
  func.func @kept(%n: index, %m: index, %z: i32) -> (i32, i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = tensor.empty(%n) : tensor<?xi32>
    %a, %ts = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%q = %z) -> (i32) {
      %k = arith.subi %n, %j : index
      %l = arith.subi %k, %c1 : index
      %e = tensor.extract %ts[%l] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %b, %us = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %b) -> (i32) {
      %e = tensor.extract %us[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %c, %vs = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %w = scf.for %j = %c0 to %m step %c1 iter_args(%q = %z) -> (i32) {
      %e = tensor.extract %vs[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    %d, %xs = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %u = %t) -> (i32, tensor<?xi32>) {
      %y = arith.addi %p, %p : i32
      %v = tensor.insert %y into %u[%i] : tensor<?xi32>
      scf.yield %y, %v : i32, tensor<?xi32>
    }
    %x = scf.for %j = %c0 to %n step %c2 iter_args(%q = %z) -> (i32) {
      %e = tensor.extract %xs[%j] : tensor<?xi32>
      %y = arith.addi %q, %e : i32
      scf.yield %y : i32
    }
    func.return %r, %s, %w, %x : i32, i32, i32, i32
  }
}
