"""What checkpoints are made of: a small network, and single parameters."""

import numpy as np

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype


class Net:
    """What serialization asks of a Cell: its parameters and their names."""

    def __init__(self, prefix: str = ""):
        shapes = {"fc.weight": (3, 2), "fc.bias": (3,), "bn.moving_mean": (3,), "bn.gamma": (3,)}
        self.parameters = {
            prefix + name: Parameter(Tensor(np.full(shape, i, np.float32)), prefix + name)
            for i, (name, shape) in enumerate(shapes.items())
        }

    def parameters_and_names(self):
        return iter(self.parameters.items())

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]


def parameter(values, name: str, dtype=mstype.float32) -> Parameter:
    return Parameter(Tensor(np.array(values), dtype), name=name)
