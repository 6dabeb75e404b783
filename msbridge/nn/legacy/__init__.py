"""Layers and members of Cells as earlier releases had them."""
