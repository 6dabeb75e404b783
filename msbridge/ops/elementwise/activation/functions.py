"""Activations: functions of one tensor that are between layers."""

from functools import partial

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.eager_checks import is_watched
from msbridge.ops.kernel_calls.families import along_axis, binary_same, unary, unary_with
from msbridge.ops.kernel_calls.number_tensors import number_tensor


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return max(0, x).

    Args:
        input: any number dtype.
        inplace: whether to write the result into `input` and return it.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself with `inplace`.

    Examples:
        >>> ops.relu(Tensor([-1.0, 2.0])).asnumpy().tolist(), ops.ReLU()(Tensor([-3])).asnumpy().tolist()
        ([0.0, 2.0], [0])

    Follows: mindspore.ops.relu (2.10).
    """
    if inplace:
        torch.relu_(writable(input))
        return input
    return unary(torch.relu, "ReLU", input)


def _relu6(data: torch.Tensor) -> torch.Tensor:
    return torch.clamp(torch.relu(data), max=6)  # whose gradient is 1 at 6


relu6 = define(unary, _relu6, "Return min(max(0, x), 6).", "x", op="ReLU6", dtypes="real -> number")


def leaky_relu(input: Tensor, alpha: float | Tensor = 0.2) -> Tensor:
    """Return x where it is positive, `alpha` times x elsewhere.

    Args:
        input: any shape; any dtype but Complex.
        alpha: the slope of negative elements; for integers it is cut to one.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.leaky_relu (2.10).
    """
    return unary_with(_leaky_relu, "LeakyReLU", input, alpha)


def _leaky_relu(data: torch.Tensor, alpha: float | Tensor) -> torch.Tensor:
    if alpha and type(data) is torch.Tensor and data.is_floating_point() and not (data.requires_grad or is_watched()):
        return F.leaky_relu(data, float(alpha))
    factor = float(alpha) if data.is_floating_point() else bool(alpha) if data.dtype is torch.bool else int(alpha)
    scaled = data * factor  # where both are equal, at 0, each takes half of the gradient
    return torch.minimum(scaled, data) if alpha > 1 else torch.maximum(scaled, data)


def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> Tensor:
    """Return x where it is positive, else x times a slope drawn from [lower, upper) for each element.

    Args:
        input: any shape; floats or integers.
        lower: the least slope.
        upper: the slopes are below it.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.rrelu (2.10).
    """
    return unary_with(_rrelu, "RReLU", input, lower, upper)


def _rrelu(data: torch.Tensor, lower: float, upper: float) -> torch.Tensor:
    if data.dtype in (torch.float32, torch.float64, torch.bfloat16):
        return F.rrelu(data, lower, upper, True)
    if data.is_floating_point():
        return F.rrelu(data.float(), lower, upper, True).to(data.dtype)
    slopes = torch.empty(data.shape, device=data.device).uniform_(lower, upper).to(data.dtype)
    return torch.where(data > 0, data, data * slopes)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Return x where it is positive, `weight` times x elsewhere.

    Args:
        input: shape (N, C, ...).
        weight: shape (C,), or (1,) for all channels.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.prelu (2.10).
    """
    return binary_same(_prelu, "PReLU", input, weight)


