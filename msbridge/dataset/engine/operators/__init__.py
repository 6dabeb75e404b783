"""Operators: one node class for each operation on a pipeline. The public face is `engine.dataset`."""
