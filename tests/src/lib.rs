//! Text tests, run tests, tidy tests, API tests.
