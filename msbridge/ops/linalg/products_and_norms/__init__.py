"""Linear algebra: products of matrices and vectors, and norms. `distances` and `decomposition` have the rest."""
