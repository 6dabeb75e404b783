"""Boxes of detection: overlap, suppression, coding, validity, pooling."""
