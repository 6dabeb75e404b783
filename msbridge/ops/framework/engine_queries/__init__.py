"""Engine queries of libraries to a Tensor."""
