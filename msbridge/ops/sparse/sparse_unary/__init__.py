"""Functions of each value of a sparse tensor."""
