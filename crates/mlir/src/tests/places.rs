//! Places in shared memory that a loop moves: what it does not change of an address is known before it.

use super::{CHIPS, assemble, kernel, ptx};
use segra_worker::Chip;

/// A loop of steps that read a matrix and copy 16 bytes, in slots in turn.
fn steps() -> String {
    let array = "memref<?xbf16, #gpu.address_space<workgroup>>";
    let body = format!(
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n\
         %c8 = arith.constant 8 : index\n%c32 = arith.constant 32 : index\n%c64 = arith.constant 64 : index\n%c4096 = arith.constant 4096 : index\n\
         %t = gpu.thread_id x\n\
         %all = memref.get_global @bytes : memref<0xi8, #gpu.address_space<workgroup>>\n\
         %s = memref.view %all[%c0][%n] : memref<0xi8, #gpu.address_space<workgroup>> to {array}\n\
         scf.for %k = %c0 to %n step %c1 {{\n\
           %turn = arith.remui %k, %c2 : index\n%slot = arith.muli %turn, %c4096 : index\n\
           %i = arith.remui %t, %c32 : index\n%row = arith.muli %i, %c64 : index\n%low = arith.remui %t, %c8 : index\n\
           %turned = arith.muli %low, %c8 : index\n%first = arith.xori %turned, %c8 : index\n\
           %high = arith.divui %t, %c8 : index\n%part = arith.remui %high, %c2 : index\n\
           %column = arith.muli %part, %c8 : index\n%second = arith.xori %turned, %column : index\n\
           %start = arith.addi %slot, %row : index\n\
           %place = arith.addi %start, %first : index\n%next = arith.addi %start, %second : index\n\
           %from = arith.addi %k, %t : index\n\
           %d = nvgpu.device_async_copy %x[%from], %s[%place], 8 {{bypassL1}} : memref<?xbf16> to {array}\n\
           %v = nvgpu.ldmatrix %s[%next] {{numTiles = 4 : i32, transpose = false}} : {array} -> vector<4x2xbf16>\n\
           %e = vector.extract %v[0, 0] : bf16 from vector<4x2xbf16>\n\
           memref.store %e, %y[%t] : memref<?xbf16>\n\
         }}"
    );
    let signature = "%x: memref<?xbf16>, %y: memref<?xbf16>, %n: index";
    let global = "memref.global @bytes : memref<0xi8, #gpu.address_space<workgroup>> {alignment = 16 : i64}\n";
    kernel(signature, &body).replacen("gpu.func", &format!("{global}gpu.func"), 1)
}

#[test]
fn what_a_loop_leaves_of_an_address_is_known_before_it() {
    for chip in CHIPS.into_iter().filter(|&chip| chip != Chip::SM_75) {
        let ptx = ptx(&steps(), chip);
        let (_, body) = ptx.split_once("$L__BB0_2:").expect("there is a loop");
        let (body, _) = body.split_once("bra").expect("the loop ends");
        // Parts of an address are added: the loop puts no bits together.
        assert!(!body.contains("or.b64"), "{ptx}");
        assemble(&ptx, chip);
    }
}
