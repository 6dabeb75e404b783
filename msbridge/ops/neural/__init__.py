"""Layers as functions: convolution, pooling, normalization, attention, losses."""
