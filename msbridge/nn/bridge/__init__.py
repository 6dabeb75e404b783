"""Cells as torch modules, and torch modules as Cells, on the same memory."""
