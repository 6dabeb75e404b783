"""Checkpoints that are cut over devices: which piece of a tensor lies on which, and how it is cut again."""
