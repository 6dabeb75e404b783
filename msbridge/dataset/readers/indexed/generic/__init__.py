"""Readers of MindRecord files, of arrays, and of random and padded rows."""
