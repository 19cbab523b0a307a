// round-trip
// Switches, loops, regions and functions as values, with and without their optional parts.
builtin.module {
  func.func private @callee(i32) -> i32
  func.func private @none()
  func.func @f(%flag: i32, %i: index, %x: f32, %t: tensor<4x8xf32>, %c: i1, %fl64: i64, %ui: ui8, %si: si4, %a: i32, %v: vector<4xf32>, %vi: vector<4xi32>) -> i32 {
    %0 = func.constant @callee : (i32) -> i32
    %1 = func.constant {test.note} @none : () -> ()
    %2 = func.call_indirect %0(%flag) : (i32) -> i32
    func.call_indirect %1() {test.note} : () -> ()
    %3 = ub.poison : i32
    %4 = ub.poison {test.note} : vector<4xf32>
    %5 = scf.execute_region -> i32 {
      scf.yield %flag : i32
    }
    scf.execute_region no_inline {
      scf.yield
    }
    %6:2 = scf.execute_region -> (i32, index) {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      scf.yield %flag, %i : i32, index
    ^bb2:  // pred: ^bb0
      scf.yield %flag, %i : i32, index
    } {test.note}
    scf.index_switch %i 
    case 2 {
      scf.yield
    }
    default {
    }
    %7 = scf.index_switch %i {test.note} -> i32 
    case -2 {
      scf.yield %flag : i32
    }
    case 5 {
      scf.yield %flag : i32
    }
    default {
      scf.yield %flag : i32
    }
    %8:2 = scf.index_switch %i -> i32, f32 
    default {
      scf.yield %flag, %x : i32, f32
    }
    scf.forall (%k, %l) in (4, %i) {
      %10 = arith.addi %k, %l : index
    }
    scf.forall (%k) = (0) to (%i) step (2) {
    }
    scf.forall (%k, %l) = (%i, 1) to (16, %i) step (1, %i) {
    }
    scf.forall (%k, %l) in (4, 8) {
    }
    %9 = scf.forall (%k) in (4) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
      scf.forall.in_parallel {
      }
    } {test.note = 1 : i64}
    cf.cond_br %c weights([3, 5]), ^bb1, ^bb6
  ^bb1:  // pred: ^bb0
    cf.switch %flag : i32, [
      default: ^bb2(%flag : i32),
      42: ^bb3(%flag, %x : i32, f32),
      4294967253: ^bb4
    ]
  ^bb2(%y1: i32):  // 3 preds: ^bb1, ^bb4, ^bb5
    cf.switch %fl64 : i64, [
      default: ^bb4] {test.note}
  ^bb3(%y2: i32, %z: f32):  // pred: ^bb1
    cf.switch %ui : ui8, [
      default: ^bb4,
      200: ^bb4
    ]
  ^bb4:  // 8 preds: ^bb1, ^bb2, ^bb3, ^bb3, ^bb4, ^bb4, ^bb5, ^bb5
    cf.switch %si : si4, [
      default: ^bb2(%a : i32),
      8: ^bb4,
      7: ^bb4
    ]
  ^bb5:  // no predecessors
    cf.switch %c : i1, [
      default: ^bb2(%a : i32),
      0: ^bb4,
      1: ^bb4
    ]
  ^bb6:  // pred: ^bb0
    ub.unreachable
  ^bb7:  // no predecessors
    ub.unreachable {test.note}
  }
}
