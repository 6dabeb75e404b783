"""Primitives that write what passes to .npy files."""

import itertools
from pathlib import Path

import numpy as np
import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.primitive.primitive import Primitive

MODES = ("in", "out")
_numbers = itertools.count()


def _save(path: Path, data: torch.Tensor) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = data.detach().cpu()
    np.save(path, (data.float() if data.dtype is torch.bfloat16 else data).numpy())


class TensorDump(Primitive):
    """Write a Tensor to `file`_type_number.npy; the numbers count the files of the process, bfloat16 becomes float32.

    Args:
        input_output: "in" or "out", which differ where tensors are distributed.

    Inputs:
        file: the path, with or without ".npy".
        input_x: any shape and dtype.

    Outputs:
        None.

    Raises:
        TypeError: `file` is not a str, or `input_x` not a Tensor.
        ValueError: another `input_output`.

    Follows: mindspore.ops.TensorDump (2.10).
    """

    def __init__(self, input_output: str = "out") -> None:
        super().__init__("TensorDump")
        self.add_prim_attr("input_output", one_of(input_output, "input_output", self.name, MODES))

    def __call__(self, file: str, input_x: Tensor) -> None:
        instance(file, "file", self.name, str)
        instance(input_x, "input_x", self.name, Tensor)
        kind = str(input_x.dtype).lower()
        _save(Path(f"{file.removesuffix('.npy')}_{kind}_{next(_numbers)}.npy"), input_x._data)


class DumpGradient(Primitive):
    """Return `x`, and write its gradient to `path` when it is computed.

    Inputs:
        path: that of the file.
        x: any shape; floats.
        input_output: "in" or "out".

    Outputs:
        A Tensor of the values of `x`.

    Raises:
        TypeError: `path` is not a str, or `x` not a Tensor.
        ValueError: `input_output` is neither "in" nor "out".

    Follows: mindspore.ops.DumpGradient (2.10), of Ascend.
    """

    def __init__(self) -> None:
        super().__init__("DumpGradient")

    def __call__(self, path: str, x: Tensor, input_output: str) -> Tensor:
        instance(path, "path", self.name, str)
        instance(x, "x", self.name, Tensor)
        one_of(input_output, "input_output", self.name, MODES)
        passed = x._data.view_as(x._data)
        if passed.requires_grad:
            passed.register_hook(lambda gradient: _save(Path(path), gradient))
        return wrap(passed)
