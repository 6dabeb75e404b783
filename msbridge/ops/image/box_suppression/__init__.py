"""Choosing boxes greedily by their scores."""
