"""Exception classes of MindSpore for arguments that do not fit, where it checks in another order than torch.

Most functions of it look at types, then dtypes, then shapes, and raise TypeError, TypeError and ValueError. The table
has those that torch would judge otherwise: it is read only after a failure.
"""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch

from msbridge.mappings import columns

__all__ = ["Rule", "class_for", "class_for_count", "rule_of", "shapes_differ"]

_PRECISE = frozenset({torch.float32, torch.float64})
_REAL = _PRECISE | {torch.float16}
_LINEAR = _PRECISE | {torch.complex64, torch.complex128}
_LONG = frozenset({torch.int64})
_WHOLE = frozenset({torch.int32, torch.int64})
_BITS = frozenset({torch.bool, torch.int8, torch.int16, torch.uint8, torch.uint16, torch.uint32, torch.uint64}) | _WHOLE


@dataclass(frozen=True, slots=True)
class Rule:
    """The checks by which a function judges its arguments.

    Attributes:
        dtypes: those that its Tensors may have, looked at before their shapes; None where torch's judgement holds.
        dtypes_of: those that single arguments may have, looked at likewise.
        alike: how many of its Tensors, from the first on, must be of one dtype, which it looks at first.
        shapes: the class for shapes, axes and values.
        of_dtypes: the class for dtypes.
        shapes_first: whether it looks at the shapes of its Tensors, which must broadcast, before their dtypes.
        least_rank: how many axes they must have at least, looked at before their dtypes, too.
        are_ranks_alike: whether its Tensors must have equally many axes, looked at before their dtypes, too.
        values_first: whether it looks at values, such as a reduction or a seed, before the types of its arguments.
    """

    dtypes: frozenset[torch.dtype] | None = None
    dtypes_of: Mapping[str, frozenset[torch.dtype]] = field(default_factory=dict)
    alike: int = 0
    shapes: type[Exception] = ValueError
    of_dtypes: type[Exception] = TypeError
    shapes_first: bool = False
    least_rank: int = 0
    are_ranks_alike: bool = False
    values_first: bool = False


_ALL = 9  # more Tensors than any of them has
_AS_USUAL = Rule()
_RUNTIME = """
    trace copy_ logcumsumexp approximate_equal rot90 conv_transpose2d mint.conv_transpose2d mint.glu mint.mv mint.qr
    mint.conv_tbc mint.addr_ mint.vdot mint.addbmm mint.baddbmm mint.repeat_interleave
    softshrink SoftShrink layer_norm
    """
_TYPE = """
    quantile nanquantile bounding_box_encode iou repeat lrn col2im
    fill_diagonal inplace_add inplace_sub tensor_scatter_div numpy.matmul
    """
_INDEXED = " ".join(
    [f"scatter_{kind}" for kind in ("update", "add", "sub", "min", "max", "mul", "div")]
    + [f"scatter_nd_{kind}" for kind in ("update", "add", "sub", "min", "max", "mul", "div")]
    + [f"tensor_scatter_{kind}" for kind in ("update", "sub", "min", "max", "mul", "div")]
)
_VALUE = "scatter_add_ conv1d conv3d_transpose adaptive_max_pool3d dsplit swiglu"
_VALUES_FIRST = "kl_div standard_normal max_pool2d div pad mint.pad"
_SHAPES_FIRST = "PoissonNLLLoss poisson_nll_loss polar bidense allclose isclose lerp zeta where select"
_ROWS: tuple[tuple[str, Rule], ...] = (
    (_RUNTIME, Rule(shapes=RuntimeError)),
    (_TYPE, Rule(shapes=TypeError)),
    (_VALUE, Rule(of_dtypes=ValueError)),
    (_SHAPES_FIRST, Rule(shapes_first=True)),
    (_VALUES_FIRST, Rule(values_first=True)),
    ("mint.div mint.kl_div numpy.trace Tensor.div numpy.pad", Rule()),
    ("tensor_scatter_elements gather_elements gather_d", Rule(are_ranks_alike=True)),
    ("softmax softmin log_softmax", Rule(least_rank=1)),
    ("fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 cosine_similarity normalize", Rule(least_rank=2)),
    ("mint.bmm", Rule(least_rank=3)),
    ("numpy.repeat", Rule()),
    ("exponential_", Rule(shapes=RuntimeError, of_dtypes=RuntimeError)),
    ("igamma igammac addmv baddbmm heaviside ormqr", Rule(alike=_ALL)),
    ("margin_ranking_loss MarginRankingLoss triplet_margin_loss TripletMarginLoss", Rule(alike=_ALL)),
    ("cosine_embedding_loss CosineEmbeddingLoss", Rule(alike=2)),
    ("mint.cosine_embedding_loss", Rule(shapes=RuntimeError)),
    ("multi_margin_loss", Rule(dtypes_of={"target": _LONG}, values_first=True)),
    ("MultiMarginLoss", Rule(dtypes_of={"target": _LONG})),
    ("multilabel_margin_loss MultilabelMarginLoss", Rule(dtypes_of={"target": frozenset({torch.int32})})),
    ("HingeEmbeddingLoss hinge_embedding_loss", Rule(dtypes_of={"labels": _REAL, "targets": _REAL})),
    (_INDEXED, Rule(dtypes_of={"indices": _WHOLE})),
    ("cholesky_solve", Rule(_PRECISE, alike=_ALL)),
    ("pinv pdist", Rule(_PRECISE)),
    ("lstsq dist", Rule(_REAL)),
    ("inverse orgqr", Rule(_LINEAR)),
    ("ger", Rule(_REAL, alike=_ALL)),
    ("dot logaddexp2 mint.prelu", Rule(frozenset({torch.float16, torch.float32}))),
    ("gcd lcm", Rule(_WHOLE)),
    ("bitwise_and bitwise_or bitwise_xor", Rule(_BITS)),
    ("addr", Rule(_REAL | _WHOLE | {torch.int16}, alike=_ALL)),
)
RULES: Mapping[str, Rule] = {name: rule for names, rule in _ROWS for name in names.split()}


