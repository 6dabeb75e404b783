"""Tensor methods about memory, layout and single elements."""
