"""The primitives that MindSpore generates for `mint`; libraries call them themselves.

Follows: mindspore.ops.auto_generate (2.10).
"""

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.ops.activation import functions as activation
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.creation import functions as creation
from msbridge.ops.cumulative import mint as cumulative
from msbridge.ops.families import Axis
from msbridge.ops.indexing import functions as indexing
from msbridge.ops.indexing import mint as indexing_mint
from msbridge.ops.joining import mint as joining
from msbridge.ops.linalg import functions as linalg
from msbridge.ops.linalg import mint as linalg_mint
from msbridge.ops.placing import mint as placing
from msbridge.ops.primitive import derive
from msbridge.ops.reduction import mint as reduction
from msbridge.ops.sorting import mint as sorting


def _sum(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    return reduction.sum(input, dim, keepdim, dtype=dtype)


def _mean(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    return reduction.mean(input, dim, keepdim, dtype=dtype)


def _sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    return sorting.sort(input, dim=dim, descending=descending, stable=stable)


def _scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str = "none") -> Tensor:
    faces = {"none": placing.scatter, "add": placing.scatter_add}
    if reduce not in faces:
        raise ValueError(f"For 'Scatter', reduce must be one of {[*faces]}, got {reduce!r}.")
    return faces[reduce](input, dim, index, src)


def _split(input: Tensor, split_size: tuple[int, ...], dim: int = 0) -> tuple[Tensor, ...]:
    return joining.split(input, list(split_size), dim)


def _zeros_like(input: Tensor, dtype: Type | None = None) -> Tensor:
    return creation.zeros_like(input, dtype=dtype)


_PRIMITIVES = (
    derive("AddExt", arithmetic.add),
    derive("BatchMatMulExt", linalg_mint.bmm),
    derive("CumsumExt", cumulative.cumsum),
    derive("FmodScalar", arithmetic.fmod),
    derive("IndexSelect", indexing_mint.index_select),
    derive("MatMulExt", linalg.matmul),
    derive("MeanExt", _mean),
    derive("OneHotExt", indexing.one_hot, "axis"),
    derive("Outer", linalg.outer),
    derive("Scatter", _scatter),
    derive("SiLU", activation.silu),
    derive("SortExt", _sort),
    derive("SplitWithSize", _split),
    derive("StackExt", joining.stack, "dim"),
    derive("SubExt", arithmetic.sub),
    derive("SumExt", _sum),
    derive("Swiglu", activation.swiglu),
    derive("TopkExt", sorting.topk),
    derive("ZerosLikeExt", _zeros_like),
)
__all__ = [primitive.__name__ for primitive in _PRIMITIVES]
globals().update(zip(__all__, _PRIMITIVES, strict=True))
