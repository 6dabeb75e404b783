"""Names from the order of the layers of two networks."""
