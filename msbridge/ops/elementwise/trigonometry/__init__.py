"""Trigonometric and hyperbolic functions of each element."""
