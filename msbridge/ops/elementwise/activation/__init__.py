"""Activations: functions of one tensor that are between layers."""
