"""Gradients: grad and its relatives, the backward pass, Jacobians, vmap, custom backward functions, recomputation."""
