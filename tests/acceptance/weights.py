"""Write a checkpoint of random weights for a network whose scripts want a trained one; started by jobs.

msbridge run weights.py FILE MODULE CALL      # CALL makes the network of what MODULE has: "ResNet(Block, 50)"
"""

import importlib
import sys

import mindspore as ms
import numpy as np

__all__ = ["main"]


def main(file: str, module: str, call: str) -> None:
    """Write weights by which the size of what flows through them stays; the other parameters as they are."""
    rng = np.random.default_rng(0)
    network = eval(call, vars(importlib.import_module(module)))
    for weight in network.get_parameters():
        if weight.ndim > 1:
            drawn = rng.standard_normal(weight.shape) * np.prod(weight.shape[1:]) ** -0.5
            weight.set_data(ms.Tensor(drawn, weight.dtype))
    ms.save_checkpoint(network, file)


if __name__ == "__main__":
    sys.path.append(".")
    words, sys.argv[1:] = sys.argv[1:], []  # modules of the model zoo read them when they are imported
    main(*words)
