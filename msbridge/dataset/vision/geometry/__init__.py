"""Geometric transforms of images: crops, flips, resizing, rotations, borders."""
