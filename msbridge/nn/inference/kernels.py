"""Products of convolutions, Dense and LSTM with weights prepared once: normalisation folded in, memory packed.

oneDNN reads weights in blocks that fit the processor; torch's own calls bring them into that order every time. Which of
the two is faster depends on the shapes and the processor, so both are there, and `choose` measures.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "Normalization",
    "Prepared",
    "PreparedAttention",
    "PreparedConvolution",
    "PreparedLinear",
    "PreparedRecurrent",
    "least_time",
]

TRIALS = 5


@dataclass(frozen=True, slots=True)
class Activation:
    """An elementwise function that oneDNN computes after a product.

    Attributes:
        name: oneDNN's name; "none" for no function.
        scalars: its numbers, such as the bounds of "hardtanh".
        algorithm: of "gelu", "none" or "tanh".
    """

    name: str = "none"
    scalars: tuple[float, ...] = ()
    algorithm: str = ""

    def __call__(self, data: torch.Tensor) -> torch.Tensor:
        """Compute it in place where torch can: the product that it follows belongs to nobody else."""
        return ACTIVATIONS[self.name](data, self)


ACTIVATIONS: dict[str, Callable[[torch.Tensor, Activation], torch.Tensor]] = {
    "none": lambda data, _: data,
    "relu": lambda data, _: data.relu_(),
    "sigmoid": lambda data, _: data.sigmoid_(),
    "tanh": lambda data, _: data.tanh_(),
    "swish": lambda data, _: torch.nn.functional.silu(data, inplace=True),
    "hardswish": lambda data, _: torch.nn.functional.hardswish(data, inplace=True),
    "hardtanh": lambda data, how: data.clamp_(*how.scalars),
    "leaky_relu": lambda data, how: torch.nn.functional.leaky_relu(data, how.scalars[0], inplace=True),
    "gelu": lambda data, how: torch.nn.functional.gelu(data, approximate=how.algorithm),
}


@dataclass(frozen=True, slots=True)
class Normalization:
    """BatchNorm of inference: y = (x - mean) / sqrt(variance + epsilon) · gamma + beta, by channel."""

    gamma: torch.Tensor | None
    beta: torch.Tensor | None
    mean: torch.Tensor
    variance: torch.Tensor
    epsilon: float


def _fold(
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    gamma: torch.Tensor | None,
    beta: torch.Tensor | None,
    mean: torch.Tensor,
    variance: torch.Tensor,
    epsilon: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the weight and bias of a convolution that normalizes its result."""
    scale = torch.rsqrt(variance + epsilon)
    if gamma is not None:
        scale = scale * gamma
    shift = (-mean if bias is None else bias - mean) * scale
    if beta is not None:
        shift = shift + beta
    return weight * scale.reshape(-1, *[1] * (weight.dim() - 1)), shift


class Prepared(torch.nn.Module):
    """A product with a weight that may be packed, or another one of which torch has a fused kernel.

    Args:
        live: the tensors whose values `refresh` reads, the weight first; in a list, for torch registers attributes.
        activation: what follows.
    """

    def __init__(self, live: list[torch.Tensor | None], activation: Activation) -> None:
        super().__init__()
        self._live, self.activation = live, activation
        self.is_packed = True

    @property
    def has_weights(self) -> bool:
        """Whether there is something to pack."""
        return bool(self._live)

    def choose(self, *inputs: torch.Tensor, **named: torch.Tensor) -> bool:
        """Measure both forms on these inputs, keep the faster one; return whether that is the packed one."""
        self.is_packed = False
        self.refresh()
        plain = least_time(lambda: self(*inputs, **named))
        self.is_packed = True
        try:
            self.refresh()
            self.is_packed = least_time(lambda: self(*inputs, **named)) < plain
        except (AttributeError, NotImplementedError, RuntimeError):  # a build of torch without oneDNN, or an older one
            self.is_packed = False
        self.refresh()
        return self.is_packed

    def renew(self, renewed: Mapping[int, torch.Tensor]) -> None:
        """Take other live tensors, by the identity of those before, and compute the prepared weight again."""
        self._live = [renewed.get(id(one), one) for one in self._live]
        self.refresh()

    def refresh(self) -> None:
        """Compute the prepared weight of the live one."""
        raise NotImplementedError