def rule_of(name: str, path: str) -> Rule:
    """Return the rule of a function: that of an API surface, such as `mint.` or `Tensor.`, before that of all."""
    return RULES.get(path, RULES.get(name, _AS_USUAL))


_KINDS: Mapping[type, str] = {
    bool: "int",
    dict: "dict",
    float: "float",
    int: "int",
    np.ndarray: "array",
    str: "text",
    type(None): "none",
}


@dataclass(frozen=True, slots=True)
class Unfit:
    """A row of unfit_arguments.tsv."""

    function: str  # its name, after `mint.`, `numpy.` or, of a method, `Tensor.`; `nn.` and the name of a layer
    argument: str  # its argument
    error: str  # the class of the error
    values: tuple[str, ...]  # kinds of values, in the words of `_kind_of`


def class_for(function: str, argument: str, value: Any) -> type[Exception] | None:
    """Return the class of error for a value that an argument cannot be; None where nothing unusual is recorded."""
    kind = _kind_of(value)
    error = _unfit().get((function, argument, kind))
    if error is None and function.startswith("mint.nn."):  # most layers of mint are those of nn
        error = _unfit().get((function.removeprefix("mint."), argument, kind))
    return None if error is None else getattr(builtins, error)


@dataclass(frozen=True, slots=True)
class Counted:
    """A row of primitive_input_counts.tsv."""

    primitive: str  # its name
    error: str  # the class of the error


def class_for_count(primitive: str) -> type[Exception]:
    """Return the class of error for a wrong number of inputs of a primitive."""
    return getattr(builtins, _count_errors().get(primitive, "TypeError"))  # type: ignore[no-any-return]


@cache
def _count_errors() -> Mapping[str, str]:
    rows: tuple[Counted, ...] = columns("primitive_input_counts.tsv", Counted)
    return {row.primitive: row.error for row in rows}


@cache
def _unfit() -> Mapping[tuple[str, str, str], str]:
    rows: tuple[Unfit, ...] = columns("unfit_arguments.tsv", Unfit, repeated=True)
    return {(row.function, row.argument, kind): row.error for row in rows for kind in row.values}


def _kind_of(value: Any) -> str:
    if isinstance(data := getattr(value, "_data", value), torch.Tensor):
        return "tensor" if data.is_floating_point() or data.is_complex() else "ints"
    if isinstance(value, list | tuple):
        return "list" if value else "empty"
    return _KINDS.get(type(value), "dtype" if type(value).__module__.endswith("dtype") else "other")


def shapes_differ(tensors: Mapping[str, torch.Tensor]) -> bool:
    """Whether the shapes of Tensors do not broadcast."""
    try:
        torch.broadcast_shapes(*(data.shape for data in tensors.values()))
    except RuntimeError:
        return True
    return False
