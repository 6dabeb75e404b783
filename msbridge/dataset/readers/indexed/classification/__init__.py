"""Readers of image classification datasets: an image and its label."""
