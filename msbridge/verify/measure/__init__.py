"""Measure: how far what belongs together is apart."""
