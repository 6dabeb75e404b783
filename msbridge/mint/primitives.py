"""The primitives that MindSpore generates for `mint`; libraries call them themselves.

Follows: mindspore.ops.auto_generate (2.10).
"""

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.mint import _arrangement, _products, _reduction
from msbridge.ops import activation, arithmetic, creation, division, indexing, linalg
from msbridge.ops._families import Axis
from msbridge.ops.primitive import derive


def _sum(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    return _reduction.sum(input, dim, keepdim, dtype=dtype)


def _mean(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    return _reduction.mean(input, dim, keepdim, dtype=dtype)


def _sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    return _arrangement.sort(input, dim=dim, descending=descending, stable=stable)


def _scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str = "none") -> Tensor:
    faces = {"none": _arrangement.scatter, "add": _arrangement.scatter_add}
    if reduce not in faces:
        raise ValueError(f"For 'Scatter', reduce must be one of {[*faces]}, got {reduce!r}.")
    return faces[reduce](input, dim, index, src)


def _split(input: Tensor, split_size: tuple[int, ...], dim: int = 0) -> tuple[Tensor, ...]:
    return _arrangement.split(input, list(split_size), dim)


def _zeros_like(input: Tensor, dtype: Type | None = None) -> Tensor:
    return creation.zeros_like(input, dtype=dtype)


AddExt = derive("AddExt", arithmetic.add)
BatchMatMulExt = derive("BatchMatMulExt", _products.bmm)
CumsumExt = derive("CumsumExt", _reduction.cumsum)
FmodScalar = derive("FmodScalar", division.fmod)
IndexSelect = derive("IndexSelect", _arrangement.index_select)
MatMulExt = derive("MatMulExt", linalg.matmul)
MeanExt = derive("MeanExt", _mean)
OneHotExt = derive("OneHotExt", indexing.one_hot, {"axis": -1})
Outer = derive("Outer", linalg.outer)
Scatter = derive("Scatter", _scatter)
SiLU = derive("SiLU", activation.silu)
SortExt = derive("SortExt", _sort)
SplitWithSize = derive("SplitWithSize", _split)
StackExt = derive("StackExt", _arrangement.stack, {"dim": 0})
SubExt = derive("SubExt", arithmetic.sub)
SumExt = derive("SumExt", _sum)
Swiglu = derive("Swiglu", activation.swiglu)
TopkExt = derive("TopkExt", _arrangement.topk)
ZerosLikeExt = derive("ZerosLikeExt", _zeros_like)

__all__ = [
    "AddExt",
    "BatchMatMulExt",
    "CumsumExt",
    "FmodScalar",
    "IndexSelect",
    "MatMulExt",
    "MeanExt",
    "OneHotExt",
    "Outer",
    "Scatter",
    "SiLU",
    "SortExt",
    "SplitWithSize",
    "StackExt",
    "SubExt",
    "SumExt",
    "Swiglu",
    "TopkExt",
    "ZerosLikeExt",
]
