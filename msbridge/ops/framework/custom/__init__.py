"""Operators that scripts define: Custom in its kinds, and the registries of kernels and gradients."""
