"""Networks whose Cells are stages in different processes, which tensors pass one after the other."""
