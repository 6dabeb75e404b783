"""Colours of images: hue, saturation and value."""
