"""Normalization layers: over the batch, over each sample, over the batches of several processes."""
