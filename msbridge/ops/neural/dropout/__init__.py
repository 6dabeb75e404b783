"""Dropout: zeroing drawn elements, or whole channels, and scaling the rest up."""