def _prelu(data: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.prelu(data, weight.to(data.dtype))


def elu(input_x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return x where it is positive, alpha·(exp(x) - 1) elsewhere.

    Args:
        input_x: any shape; floats.
        alpha: the limit is -alpha for x → -∞.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Follows: mindspore.ops.elu (2.10).
    """
    return unary_with(F.elu, "Elu", input_x, alpha)


def celu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return max(0, x) + min(0, alpha·(exp(x / alpha) - 1)).

    Args:
        x: any shape; floats.
        alpha: the limit is -alpha for x → -∞; not 0.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Raises:
        ValueError: `alpha` is 0.

    Follows: mindspore.ops.celu (2.10).
    """
    if alpha == 0:
        raise ValueError("For 'CeLU', alpha must not be 0.")
    return unary_with(F.celu, "CeLU", x, alpha)


selu = define(
    unary, torch.selu, "Return elu(x, 1.67326) times 1.0507.", "input_x", op="SeLU", dtypes="real number -> same"
)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Return x·Φ(x), Φ the normal distribution function.

    Args:
        input: a floating dtype.
        approximate: "none" is exact, "tanh" approximates by tanh.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        ValueError: another `approximate`.

    Follows: mindspore.ops.gelu (2.10).
    """
    if approximate == "none":
        return unary(_gelu, "gelu", input)
    if approximate == "tanh":
        return unary(_gelu_tanh, "gelu", input)
    raise ValueError(f"For 'gelu', approximate must be 'none' or 'tanh', got {approximate!r}.")


def _gelu(data: torch.Tensor) -> torch.Tensor:
    """Return x·Φ(x); oneDNN's kernel, which torch takes for contiguous data on a CPU, makes NaN of infinity.

    Turned data go through torch's own kernel, in one pass as well: 2²⁰ numbers take a thread 0.9 ms instead of 0.5,
    with their gradient as long as before, and 4096 numbers 7 µs instead of 15. Correcting oneDNN's result is dearer:
    0.9 ms in place, several ms into new memory. An odd number of elements in one axis cannot be turned.
    """
    if not data.is_cpu or data.dtype is torch.float64 or is_watched() or not data.is_contiguous():
        return F.gelu(data)
    if data.dim() > 1 and not data.mT.is_contiguous():
        return F.gelu(data.mT).mT
    if data.numel() % 2 == 0 and data.numel() > 2:
        return F.gelu(data.view(2, -1).mT).mT.reshape(data.shape)
    return torch.where(data == torch.inf, data, F.gelu(data))


def _gelu_tanh(data: torch.Tensor) -> torch.Tensor:
    return F.gelu(data, approximate="tanh")


def _fast_gelu(data: torch.Tensor) -> torch.Tensor:
    return data * torch.sigmoid(1.702 * data)


fast_gelu = define(unary, _fast_gelu, "Return x·sigmoid(1.702·x).", "x", op="FastGeLU", dtypes="any -> float")
sigmoid = define(unary, torch.sigmoid, "Return 1 / (1 + exp(-x)).", op="Sigmoid", dtypes="any -> float")
logsigmoid = define(
    unary, F.logsigmoid, "Return log(sigmoid(x)).", "x", name="logsigmoid", op="LogSigmoid", dtypes="inexact -> same"
)
hardsigmoid = define(
    unary, F.hardsigmoid, "Return min(max(0, (x + 3) / 6), 1).", op="HSigmoid", dtypes="real number -> same"
)
silu = define(unary, F.silu, "Return x·sigmoid(x).", op="SiLU", dtypes="inexact -> same")
mish = define(unary, F.mish, "Return x·tanh(softplus(x)).", "x", op="Mish", dtypes="float -> same")


def _hardswish(data: torch.Tensor) -> torch.Tensor:
    if is_watched() or not data.is_floating_point():  # as one operator, which refuses integers
        return F.hardswish(data)
    # torch's own makes NaN of -inf; its gradient is 0 at -3 and 1 at 3, where MindSpore's are -0.5 and 1.5
    if not data.requires_grad:
        return F.hardswish(data.clamp(min=-3))
    return data.clamp(min=-3).mul(torch.clamp(data + 3, 0, 6)).div(6)


hardswish = define(unary, _hardswish, "Return x·min(max(0, x + 3), 6) / 6.", op="HSwish", dtypes="real number -> same")
tanh = define(unary, torch.tanh, "Return the hyperbolic tangent.", op="Tanh", dtypes="any -> float")
tanhshrink = define(unary, F.tanhshrink, "Return x - tanh(x).", op="Tanhshrink", dtypes="number -> float")


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Return x cut to [min_val, max_val], in its dtype.

    Args:
        input: any shape; integers or floats.
        min_val: the least value of the result.
        max_val: the largest.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.hardtanh (2.10).
    """
    return unary_with(_clamp_in_dtype, "Hardtanh", input, min_val, max_val)


def _clamp_in_dtype(data: torch.Tensor, low: float, high: float) -> torch.Tensor:
    # not clamp, whose gradient is whole at the bounds: where both are equal, each takes half of it
    dtype = torch.result_type(data, low + high)
    least, most = number_tensor(low, dtype, data.device), number_tensor(high, dtype, data.device)
    return torch.minimum(torch.maximum(data, least), most).to(data.dtype)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Return x where it is outside [-lambd, lambd], 0 inside.

    Args:
        input: any shape; floats.
        lambd: half the width of the range of zeros.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.hardshrink (2.10).
    """
    return unary_with(torch.hardshrink, "HShrink", input, lambd)


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Return x moved towards 0 by `lambd`, and 0 inside [-lambd, lambd].

    Args:
        input: any shape; floats.
        lambd: half the width of the range of zeros, at least 0.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.softshrink (2.10).
    """
    return unary_with(F.softshrink, "SoftShrink", input, lambd)


soft_shrink = softshrink


def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Return log(1 + exp(beta·x)) / beta; x itself where beta·x is over `threshold`.

    Args:
        input: any shape; floats.
        beta: the sharpness of the bend at 0.
        threshold: above it the result is linear.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.softplus (2.10).
    """
    return unary_with(F.softplus, "Softplus", input, beta, threshold)


softsign = define(unary, F.softsign, "Return x / (1 + |x|).", "x", op="Softsign", dtypes="number -> float")


def threshold(input: Tensor, thr: float, value: float) -> Tensor:
    """Return x where it is over `thr`, `value` elsewhere.

    Args:
        input: any shape; integers or floats.
        thr: the limit, exclusive.
        value: what takes the place of the other elements.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.threshold (2.10).
    """
    return unary_with(torch.threshold, "threshold", input, thr, value)


def softmax(input: Tensor, axis: int = -1, *, dtype: Type | None = None) -> Tensor:
    """Scale the exponentials of `input` so that they sum to one along `axis`.

    Args:
        input: shape (..., n, ...); a floating dtype.
        axis: which axis is n.
        dtype: what to cast `input` to first; None keeps.

    Returns:
        A Tensor of the shape of `input`; its dtype, or `dtype`.

    Follows: mindspore.ops.softmax (2.10).
    """
    fn = torch.softmax if dtype is None else partial(torch.softmax, dtype=dtype_to_torch(dtype))
    return along_axis(fn, "Softmax", input, axis)


def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """Return the logarithm of softmax along `axis`.

    Args:
        logits: shape (..., n, ...); floats.
        axis: which axis is n, in [-rank, rank).

    Returns:
        A Tensor of the shape and dtype of `logits`.

    Follows: mindspore.ops.log_softmax (2.10).
    """
    return along_axis(torch.log_softmax, "LogSoftmax", logits, axis)


def softmin(x: Tensor, axis: int = -1, *, dtype: Type | None = None) -> Tensor:
    """Return the softmax of -x along `axis`.

    Args:
        x: shape (..., n, ...); floats.
        axis: which axis is n, in [-rank, rank).
        dtype: what to cast `x` to first; None keeps.

    Returns:
        A Tensor of the shape of `x`; its dtype, or `dtype`.

    Follows: mindspore.ops.softmin (2.10).
    """
    if dtype is not None:
        x = wrap(x._data.to(dtype_to_torch(dtype)))
    return along_axis(_softmin, "Softmin", x, axis)


def _softmin(data: torch.Tensor, axis: int) -> torch.Tensor:
    return torch.softmax(-data, axis)


def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    """Draw from the Gumbel softmax distribution.

    Args:
        logits: unnormalised log probabilities.
        tau: temperature, > 0.
        hard: whether to return one-hot values (the gradient stays that of the soft ones).
        dim: the axis of the classes.

    Returns:
        A Tensor of the shape and dtype of `logits`.

    Follows: mindspore.ops.gumbel_softmax (2.10).
    """
    try:
        return wrap(F.gumbel_softmax(logits._data, tau, hard, dim=dim))
    except Exception as error:
        raise explain(error, "gumbel_softmax", logits=logits, dim=dim) from error


glu = define(
    along_axis,
    F.glu,
    "Split in two halves a, b along `axis` and return a·sigmoid(b).",
    "x axis",
    op="GLU",
    axis=-1,
    args=("x: shape (..., n, ...), n even; floats.\naxis: which axis is n, in [-rank, rank)."),
    returns="A Tensor of the dtype of `x`, with n / 2 elements along `axis`.",
)


def _swiglu(data: torch.Tensor, axis: int) -> torch.Tensor:
    gate, value = torch.chunk(data, 2, axis)
    return F.silu(gate) * value


swiglu = define(
    along_axis,
    _swiglu,
    "Split in two halves a, b along `dim` and return silu(a)·b.",
    "input dim",
    dim=-1,
    args=("input: shape (..., n, ...), n even; floats.\ndim: which axis is n, in [-rank, rank)."),
    returns="A Tensor of the dtype of `input`, with n / 2 elements along `dim`.",
)
