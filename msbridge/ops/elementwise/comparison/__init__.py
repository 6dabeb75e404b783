"""Comparison, logic, bits: two operands in, mostly booleans out."""
