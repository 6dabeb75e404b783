"""The end of a script that failed: its traceback, and what it meant."""
