"""Cell: parameters, calls, hooks, state dicts, precision and modes of a network."""