class PreparedConvolution(Prepared):
    """A two-dimensional convolution, with what follows it.

    Args:
        weight: of shape (out, in / groups, height, width).
        bias: of shape (out,), or None.
        settings: padding, stride, dilation and groups.
        normalization: what follows at once, or None.
        activation: what follows then.
        input_shape: of the input.
    """

    def __init__(
        self,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        settings: tuple[list[int], list[int], list[int], int],
        normalization: Normalization | None,
        activation: Activation,
        input_shape: Sequence[int],
    ) -> None:
        norm = normalization
        super().__init__(
            [weight, bias, *([norm.gamma, norm.beta, norm.mean, norm.variance] if norm else [])], activation
        )
        self._settings, self._input_shape = settings, list(input_shape)
        self._epsilon = norm.epsilon if norm else None

    def refresh(self) -> None:
        weight, bias, *statistics = self._live
        if self._epsilon is not None:
            gamma, beta, mean, variance = statistics
            weight, bias = _fold(weight, bias, gamma, beta, mean, variance, self._epsilon)  # type: ignore[arg-type]
        if self.is_packed:
            weight = torch.ops.mkldnn._reorder_convolution_weight(weight, *self._settings, self._input_shape)
        self._ready = [weight, bias]

    def forward(self, data: torch.Tensor, other: torch.Tensor | None = None) -> torch.Tensor:
        """Compute the convolution of `data`, add `other`, and apply the activation."""
        (weight, bias), settings, how = self._ready, self._settings, self.activation
        if not self.is_packed:
            padding, stride, dilation, groups = settings
            result = torch.conv2d(data, weight, bias, stride, padding, dilation, groups)
            return how(result if other is None else result.add_(other))
        if other is None:
            return torch.ops.mkldnn._convolution_pointwise(  # type: ignore[no-any-return]
                data, weight, bias, *settings, how.name, how.scalars, how.algorithm
            )
        fused = how.name if how.name in ("none", "relu") else "none"  # no other one after an addition
        result = torch.ops.mkldnn._convolution_pointwise.binary(
            data, other, weight, bias, *settings, "add", 1.0, None if fused == "none" else fused, [], None
        )
        return result if fused == how.name else how(result)


class PreparedLinear(Prepared):
    """A product of rows with a weight, x Wᵀ + b, with the activation that follows it.

    Args:
        weight: of shape (out, in).
        bias: of shape (out,), or None.
        activation: what follows.
        rows: how many there are.
    """

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None, activation: Activation, rows: int) -> None:
        super().__init__([weight, bias], activation)
        self._rows = rows

    def refresh(self) -> None:
        weight, bias = self._live
        if self.is_packed:
            weight = torch.ops.mkldnn._reorder_linear_weight(weight, self._rows)
        self._ready = [weight, bias]

    def forward(self, data: torch.Tensor) -> torch.Tensor:
        """Compute the product of `data` of shape (rows, in), and apply the activation."""
        (weight, bias), how = self._ready, self.activation
        if not self.is_packed:
            return how(torch.nn.functional.linear(data, weight, bias))
        return torch.ops.mkldnn._linear_pointwise(  # type: ignore[no-any-return]
            data, weight, bias, how.name, how.scalars, how.algorithm
        )


class PreparedRecurrent(Prepared):
    """One direction of one layer of an LSTM, over whole sequences.

    Args:
        weights: of the input, of the state, and the two biases.
        settings: what else `aten.mkldnn_rnn_layer` takes after the states.
        input_shape: of the input, (time, batch, features) or (batch, time, features).
    """

    def __init__(self, weights: list[torch.Tensor | None], settings: Sequence[Any], input_shape: Sequence[int]) -> None:
        super().__init__(weights, Activation())
        self._settings, self._input_shape = list(settings), list(input_shape)

    def refresh(self) -> None:
        self._ready = list(self._live)
        if self.is_packed:
            is_reverse, _, _, hidden, _, has_biases, _, is_batch_first, _ = self._settings
            self._ready[:2] = torch.ops.mkldnn._reorder_mkldnn_rnn_layer_weight(
                *self._live[:2], hidden, is_reverse, has_biases, is_batch_first, self._input_shape
            )

    def forward(self, data: torch.Tensor, hidden: torch.Tensor, cell: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Compute the outputs and the last states."""
        return torch.ops.aten.mkldnn_rnn_layer(data, *self._ready, hidden, cell, *self._settings)  # type: ignore[no-any-return]


class PreparedAttention(Prepared):
    """Attention of heads: softmax(q · kᵀ · scale + mask) · v.

    Args:
        scale: of the scores.
    """

    def __init__(self, scale: float) -> None:
        super().__init__([], Activation())
        self._scale = scale

    def refresh(self) -> None:
        """Do nothing: there are no weights."""

    def forward(
        self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Compute it for q, k and v of shape (batch, heads, length, features), or without the first axis."""
        if not self.is_packed:
            scores = torch.matmul(q, k.transpose(-2, -1)) * self._scale
            return torch.matmul(torch.softmax(scores if mask is None else scores + mask, -1), v)
        if mask is not None:
            mask = mask[(None,) * (4 - mask.dim())]
        if q.dim() == 4:
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask, scale=self._scale)
        heads = q[None], k[None], v[None]
        return torch.nn.functional.scaled_dot_product_attention(*heads, mask, scale=self._scale)[0]


def least_time(run: Callable[[], Any]) -> float:
    """Return the least time of some calls after a first one, in seconds."""
    run()
    times = []
    for _ in range(TRIALS):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)
