//! Index-space algebra: combinators, inverses, guards, index expressions and their simplifier. No IR.
