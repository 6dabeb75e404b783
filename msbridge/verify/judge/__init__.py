"""Judge: which differences are faults."""
