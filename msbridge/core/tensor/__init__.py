"""Tensor: construction, indexing, printing, writes while gradients are recorded, exchange with other libraries."""
