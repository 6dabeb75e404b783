"""Operators made of functions: mapping over nested tuples, dispatch by type, gradients, flags."""
