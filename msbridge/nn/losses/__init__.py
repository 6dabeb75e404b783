"""Losses as Cells."""
