"""Update rules of optimizers, and the primitives that apply one to a weight and its state."""
