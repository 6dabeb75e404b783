"""Linear algebra: products of matrices and vectors, norms and distances. Factorisations are in `decomposition`."""
