"""Losses of classes and of sequences: cross entropies, margins over classes, connectionist temporal classification."""
