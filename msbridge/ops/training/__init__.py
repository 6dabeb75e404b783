"""Steps of optimizers, gradients as operators, quantization, reinforcement learning, serving."""
