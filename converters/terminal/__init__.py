"""The terminal output of conversions and checkpoints."""
