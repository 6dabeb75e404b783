"""Cells that compute one step of training or evaluation."""
