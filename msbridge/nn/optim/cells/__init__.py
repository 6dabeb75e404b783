"""The optimizers of `mindspore.nn`: groups, learning rates and weight decay are fixed when they are constructed."""
