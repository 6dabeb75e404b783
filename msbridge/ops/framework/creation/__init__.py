"""New tensors: filled, counted, diagonal and triangular. Windows of signals are in `windows`."""
