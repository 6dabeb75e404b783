"""Saving and loading checkpoints: formats, background saves, the file system.

Follows: mindspore (2.10).
"""
