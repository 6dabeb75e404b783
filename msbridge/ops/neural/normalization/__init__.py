"""Normalisation: over the batch, over trailing axes, over groups of channels, by a norm."""
