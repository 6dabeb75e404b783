"""Normalisation, rectification and a step of an LSTM under names of older releases, or that MindSpore does not list."""

from typing import Any

import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.neural.recurrent import kernels
from msbridge.ops.primitive.primitive import REQUIRED, Derived, derive


def _instance_norm(
    x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    mean: Tensor,
    variance: Tensor,
    is_training: bool = True,
    momentum: float = 0.1,
    epsilon: float = 1e-5,
) -> tuple[Tensor, ...]:
    """Normalise each sample and channel (N, C1, H, W, C0); return the mean and one over the deviation, too.

    `mean` and `variance` are moved towards those of the samples, in place. Without `is_training` they are the ones that
    count, and zeros are returned.

    Follows: mindspore.ops.operations.nn_ops.InstanceNormV2 (2.10).
    """

    def run(data: torch.Tensor, factor: torch.Tensor, bias: torch.Tensor, *given: torch.Tensor) -> tuple:
        if not is_training:
            zeros = torch.zeros_like(given[0])
            return (data - given[0]) * (given[1] + epsilon).rsqrt() * factor + bias, zeros, zeros
        spread, middle = torch.var_mean(data, (2, 3), correction=0, keepdim=True)
        inverse = (spread + epsilon).rsqrt()
        result = (data - middle) * inverse * factor + bias
        with torch.no_grad():
            count = data.shape[2] * data.shape[3]
            given[0].lerp_(middle, momentum)
            given[1].lerp_(spread * (count / max(count - 1, 1)), momentum)
        return result, middle, inverse

    return call_kernel(run, "InstanceNormV2", x, gamma, beta, mean, variance)  # type: ignore[no-any-return]


def _relu_and_mask(x: Tensor) -> tuple[Tensor, ...]:
    """Return max(x, 0), and where x is positive as uint8.

    Follows: mindspore.ops.ReLUV2 (2.0).
    """
    return call_kernel(lambda data: (data.relu(), (data > 0).to(torch.uint8)), "ReLUV2", x)  # type: ignore[no-any-return]


def _relu_by_mask(gradients: Tensor, mask: Tensor) -> Tensor:
    """Return the gradients where `ReLUV2` saw positive elements.

    Follows: mindspore.ops.operations._grad_ops.ReluGradV2 (2.0).
    """
    return call_kernel(lambda seed, kept: seed * (kept != 0), "ReluGradV2", gradients, mask)  # type: ignore[no-any-return]


def _sums(x: Tensor, data_format: str = "NCHW") -> tuple[Tensor, ...]:
    """Return the sums of elements and of squares of each channel.

    Follows: mindspore.ops.BNTrainingReduce (2.0).
    """

    def run(data: torch.Tensor) -> tuple[torch.Tensor, ...]:
        axis = data.dim() - 1 if data_format == "NHWC" else 1
        axes = [place for place in range(data.dim()) if place != axis]
        return data.sum(axes), data.square().sum(axes)

    return call_kernel(run, "BNTrainingReduce", x)  # type: ignore[no-any-return]


