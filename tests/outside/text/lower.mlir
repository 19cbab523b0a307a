func.func @area(%w: i64, %h: i64) -> i64 {
  %a = fixed.from_int %w : !fixed.number<8>
  %b = fixed.from_int %h : !fixed.number<8>
  %c = fixed.mul %a, %b #fixed.rounding<nearest> : !fixed.number<8>
  %d = fixed.add %c, %a : !fixed.number<8>
  %e = fixed.to_int %d : !fixed.number<8>
  func.return %e : i64
}
