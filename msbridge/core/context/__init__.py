"""The context: its settings, graph mode, and the gradient state of a thread."""
