"""Tensor methods that change dtype or device."""
