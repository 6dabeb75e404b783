"""Layers, a file for each topic."""
