"""Primitive: its base, its attributes, signatures and registries."""
