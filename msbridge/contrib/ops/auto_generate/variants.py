"""Forms of operators whose inputs are in another order, or are fewer, than those of their other faces."""

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation import mint_functional as activation
from msbridge.ops.elementwise.combinations.functions import lerp
from msbridge.ops.faces import face
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.reduce import mint
from msbridge.ops.reduce.reduction import functions as reduction
from msbridge.ops.shape import mint as shape
from msbridge.ops.shape.padding.functions import pad
from msbridge.ops.shape.reshaping import functions as reshaping

lerp_scalar = face("lerp_scalar", lerp, "input end weight")
mean_ext = face("mean_ext", mint.mean, "input dim keepdim dtype")
sort_ext = face("sort_ext", mint.sort, "input dim descending stable")
sum_ext = face("sum_ext", reduction.sum, "input dim keepdim dtype")
transpose_view = face("transpose_view", reshaping.transpose, "input input_perm")
zeros_like_ext = face("zeros_like_ext", creation.zeros_like, "input dtype")


def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str = "none") -> Tensor:
    """Return `mint.scatter`, or `mint.scatter_add` where `reduce` is "add".

    Raises:
        ValueError: another reduction.

    Follows: mindspore.ops.auto_generate.Scatter (2.10).
    """
    faces = {"none": shape.scatter, "add": shape.scatter_add}
    one_of(reduce, "reduce", "Scatter", faces)
    return faces[reduce](input, dim, index, src)


def split_with_size(input: Tensor, split_size: tuple[int, ...], dim: int = 0) -> tuple[Tensor, ...]:
    """Return `mint.split` into parts of these sizes.

    Follows: mindspore.ops.auto_generate.SplitWithSize (2.10).
    """
    return shape.split(input, list(split_size), dim)


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


def scalar_bool(x: int | float) -> bool:
    """Return whether a number is not zero.

    Follows: mindspore.ops.auto_generate.scalar_bool (2.10).
    """
    return bool(x)
