"""Reading parts of a tensor: by indices, by masks, by ranges; and choosing between tensors."""
