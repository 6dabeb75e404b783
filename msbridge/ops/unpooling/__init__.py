"""Pooling at drawn positions, and the inverse of pooling."""
