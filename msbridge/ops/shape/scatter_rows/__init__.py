"""Writing to the rows or slices that indices name: in place, or into a copy."""
