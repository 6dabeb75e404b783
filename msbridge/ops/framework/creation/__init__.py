"""New tensors: filled, counted, diagonal, triangular, and windows of signals."""
