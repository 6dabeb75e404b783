"""Comparison, logic, bits: two operands in, mostly truth values out."""
