"""Readers of paired datasets: image and caption, image and image, patches of one scene."""
