"""Networks whose Cells are stages in different processes, which tensors pass in sequence."""
