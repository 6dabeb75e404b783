"""Padding: constant, reflecting, repeating or periodic borders."""
