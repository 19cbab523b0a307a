// European call and put options by the Black-Scholes formula, from spot price, strike and time to expiry.
// The cumulative normal distribution is the polynomial of Abramowitz and Stegun, 26.2.17.
func.func @main(%spots: !array.array<[n]f32>, %strikes: !array.array<[n]f32>, %times: !array.array<[n]f32>)
    -> (!array.array<[n]f32>, !array.array<[n]f32>) {
  %rate = arith.constant 0.02 : f32
  %volatility = arith.constant 0.3 : f32
  %drift = arith.constant 0.065 : f32
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %a0 = arith.constant 0.2316419 : f32
  %a1 = arith.constant 0.31938153 : f32
  %a2 = arith.constant -0.356563782 : f32
  %a3 = arith.constant 1.781477937 : f32
  %a4 = arith.constant -1.821255978 : f32
  %a5 = arith.constant 1.330274429 : f32
  %density = arith.constant 0.39894228 : f32
  %calls, %puts = array.map (%spot in %spots : [n]f32, %strike in %strikes : [n]f32, %time in %times : [n]f32) {
    %root = math.sqrt %time : f32
    %scale = arith.mulf %volatility, %root : f32
    %ratio = arith.divf %spot, %strike : f32
    %log = math.log %ratio : f32
    %growth = arith.mulf %drift, %time : f32
    %numerator = arith.addf %log, %growth : f32
    %d1 = arith.divf %numerator, %scale : f32
    %d2 = arith.subf %d1, %scale : f32
    // Cumulative normal distribution of d1.
    %m1 = math.absf %d1 : f32
    %t1 = arith.mulf %a0, %m1 : f32
    %u1 = arith.addf %one, %t1 : f32
    %k1 = arith.divf %one, %u1 : f32
    %p11 = arith.mulf %a5, %k1 : f32
    %p12 = arith.addf %p11, %a4 : f32
    %p13 = arith.mulf %p12, %k1 : f32
    %p14 = arith.addf %p13, %a3 : f32
    %p15 = arith.mulf %p14, %k1 : f32
    %p16 = arith.addf %p15, %a2 : f32
    %p17 = arith.mulf %p16, %k1 : f32
    %p18 = arith.addf %p17, %a1 : f32
    %p19 = arith.mulf %p18, %k1 : f32
    %h1 = arith.mulf %m1, %m1 : f32
    %g1 = arith.mulf %h1, %half : f32
    %n1 = arith.negf %g1 : f32
    %e1 = math.exp %n1 : f32
    %w1 = arith.mulf %density, %e1 : f32
    %tail1 = arith.mulf %w1, %p19 : f32
    %upper1 = arith.subf %one, %tail1 : f32
    %negative1 = arith.cmpf olt, %d1, %zero : f32
    %cnd1 = arith.select %negative1, %tail1, %upper1 : f32
    // Cumulative normal distribution of d2.
    %m2 = math.absf %d2 : f32
    %t2 = arith.mulf %a0, %m2 : f32
    %u2 = arith.addf %one, %t2 : f32
    %k2 = arith.divf %one, %u2 : f32
    %p21 = arith.mulf %a5, %k2 : f32
    %p22 = arith.addf %p21, %a4 : f32
    %p23 = arith.mulf %p22, %k2 : f32
    %p24 = arith.addf %p23, %a3 : f32
    %p25 = arith.mulf %p24, %k2 : f32
    %p26 = arith.addf %p25, %a2 : f32
    %p27 = arith.mulf %p26, %k2 : f32
    %p28 = arith.addf %p27, %a1 : f32
    %p29 = arith.mulf %p28, %k2 : f32
    %h2 = arith.mulf %m2, %m2 : f32
    %g2 = arith.mulf %h2, %half : f32
    %n2 = arith.negf %g2 : f32
    %e2 = math.exp %n2 : f32
    %w2 = arith.mulf %density, %e2 : f32
    %tail2 = arith.mulf %w2, %p29 : f32
    %upper2 = arith.subf %one, %tail2 : f32
    %negative2 = arith.cmpf olt, %d2, %zero : f32
    %cnd2 = arith.select %negative2, %tail2, %upper2 : f32
    // Prices.
    %rt = arith.mulf %rate, %time : f32
    %nrt = arith.negf %rt : f32
    %discount = math.exp %nrt : f32
    %strike_now = arith.mulf %strike, %discount : f32
    %c1 = arith.mulf %spot, %cnd1 : f32
    %c2 = arith.mulf %strike_now, %cnd2 : f32
    %call = arith.subf %c1, %c2 : f32
    %rest1 = arith.subf %one, %cnd1 : f32
    %rest2 = arith.subf %one, %cnd2 : f32
    %q1 = arith.mulf %strike_now, %rest2 : f32
    %q2 = arith.mulf %spot, %rest1 : f32
    %put = arith.subf %q1, %q2 : f32
    array.yield %call, %put : f32, f32
  }
  func.return %calls, %puts : !array.array<[n]f32>, !array.array<[n]f32>
}
