"""Random numbers and choices."""
