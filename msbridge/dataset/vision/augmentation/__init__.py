"""Augmentation: learned policies, random erasing, mixing the images of a batch."""
