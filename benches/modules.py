"""The modules that benches/compare.py measures, in MLIR's generic form: nested loops with loads, stores, branches, calls
and attributes (about 90 bytes an op), and modules that are wide in one way."""


def function(number, out):
    """One function of 39 ops; each calls the one before."""
    v = f'''  "func.func"() <{{function_type = (memref<?xf32>, index, f32) -> f32, sym_name = "f{number}"}}> ({{
  ^bb0(%m: memref<?xf32>, %n: index, %x: f32):
    %c0 = "arith.constant"() <{{value = 0 : index}}> : () -> index
    %c1 = "arith.constant"() <{{value = {number % 7 + 1} : index}}> : () -> index
    %z = "arith.constant"() <{{value = {number % 13}.5 : f32}}> {{tag = "t{number % 5}"}} : () -> f32
'''
    v += '''    %r = "scf.for"(%c0, %n, %c1, %z) ({
    ^bb1(%i: index, %a: f32):
      %s = "scf.for"(%c0, %i, %c1, %a) ({
      ^bb2(%j: index, %b: f32):
        %l = "memref.load"(%m, %j) : (memref<?xf32>, index) -> f32
        %p = "arith.mulf"(%l, %x) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %q = "arith.addf"(%b, %p) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %k = "arith.addi"(%i, %j) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %t = "arith.cmpi"(%k, %n) <{predicate = 2 : i64}> : (index, index) -> i1
        %w = "scf.if"(%t) ({
          %l2 = "memref.load"(%m, %k) : (memref<?xf32>, index) -> f32
          %u = "arith.addf"(%q, %l2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "scf.yield"(%u) : (f32) -> ()
        }, {
          %u = "arith.subf"(%q, %x) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "scf.yield"(%u) : (f32) -> ()
        }) : (i1) -> f32
        "memref.store"(%w, %m, %j) : (f32, memref<?xf32>, index) -> ()
        "scf.yield"(%w) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      %d = "arith.mulf"(%s, %s) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %e = "arith.mulf"(%s, %s) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %g = "arith.addf"(%d, %e) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "scf.yield"(%g) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
'''
    callee = number - 1
    if callee >= 0:
        v += f'    %call = "func.call"(%m, %n, %r) <{{callee = @f{callee}}}> : (memref<?xf32>, index, f32) -> f32\n'
    else:
        v += '    %call = "arith.negf"(%r) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32\n'
    for index in range(14):
        left = "%call" if index == 0 else f"%v{index - 1}"
        v += (f'    %v{index} = "arith.addf"({left}, %x) <{{fastmath = #arith.fastmath<none>}}> '
              f'{{step = {index} : i32}} : (f32, f32) -> f32\n')
    v += '    "func.return"(%v13) : (f32) -> ()\n  }) : () -> ()\n'
    out.write(v)


OPS_PER_FUNCTION = 39


def in_function(body, out):
    """A function around lines; unregistered ops inside say nothing but how they are connected."""
    out.write('"builtin.module"() ({\n"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n')
    body()
    out.write('"func.return"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n')


def one_block(count, out):
    def body():
        out.write('%0 = "arith.constant"() <{value = 1 : i32}> : () -> i32\n')
        for i in range(1, count):
            out.write(f'%{i} = "arith.addi"(%{i - 1}, %0) <{{overflowFlags = #arith.overflow<none>}}> : (i32, i32) -> i32\n')
    in_function(body, out)


def block_arguments(count, out):
    def body():
        out.write('%0 = "arith.constant"() <{value = 1 : i32}> : () -> i32\n')
        operands, types = ", ".join(["%0"] * count), ", ".join(["i32"] * count)
        out.write(f'"cf.br"({operands})[^bb1] : ({types}) -> ()\n')
        out.write("^bb1(" + ", ".join(f"%a{i}: i32" for i in range(count)) + "):\n")
    in_function(body, out)


def blocks(count, out):
    def body():
        for i in range(count):
            out.write(f'"cf.br"()[^bb{i}] : () -> ()\n^bb{i}:\n')
    in_function(body, out)


def forward_references(count, out):
    out.write('"builtin.module"() ({\n')
    for i in range(count):
        out.write(f'%{i} = "x.next"(%{i + 1}) : (i32) -> i32\n')
    out.write(f'%{count} = "x.last"() : () -> i32\n}}) : () -> ()\n')


def symbols(count, out):
    out.write('"builtin.module"() ({\n')
    for i in range(count // 2):
        out.write(f'"func.func"() <{{function_type = () -> (), sym_name = "f{i}", sym_visibility = "private"}}> ({{}})'
                  f' : () -> ()\n"x.use"() {{callee = @f{count // 2 - 1 - i}}} : () -> ()\n')
    out.write("}) : () -> ()\n")


def aliases(count, out):
    for i in range(count):
        out.write(f"#a{i} = {i} : i64\n")
    out.write('"builtin.module"() ({\n')
    for i in range(count):
        out.write(f'"x.use"() {{a = #a{i}}} : () -> ()\n')
    out.write("}) : () -> ()\n")


SHAPES = {"ops in one block": one_block, "block arguments": block_arguments, "blocks": blocks,
          "forward references": forward_references, "symbols": symbols, "aliases": aliases}


def generate(ops, out):
    """Functions of 39 ops each."""
    out.write('"builtin.module"() ({\n')
    for number in range(max(1, ops // OPS_PER_FUNCTION)):
        function(number, out)
    out.write("}) : () -> ()\n")
