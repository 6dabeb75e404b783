"""Transforms of pixel values: colours, histograms, blurring, normalization."""
