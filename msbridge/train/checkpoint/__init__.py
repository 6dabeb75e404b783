"""Saving and loading checkpoints: formats, background saves, the file system."""
