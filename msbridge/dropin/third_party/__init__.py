"""What Python's library, numpy, Pillow and other packages had when a script was written."""
