"""Primitives as earlier releases had them."""
