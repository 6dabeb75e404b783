"""Networks under every way of mixed precision, and what their types and values are then."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, nn

from tests.oracle.cases._fixed import fixed

WAYS = ("O0", "O1", "O2", "O3", "auto", "float16")


def prepared(net: nn.Cell, way: str) -> nn.Cell:
    """Let a network compute as a level of amp says, or in the type of `to_float`."""
    net = fixed(net)
    return amp.auto_mixed_precision(net, way) if way in WAYS[:-1] else net.to_float(getattr(ms, way))


def types(value: object) -> object:
    """Return the dtypes of Tensors in tuples, lists and dicts."""
    if isinstance(value, tuple | list):
        return [types(one) for one in value]
    return str(value.dtype) if isinstance(value, Tensor) else str(value)


def precise(net: nn.Cell, way: str, mode: int, *inputs: Tensor) -> dict[str, object]:
    """Compute forwards, and gradients of floating inputs and of the parameters."""
    ms.set_context(mode=mode)
    net = prepared(net, way).set_train()
    output = net(*inputs)
    parameters = net.trainable_params()
    places = tuple(place for place, one in enumerate(inputs) if isinstance(one, Tensor) and "Float" in str(one.dtype))
    ofgrad = ms.grad(Summed(net), places or None, parameters or None)(*inputs) if places or parameters else ()
    return {
        "output": output,
        "parameters": [str(one.dtype) for one in net.get_parameters()],
        "gradients": ofgrad,
        "types": types(ofgrad),
    }


def x(*shape: int) -> Tensor:
    """Return numbers that every floating type holds."""
    return Tensor(np.round(np.cos(np.arange(int(np.prod(shape)))) * 16).reshape(shape) / 16, ms.float32)


def i(*numbers: int) -> Tensor:
    return Tensor(numbers, ms.int32)


class Summed(nn.Cell):
    """One number of a network's outputs, in Float32."""

    def __init__(self, net: nn.Cell) -> None:
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, *inputs: Tensor) -> Tensor:
        return weighted(self.net(*inputs))


def weighted(output: object) -> Tensor:
    total = 0.0
    if isinstance(output, (tuple, list)):
        for one in output:
            total = total + weighted(one)
        return total
    return (output.astype(ms.float32) * output.astype(ms.float32)).sum()
