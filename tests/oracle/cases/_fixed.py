"""Cells with weights that are the same on both sides."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import weighted_sum


def fixed(cell: nn.Cell) -> nn.Cell:
    """Fill every Parameter with numbers that its position and shape decide; variances and scales stay positive."""
    for position, parameter in enumerate(cell.get_parameters()):
        numbers = np.sin(np.arange(parameter.size) * 0.7 + position + 1).reshape(parameter.shape) * 0.5
        if parameter.name.split(".")[-1] in ("gamma", "variance", "moving_variance"):
            numbers = np.abs(numbers) + 0.5
        parameter.set_data(Tensor(numbers.astype(np.float32)).astype(parameter.dtype))
    return cell


def layer(cell: nn.Cell, *inputs: object, train: bool = False) -> dict[str, object]:
    """Names and shapes, forward, gradients of inputs and weights, and the buffers afterwards."""
    fixed(cell).set_train(train)
    weights = cell.trainable_params()
    tensors = tuple(x for x in inputs if isinstance(x, Tensor) and "Float" in str(x.dtype))
    positions = tuple(i for i, x in enumerate(inputs) if isinstance(x, Tensor) and "Float" in str(x.dtype))

    def forward(*arguments: object) -> Tensor:
        return weighted_sum(flat(cell(*arguments)))

    result: dict[str, object] = {
        "parameters": {p.name: (p.shape, p.requires_grad) for p in cell.get_parameters()},
        "output": cell(*inputs),
    }
    if weights and tensors:
        _, (of_inputs, of_weights) = ms.value_and_grad(forward, positions, weights)(*inputs)
    elif weights:
        of_inputs, of_weights = (), ms.grad(forward, None, weights)(*inputs)
    else:
        of_inputs, of_weights = ms.grad(forward, positions)(*inputs), ()
    result["input gradients"] = of_inputs
    result["weight gradients"] = dict(zip([p.name for p in weights], of_weights, strict=True))
    result["buffers"] = {p.name: p.asnumpy() for p in cell.get_parameters() if not p.requires_grad}
    return result


def flat(outputs: object) -> list:
    """All tensors of nested tuples."""
    if isinstance(outputs, tuple | list):
        return [tensor for output in outputs for tensor in flat(output)]
    return [outputs]
