"""Several tensors and one: joining along an axis, taking apart, repeating."""
