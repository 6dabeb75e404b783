"""Torch's names, and what they are called in MindSpore."""
