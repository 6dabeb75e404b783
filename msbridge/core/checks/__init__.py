"""Argument checks, suggestions for misspelt names, warnings for settings without effect, the script's stack frames."""