def _normalize(
    x: Tensor,
    sum: Tensor,
    square_sum: Tensor,
    scale: Tensor,
    b: Tensor,
    mean: Tensor,
    variance: Tensor,
    isRef: bool = True,
    epsilon: float = 1e-5,
    factor: float = 0.1,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """Normalise by the sums of `BNTrainingReduce`: (y, running mean and variance, mean and variance of the batch).

    Follows: mindspore.ops.BNTrainingUpdate (2.0).
    """

    def run(data: torch.Tensor, total: torch.Tensor, squares: torch.Tensor, *others: torch.Tensor) -> tuple:
        gain, bias, middle, spread = others
        axis = data.dim() - 1 if data_format == "NHWC" else 1
        shape = [-1 if place == axis else 1 for place in range(data.dim())]
        count = data.numel() // total.numel()
        mean = total / count
        width = squares / count - mean.square()
        slope = gain * (width + epsilon).rsqrt()
        result = data * slope.reshape(shape) + (bias - mean * slope).reshape(shape)
        unbiased = width * (count / max(count - 1, 1))
        return result, torch.lerp(middle, mean, factor), torch.lerp(spread, unbiased, factor), mean, width

    return call_kernel(run, "BNTrainingUpdate", x, sum, square_sum, scale, b, mean, variance)  # type: ignore[no-any-return]


def _lstm_cell(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    b: Tensor,
    keep_prob: float = 1.0,
    forget_bias: float = 1.0,
    state_is_tuple: bool = True,
    activation: str = "tanh",
) -> tuple[Tensor, ...]:
    """Run one step of an LSTM: (c, h, input gate, new, forget gate, output gate, tanh(c)).

    Args:
        x: (N, input).
        h: (N, hidden).
        c: (N, hidden).
        w: (input + hidden, 4·hidden): the gates for input, new, forget and output, side by side.
        b: (4·hidden,).
        keep_prob: MindSpore's dropout; 1 is the only one here.
        forget_bias: added to the forget gate.
        state_is_tuple: True.
        activation: "tanh".

    Returns:
        Seven Tensors of shape (N, hidden) and the dtype of `x`.

    Follows: mindspore.ops.operations.nn_ops.BasicLSTMCell (2.10).
    """

    def run(
        data: torch.Tensor, hidden: torch.Tensor, memory: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor
    ) -> tuple:
        gates = torch.cat([data, hidden], 1) @ weight + bias
        entry, new, forget, out = gates.chunk(4, 1)
        entry, new, forget, out = entry.sigmoid(), new.tanh(), (forget + forget_bias).sigmoid(), out.sigmoid()
        memory = memory * forget + entry * new
        bent = memory.tanh()
        return memory, out * bent, entry, new, forget, out, bent

    return call_kernel(run, "BasicLSTMCell", x, h, c, w, b)  # type: ignore[no-any-return]


def _cudnn_gru(
    x: Tensor,
    h: Tensor,
    w: Tensor,
    input_size: int = 1,
    hidden_size: int = 1,
    num_layers: int = 1,
    has_bias: bool = True,
    bidirectional: bool = False,
    dropout: float = 0.0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Run layers of a GRU: (outputs, h, and twice what MindSpore's backward pass keeps, here the state).

    Args:
        x: shape (steps, batch, input_size).
        h: shape (layers·directions, batch, hidden_size).
        w: all matrices, W_ih and W_hh of each layer and direction, then all biases in this order.
        input_size: that of a step.
        hidden_size: that of the state.
        num_layers: how many layers there are.
        has_bias: whether `w` has biases.
        bidirectional: whether each layer also runs backwards.
        dropout: the share that is dropped between layers.

    Follows: mindspore.ops.operations._rl_inner_ops.CudnnGRU (2.10), which has a kernel on a GPU only.
    """
    output, last = kernels.run_packed_gru(x, h, w, hidden_size, num_layers, has_bias, bidirectional, dropout)
    return output, last, last, last


class _LstmCell(Derived):
    """Base of `BasicLSTMCell`, which has no dropout here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        one_of(self.activation, "activation", self.name, ("tanh",))
        if instance(self.keep_prob, "keep_prob", self.name, float) != 1.0:
            raise ValueError(f"For 'BasicLSTMCell', msbridge has keep_prob=1.0 only, got {self.keep_prob!r}.")


DERIVED = (
    derive("BNTrainingReduce", _sums, "data_format"),
    derive("BNTrainingUpdate", _normalize, "isRef epsilon factor data_format"),
    derive("BasicLSTMCell", _lstm_cell, "keep_prob forget_bias state_is_tuple activation", base=_LstmCell),
    derive(
        "CudnnGRU",
        _cudnn_gru,
        "input_size hidden_size num_layers has_bias bidirectional dropout",
        **dict.fromkeys(("input_size", "hidden_size", "num_layers", "has_bias", "bidirectional", "dropout"), REQUIRED),
    ),
    derive("InstanceNormV2", _instance_norm, "is_training momentum epsilon"),
    derive("ReLUV2", _relu_and_mask),
    derive("ReluGradV2", _relu_by_mask),
)
