"""Names from the layer types of a model."""
