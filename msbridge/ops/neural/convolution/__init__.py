"""Convolutions and their transposes over one, two and three spatial axes."""
