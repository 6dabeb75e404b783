"""LessBN: a network whose last dense layer is normalized."""

from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.parameter_init import Init, make_parameter

__all__ = ["CommonHeadLastFN", "LessBN"]


class CommonHeadLastFN(Cell):
    """Compute multiplier·(x̂ @ ŵ.T + bias), with the rows of x and of the weight at a norm of 1.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills `weight`.
        bias_init: fills `bias`.
        has_bias: whether there is a bias.

    Follows: mindspore.boost.less_batch_normalization.CommonHeadLastFN (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
    ) -> None:
        super().__init__()
        self.weight = make_parameter(weight_init, (out_channels, in_channels), mstype.float32, "weight")
        self.multiplier = make_parameter("ones", (1,), mstype.float32, "multiplier")
        self.has_bias = has_bias
        if has_bias:
            self.bias = make_parameter(bias_init, (out_channels,), mstype.float32, "bias")

    def construct(self, x: Tensor) -> Tensor:
        try:
            rows, weight = (torch.nn.functional.normalize(data, dim=1) for data in (x._data, self.weight._data))
            product = rows @ weight.to(rows.dtype).mT
            if self.has_bias:
                product = product + self.bias._data.to(rows.dtype)
            return wrap(product * self.multiplier._data)
        except Exception as error:
            raise explain(error, "CommonHeadLastFN", x=x, weight=self.weight) from error


class LessBN(Cell):
    """A network, whose last dense layer in each of its parts becomes a CommonHeadLastFN where `fn_flag` is set.

    What MindSpore leaves out of the statistics of batch normalization on Ascend is computed here.

    Args:
        network: the network, which is changed.
        fn_flag: replace the last dense layers.

    Follows: mindspore.boost.LessBN (2.10).
    """

    def __init__(self, network: Cell, fn_flag: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        if "less_bn" not in network.get_flags():
            network.add_flags_recursive(less_bn=True)
            if fn_flag:
                _convert(network, "")

    def construct(self, *inputs: Any) -> Any:
        return self.network(*inputs)


def _convert(net: Cell, path: str) -> None:
    last = ""
    for name, cell in net.name_cells().items():
        if isinstance(cell, Dense):
            last = name
        elif cell is not net:
            _convert(cell, f"{path}{name}.")
    if last:
        dense = net._cells[last]
        made = CommonHeadLastFN(dense.in_channels, dense.out_channels, has_bias=False)
        made._params["weight"] = dense.weight
        made.multiplier.name = f"{path}{last}.multiplier"
        net._replace_child(last, made.set_train(dense.training))
