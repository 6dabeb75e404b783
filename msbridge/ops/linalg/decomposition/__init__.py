"""Linear algebra: inverses, determinants, factorisations, solutions of linear systems."""
