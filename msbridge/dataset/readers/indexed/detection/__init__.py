"""Readers of detection and segmentation datasets: an image with boxes or masks."""
