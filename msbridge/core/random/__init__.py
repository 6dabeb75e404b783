"""Random seeds and generators."""
