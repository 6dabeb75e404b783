"""Arithmetic of two operands, with implicit promotion: sums, products, quotients, powers, remainders, extremes."""
