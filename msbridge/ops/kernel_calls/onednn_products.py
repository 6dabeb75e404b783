"""Products of large float32 matrices on AMD's processors with AVX-512, by oneDNN.

On a CPU torch hands products to MKL, which uses AVX-512 on Intel's processors only; oneDNN, which torch ships as well,
uses it on both. Measured on two AMD EPYCs (torch 2.13, one thread): oneDNN takes 0.45 and 0.85 of MKL's time from 4
million multiplications on, 0.6 to 0.9 from two million on (what that gains, recording a gradient here costs), as long
for a million, and 10 us more below. So it computes the large ones, to the same float32. Two shapes are special. Where
the right matrix has few columns, oneDNN takes 0.2 to 0.5 of MKL's time from 262,144 multiplications on. And oneDNN
copies a left matrix that lies column by column, for up to five times MKL's time; the product of the transposed
matrices, right first, takes 0.1 to 0.9, but returns the result by columns.

What watches torch's operators (a comparison, a profile), transforms or exports them gets torch's own. In graphs that
are compiled torch's products become an operator of ours, since torch's compiler (2.13) hands them to MKL as well.
"""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core import torch_private
from msbridge.core.jit.compiler import rewrite_graphs
from msbridge.ops.kernel_calls.eager_checks import is_plain, is_watched

__all__ = ["is_faster", "linear", "matmul"]

MIN_MULTIPLICATIONS = 1 << 22  # multiplications
_MIN_MULTIPLICATIONS_UNRECORDED = 1 << 21  # where no gradient is recorded, as in a backward pass
_MIN_MULTIPLICATIONS_OF_FEW_COLUMNS = 1 << 18  # where the result has few columns
_FEW = range(2, 12)
_MIN_ASPECT_RATIO = 4  # so many times longer than its columns, a product gains more than transposing its result costs
_MIN_LENGTH = 512  # from this length on, a product gains more than copying its left matrix costs
_MIN_ROWS = 7  # with fewer, both wait for the memory

_multiply: Any = getattr(torch.ops.mkldnn, "_linear_pointwise", None)
_library = torch.library.Library("msbridge", "FRAGMENT")  # torch forgets the operators of a library that nothing holds


def is_faster() -> bool:
    """Whether oneDNN multiplies faster than MKL on this processor."""
    features = torch_private.get_capabilities()
    is_amd = str(features.get("cpu_name", "")).startswith("AMD")
    return _multiply is not None and torch.backends.mkl.is_available() and is_amd and bool(features.get("avx512_vl"))


def linear(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Return `data @ weight.T + bias`."""
    if data.numel() * weight.size(0) >= MIN_MULTIPLICATIONS and _fits(data, weight, bias):
        if torch.is_grad_enabled():
            return _Product.apply(data, weight, bias)  # type: ignore[no-any-return, no-untyped-call]
        return _compute(data, weight, bias)
    return F.linear(data, weight, bias)


def matmul(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return `left @ right`, of two matrices, vectors or batches of matrices."""
    if right.dim() == 2 and _is_large(left, right) and _fits(left, columns := right.t()):
        if torch.is_grad_enabled():
            return _Product.apply(left, columns, None)  # type: ignore[no-any-return, no-untyped-call]
        return _compute(left, columns)
    return torch.matmul(left, right)


def _is_large(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether oneDNN gains with a product of these sizes."""
    multiplications = left.numel() * right.size(1)
    if multiplications < _MIN_MULTIPLICATIONS_OF_FEW_COLUMNS:
        return False
    if right.size(1) in _FEW and right.stride(1) == 1:
        return True
    return multiplications >= (MIN_MULTIPLICATIONS if torch.is_grad_enabled() else _MIN_MULTIPLICATIONS_UNRECORDED)


def _compute(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Return `data @ weight.T + bias` of two matrices, or a batch of them and a matrix, by oneDNN."""
    if bias is None and data.dim() == 2 and data.stride(0) == 1 != data.stride(1) and data.size(0) >= weight.size(0):
        if weight.size(0) * _MIN_ASPECT_RATIO <= data.size(1):
            return _multiply(weight, data, None, "none", [], "").t().contiguous()  # type: ignore[no-any-return]
        if data.size(1) < _MIN_LENGTH:
            return F.linear(data, weight)
    return _multiply(data, weight, bias, "none", [], "")  # type: ignore[no-any-return]


class _Product(torch.autograd.Function):
    """`data @ weight.T + bias`: a matrix or a batch of them, a matrix, and a vector or None."""

    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        return _compute(data, weight, bias)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        data, weight = ctx.saved_tensors
        to_data, to_weight, to_bias = ctx.needs_input_grad
        rows = grads[0].flatten(0, -2)
        return (
            matmul(grads[0], weight) if to_data else None,
            matmul(rows.t(), data.flatten(0, -2)) if to_weight else None,
            rows.sum(0) if to_bias else None,
        )


def _fits(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> bool:
    length = weight.size(1) if weight.dim() == 2 else 0
    return (
        not is_watched()
        and data.dim() > 1
        and data.size(-1) == length
        and data.numel() >= _MIN_ROWS * length
        and (bias is None or (is_plain(bias) and bias.shape == weight.shape[:1]))
        and is_plain(data)
        and is_plain(weight)
        and torch_private.get_mkldnn_enabled()
    )


def _replace_products(graph: torch.fx.Graph) -> None:
    """Put the operator of ours in place of the large products of a graph."""
    aten = torch.ops.aten
    for node in list(graph.nodes):
        if node.target not in (aten.mm.default, aten.addmm.default) or node.kwargs:
            continue
        *biases, left, right = node.args
        values = [one.meta.get("val") for one in (left, right, *biases)]
        if all(map(_is_known, values)) and _is_worthwhile(*values):
            with graph.inserting_before(node):
                product = graph.call_function(torch.ops.msbridge.mm.default, (left, right, *biases))
            product.meta = dict(node.meta)
            node.replace_all_uses_with(product)
            graph.erase_node(node)


def _is_known(value: Any) -> bool:
    """Whether a value of a graph is float32 in the CPU's memory, of lengths that are known."""
    return (
        isinstance(value, torch.Tensor)
        and value.dtype is torch.float32
        and value.device.type == "cpu"
        and all(type(length) is int for length in (*value.shape, *value.stride()))
    )


def _is_worthwhile(left: torch.Tensor, right: torch.Tensor, bias: torch.Tensor | None = None) -> bool:
    fits = bias is None or bias.shape == right.shape[1:]
    return fits and left.size(0) >= _MIN_ROWS and _is_large(left, right) and torch_private.get_mkldnn_enabled()


def _multiply_in_graph(left: torch.Tensor, right: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    return _compute(left, right.t(), bias)


_library.define("mm(Tensor left, Tensor right, Tensor? bias=None) -> Tensor")
_library.impl("mm", _multiply_in_graph, "CPU")
_library.impl("mm", lambda left, right, bias=None: left.new_empty(left.size(0), right.size(1)), "Meta")
if is_faster():
    rewrite_graphs(_replace_products)
