"""Model and checkpoints as earlier releases had them."""
