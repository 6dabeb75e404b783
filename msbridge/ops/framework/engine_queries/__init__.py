"""What libraries ask a Tensor of MindSpore's engine."""
