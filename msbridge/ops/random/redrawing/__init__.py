"""Random numbers that take the place of a Tensor's elements."""
