"""Compatibility with Python's library, numpy, Pillow and other packages as they were when a script was written."""
