"""Primitives: the operators as classes, one file per family."""
