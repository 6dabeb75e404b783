"""Simulated quantisation: values rounded to the steps of a few bits, in floating point."""
