"""Writing along an axis, or at chosen places, of a copy; reducing slices by their segment."""
