"""Pair: which weights and which steps of both networks answer to each other."""
