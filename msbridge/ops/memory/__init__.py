"""Tensor methods about memory, layout and single elements, and those that make tensors like this one."""
