"""Moving blocks of pixels between space, channels and the batch; windows; runs reversed by length."""
