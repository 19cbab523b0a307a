// Iterations until |z| > 2 for each point of a grid over [-2.25, 0.75] x [-1.5, 1.5], at most %limit.
func.func @main(%height: index, %width: index, %limit: i32) -> !array.array<[?][?]i32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  %span = arith.constant 3.0 : f32
  %left = arith.constant -2.25 : f32
  %bottom = arith.constant -1.5 : f32
  %h = arith.index_cast %height : index to i32
  %w = arith.index_cast %width : index to i32
  %hf = arith.sitofp %h : i32 to f32
  %wf = arith.sitofp %w : i32 to f32
  %dy = arith.divf %span, %hf : f32
  %dx = arith.divf %span, %wf : f32
  %rows = array.iota %height : [?]i32
  %columns = array.iota %width : [?]i32
  %counts = array.map (%row in %rows : [?]i32) {
    %line = array.map (%column in %columns : [?]i32) {
      %rf = arith.sitofp %row : i32 to f32
      %cf = arith.sitofp %column : i32 to f32
      %y0 = arith.mulf %rf, %dy : f32
      %x0 = arith.mulf %cf, %dx : f32
      %y = arith.addf %y0, %bottom : f32
      %x = arith.addf %x0, %left : f32
      %re, %im, %count = scf.while (%a = %zero, %b = %zero, %i = %c0) : (f32, f32, i32) -> (f32, f32, i32) {
        %aa = arith.mulf %a, %a : f32
        %bb = arith.mulf %b, %b : f32
        %norm = arith.addf %aa, %bb : f32
        %inside = arith.cmpf ole, %norm, %four : f32
        %more = arith.cmpi slt, %i, %limit : i32
        %go = arith.andi %inside, %more : i1
        scf.condition(%go) %a, %b, %i : f32, f32, i32
      } do {
      ^bb0(%a: f32, %b: f32, %i: i32):
        %aa = arith.mulf %a, %a : f32
        %bb = arith.mulf %b, %b : f32
        %difference = arith.subf %aa, %bb : f32
        %a1 = arith.addf %difference, %x : f32
        %ab = arith.mulf %a, %b : f32
        %ab2 = arith.mulf %two, %ab : f32
        %b1 = arith.addf %ab2, %y : f32
        %i1 = arith.addi %i, %c1 : i32
        scf.yield %a1, %b1, %i1 : f32, f32, i32
      }
      array.yield %count : i32
    }
    array.yield %line : [?]i32
  }
  func.return %counts : !array.array<[?][?]i32>
}
