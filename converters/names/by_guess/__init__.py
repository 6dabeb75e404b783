"""Names guessed from names and shapes only."""
