"""Quotients and remainders of two operands, with implicit promotion."""
