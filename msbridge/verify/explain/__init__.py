"""Explain: why a fault is one, as data."""
