"""Names: which tensor of the target is which of the source, by the model, by order, by guess or by rules."""
