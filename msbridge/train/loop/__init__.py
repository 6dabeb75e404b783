"""The loops of Model: stages, sinks, modes, resumption."""
