"""Pooling over windows of uneven sizes, and pooling of volumes with the places of the maxima."""
