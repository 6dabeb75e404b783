"""Linear combinations of several tensors."""
