"""Forms of operators whose inputs stand in another order, or are fewer, than those of their other faces."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.elementwise.activation import mint_functional as activation
from msbridge.ops.elementwise.arithmetic.functions import lerp
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.kernel_calls.families import Axis
from msbridge.ops.reduce.reduction import mint as reduction
from msbridge.ops.reduce.sorting import mint as sorting
from msbridge.ops.shape.joining import mint as joining
from msbridge.ops.shape.padding.functions import pad
from msbridge.ops.shape.reshaping import functions as reshaping
from msbridge.ops.shape.scatter_elements import mint as placing


def sum_ext(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    """Return `mint.sum`.

    Follows: mindspore.ops.auto_generate.SumExt (2.10).
    """
    return reduction.sum(input, dim, keepdim, dtype=dtype)


def mean_ext(input: Tensor, dim: Axis = None, keepdim: bool = False, dtype: Type | None = None) -> Tensor:
    """Return `mint.mean`.

    Follows: mindspore.ops.auto_generate.MeanExt (2.10).
    """
    return reduction.mean(input, dim, keepdim, dtype=dtype)


def sort_ext(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """Return `mint.sort`.

    Follows: mindspore.ops.auto_generate.SortExt (2.10).
    """
    return sorting.sort(input, dim=dim, descending=descending, stable=stable)


def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str = "none") -> Tensor:
    """Return `mint.scatter`, or `mint.scatter_add` where `reduce` is "add".

    Raises:
        ValueError: another reduction.

    Follows: mindspore.ops.auto_generate.Scatter (2.10).
    """
    faces = {"none": placing.scatter, "add": placing.scatter_add}
    if reduce not in faces:
        raise ValueError(f"For 'Scatter', reduce must be one of {[*faces]}, got {reduce!r}.")
    return faces[reduce](input, dim, index, src)


def split_with_size(input: Tensor, split_size: tuple[int, ...], dim: int = 0) -> tuple[Tensor, ...]:
    """Return `mint.split` into parts of these sizes.

    Follows: mindspore.ops.auto_generate.SplitWithSize (2.10).
    """
    return joining.split(input, list(split_size), dim)


def zeros_like_ext(input: Tensor, dtype: Type | None = None) -> Tensor:
    """Return `mint.zeros_like`.

    Follows: mindspore.ops.auto_generate.ZerosLikeExt (2.10).
    """
    return creation.zeros_like(input, dtype=dtype)


def reflection_pad(input: Tensor, padding: tuple[int, ...]) -> Tensor:
    """Return the tensor with a border that mirrors it.

    Follows: mindspore.ops.auto_generate.ReflectionPad1D, ReflectionPad2D, ReflectionPad3D (2.10).
    """
    return pad(input, padding, "reflect")


def replication_pad(input: Tensor, padding: tuple[int, ...]) -> Tensor:
    """Return the tensor with a border that repeats its edges.

    Follows: mindspore.ops.auto_generate.ReplicationPad1D, ReplicationPad2D, ReplicationPad3D (2.10).
    """
    return pad(input, padding, "replicate")


def inplace_silu(input: Tensor) -> Tensor:
    """Write `mint.nn.functional.silu` over the input.

    Follows: mindspore.ops.auto_generate.InplaceSiLU (2.10).
    """
    return activation.silu(input, True)


def lerp_scalar(input: Tensor, end: Tensor, weight: float) -> Tensor:
    """Return `ops.lerp` for one weight.

    Follows: mindspore.ops.auto_generate.lerp_scalar (2.10).
    """
    return lerp(input, end, weight)


def transpose_view(input: Tensor, input_perm: tuple[int, ...]) -> Tensor:
    """Return `ops.transpose`.

    Follows: mindspore.ops.auto_generate.transpose_view (2.10).
    """
    return reshaping.transpose(input, input_perm)


def scalar_bool(x: int | float) -> bool:
    """Return whether a number is not zero.

    Follows: mindspore.ops.auto_generate.scalar_bool (2.10).
    """
    return bool(x)
