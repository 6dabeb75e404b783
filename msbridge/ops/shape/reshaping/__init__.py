"""The shape of a tensor: reshaping, axes and their order, broadcasting, reversing."""
