"""Transforms of images as earlier releases had them."""
