"""Activations: functions of one tensor that stand between layers."""
