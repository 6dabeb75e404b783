"""Losses between a prediction and a target of the same shape; those of classes are in `classification_loss`."""
