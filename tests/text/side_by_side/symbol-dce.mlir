// side-by-side: builtin.module(symbol-dce)
// upstream: --symbol-dce
// References deep inside attributes, of the table itself, from nested ops; symbols that only name one another.
module attributes {x.keeps = @by_table} {
  func.func private @by_table() {
    return
  }
  func.func private @by_array()
  func.func private @by_dict()
  func.func private @by_nested_op()
  func.func private @by_property() {
    return
  }
  func.func private @by_nobody()
  func.func private @circle_a() {
    call @circle_b() : () -> ()
    return
  }
  func.func private @circle_b() {
    call @circle_a() : () -> ()
    return
  }
  func.func private @itself() {
    call @itself() : () -> ()
    return
  }
  func.func @main(%c: i1) attributes {x.list = [[@by_array]], x.dict = {y = {z = @by_dict}}} {
    scf.if %c {
      scf.if %c {
        "x.op"() {to = @by_nested_op} : () -> ()
      }
      func.call @by_property() : () -> ()
    }
    return
  }
}
// -----
module {
  func.func nested @nested_unused() {
    return
  }
  func.func nested @nested_used() {
    return
  }
  func.func @main() {
    call @nested_used() : () -> ()
    return
  }
  module @public {
    func.func nested @maybe_from_outside() {
      return
    }
    func.func private @unused() {
      return
    }
  }
  module @hidden attributes {sym_visibility = "private"} {
    func.func @inside() {
      return
    }
  }
}
// -----
module {
  module @named attributes {sym_visibility = "private"} {
    func.func @reached() {
      return
    }
    func.func nested @reached_nested() {
      return
    }
    func.func private @not_reached() {
      return
    }
  }
  "x.refers"() {to = @named::@reached} : () -> ()
  "x.refers"() {to = @named::@reached_nested} : () -> ()
  memref.global "private" @used : memref<4xi32> = dense<1>
  memref.global "private" @unused : memref<4xi32> = dense<2>
  func.func @main() -> memref<4xi32> {
    %0 = memref.get_global @used : memref<4xi32>
    return %0 : memref<4xi32>
  }
}
// -----
module {
  func.func private @shadowed() {
    return
  }
  module {
    func.func private @shadowed() {
      return
    }
    func.func @main() {
      call @shadowed() : () -> ()
      return
    }
  }
}
// -----
func.func private @dead() -> () {
  return
}
func.func private @chain_a() {
  call @chain_b() : () -> ()
  return
}
func.func private @chain_b() {
  return
}
func.func private @live() {
  return
}
memref.global "private" @g : memref<2xf32> = dense<1.0>
memref.global "private" @used : memref<2xf32> = dense<1.0>
func.func @main() -> memref<2xf32> {
  call @live() : () -> ()
  %g = memref.get_global @used : memref<2xf32>
  return %g : memref<2xf32>
}
// -----
module {
  module @inner attributes {sym_visibility = "private"} {
    func.func @f() {
      return
    }
  }
  func.func @main() attributes {other = @inner::@f} {
    return
  }
}
// -----
module {
  module @inner {
    func.func private @f() {
      return
    }
    func.func nested @g() {
      return
    }
  }
  func.func @main() {
    return
  }
}
// -----
func.func private @self() {
  call @self() : () -> ()
  return
}
func.func private @via_attr() {
  return
}
"x.use"() {a = @via_attr} : () -> ()
