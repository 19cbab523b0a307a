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
OPS_PER_FOLDING_FUNCTION = 119


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


FAST, NO_WRAP = "<{fastmath = #arith.fastmath<none>}>", "<{overflowFlags = #arith.overflow<none>}>"


def binary(result, op, left, right):
    """One op on two numbers: of type index where it is one on integers, else f32."""
    flags, ty = (NO_WRAP, "index") if op.endswith("i") else (FAST, "f32")
    return f'    {result} = "arith.{op}"({left}, {right}) {flags} : ({ty}, {ty}) -> {ty}\n'


def load(result, at):
    return f'    {result} = "memref.load"(%m, {at}) : (memref<?xf32>, index) -> f32\n'


def compare(result, left, right, predicate):
    return f'    {result} = "arith.cmpi"({left}, {right}) <{{predicate = {predicate} : i64}}> : (index, index) -> i1\n'


def folding_branch(number, before):
    """Nine ops, of which two stay: a branch on a condition that folds, with a load and arithmetic on either side."""
    v = binary(f"%n{number}", "addi", "%c1", f"%k{number}")
    v += compare(f"%t{number}", f"%n{number}", "%c0", 4 if number % 2 else 2)
    v += f'    %b{number} = "scf.if"(%t{number}) ({{\n' + load("%l", "%i") + binary("%a", "addf", "%l", before)
    v += '    "scf.yield"(%a) : (f32) -> ()\n    }, {\n' + load("%l", "%j") + binary("%a", "mulf", "%l", before)
    return v + '    "scf.yield"(%a) : (f32) -> ()\n    }) : (i1) -> f32\n'


def folding_loop():
    """A loop of which one of three results is used: 12 ops, of which 5 stay."""
    v = '    %r:3 = "scf.for"(%c0, %i, %c1, %z, %x, %x) ({\n    ^bb1(%at: index, %a: f32, %b: f32, %c: f32):\n'
    v += load("%l", "%at") + binary("%s", "addf", "%a", "%l") + binary("%w", "mulf", "%s", "%x")
    v += load("%l1", "%at") + binary("%s1", "mulf", "%l1", "%x") + binary("%w1", "addf", "%s1", "%w")
    v += binary("%s2", "subf", "%x", "%s1") + binary("%w2", "addf", "%s2", "%w") + binary("%u2", "mulf", "%w2", "%w1")
    v += binary("%v2", "mulf", "%u2", "%u2")
    v += '    "scf.yield"(%w, %w1, %v2) : (f32, f32, f32) -> ()\n'
    return v + '    }) : (index, index, index, f32, f32, f32) -> (f32, f32, f32)\n'


def folding_function(number, out):
    """One function, of whose ops canonicalize leaves a third."""
    v = f'''  "func.func"() <{{function_type = (memref<?xf32>, index, index, f32) -> f32, sym_name = "f{number}"}}> ({{
  ^bb0(%m: memref<?xf32>, %i: index, %j: index, %x: f32):
    %c0 = "arith.constant"() <{{value = 0 : index}}> : () -> index
    %c1 = "arith.constant"() <{{value = {number % 7 + 1} : index}}> : () -> index
    %z = "arith.constant"() <{{value = {number % 13}.5 : f32}}> : () -> f32
    %k0 = "arith.constant"() <{{value = {number % 11 + 2} : index}}> : () -> index
'''
    last = "%x"
    for branch in range(4):
        v += folding_branch(branch, last)
        v += binary(f"%k{branch + 1}", "muli", f"%n{branch}", "%c1")
        last = f"%b{branch}"
    # Loads, and arithmetic on them, that nothing uses.
    for dead in range(9):
        v += load(f"%d{dead}", "%i" if dead % 2 else "%j")
        v += binary(f"%p{dead}", "mulf", f"%d{dead}", "%x") + binary(f"%q{dead}", "addf", f"%p{dead}", last)
    v += folding_loop()
    v += binary("%o0", "addf", "%r#0", last)
    # Indices that are computed from constants, and code that stays.
    last = "%k4"
    for step in range(4):
        v += binary(f"%g{step}", "addi", last, "%c1")
        last = f"%g{step}"
    v += binary("%h", "subi", last, "%k0")
    for step in range(10):
        v += load(f"%y{step}", "%h") if step % 5 == 0 else binary(f"%y{step}", "mulf", f"%y{step - 1}", f"%o{step}")
        v += binary(f"%o{step + 1}", "addf", f"%o{step}", f"%y{step}") if step < 9 else ""
    # A branch between blocks on a condition that folds.
    v += compare("%t", "%h", "%c0", 1 - number % 2)
    v += '    "cf.cond_br"(%t)[^yes, ^no] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n'
    for block, index in (("yes", "%i"), ("no", "%j")):
        v += f"  ^{block}:\n" + load(f"%l{block}", index) + binary(f"%e{block}", "mulf", f"%l{block}", "%o9")
        v += f'    "cf.br"(%e{block})[^end] : (f32) -> ()\n'
    out.write(v + '  ^end(%e: f32):\n    "func.return"(%e) : (f32) -> ()\n  }) : () -> ()\n')


def folding(ops, out):
    """Functions of which two thirds fold away."""
    out.write('"builtin.module"() ({\n')
    for number in range(max(1, ops // OPS_PER_FOLDING_FUNCTION)):
        folding_function(number, out)
    out.write("}) : () -> ()\n")
