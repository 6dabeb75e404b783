"""Names guessed from names and shapes alone."""
