"""The tests; a package of that name that others install (iterative-stratification does) must not shadow them."""
