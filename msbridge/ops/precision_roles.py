"""Precision roles of an operator's inputs in a Cell under `to_float`, where they are not simply cast.

Facts of MindSpore 2.10 on a CPU, in PyNative mode. A name is that of the function, or of the primitive's class; before
a colon is where it is defined, if the same name is treated otherwise elsewhere.
"""

import functools
from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

__all__ = ["Choice", "Role", "choice_of", "layer_role_of", "role_of"]


_Row = TypeVar("_Row")


class Role(Enum):
    """The treatment of an operator's floating inputs.

    Attributes:
        BIASED: cast, but for what is added to its product.
        CAST: cast, and it computes with them as with any of that type.
        FIRST: the first one is cast.
        COMPOSED: cast, and so are its intermediate values: it is several operators in MindSpore.
        KEPT: as they are.
        RETURNED: cast, and its results are brought back to the type that its first input had.
        ROUNDED: through the other type and back: torch has no kernel for that.
        WRITTEN: its first one as it is, which it writes into; the others go through the other type.
    """

    BIASED = "biased"
    CAST = "cast"
    COMPOSED = "composed"
    FIRST = "first"
    KEPT = "kept"
    RETURNED = "returned"
    ROUNDED = "rounded"
    WRITTEN = "written"


_ROWS: tuple[tuple[Role, str], ...] = (
    # casts, and what only looks
    (Role.KEPT, "_numpy_non_blocking mixed_precision_cast"),
    (Role.KEPT, "astype cast type type_as half bfloat16 float double int long to bool Cast dtype DType"),
    # views
    (Role.KEPT, "reshape view view_as reshape_as transpose permute swapaxes swapdims squeeze unsqueeze expand_dims t"),
    (Role.KEPT, "narrow expand expand_as broadcast_to movedim moveaxis ravel atleast_1d atleast_2d meshgrid"),
    (Role.KEPT, "chunk split tensor_split hsplit vsplit dsplit Split slice Slice methods:select"),
    (Role.KEPT, "TransposeExtView"),
    (Role.KEPT, "pixel_shuffle pixel_unshuffle methods:flatten mint:flatten contiguous identity positive"),
    # new Tensors like others
    (Role.KEPT, "ones_like zeros_like rand_like randn_like randint_like empty_like"),
    (
        Role.CAST,
        "ZerosLike OnesLike numpy:ones_like numpy:zeros_like numpy:full_like numpy:broadcast_to Identity Expand",
    ),
    (Role.KEPT, "numpy:array numpy:asarray numpy:asfarray numpy:copy numpy:tril numpy:triu"),
    # composed in MindSpore, with a cast at the end
    (Role.RETURNED, "hardtanh Hardtanh numpy:mean numpy:average numpy:max numpy:min numpy:clip numpy:minimum"),
    (Role.RETURNED, "_RNNBase recurrent:lstm"),
    # composed in MindSpore, with nothing at the end
    (Role.COMPOSED, "float_power cov numpy:norm numpy:std numpy:cov numpy:interp"),
    (Role.COMPOSED, "softmax cumsum"),
    (Role.COMPOSED, "numpy:zeros numpy:ones numpy:full full fill full_like bincount numpy:bincount"),
    # what takes Float32 beside others, and writes to them
    (Role.FIRST, "normalize_batch"),
    # what writes
    (Role.WRITTEN, "assign assign_add assign_sub Assign AssignAdd AssignSub index_add IndexAdd InplaceAdd InplaceSub"),
    (Role.WRITTEN, "scatter_update scatter_add scatter_sub scatter_mul scatter_div scatter_max scatter_min"),
    (Role.WRITTEN, "ScatterUpdate ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterMax ScatterMin"),
    (Role.WRITTEN, "scatter_nd_update scatter_nd_add scatter_nd_sub scatter_nd_mul scatter_nd_div"),
    (Role.WRITTEN, "ScatterNdUpdate ScatterNdAdd ScatterNdSub ScatterNdMul ScatterNdDiv ScatterNdMax ScatterNdMin"),
)
_ROOMS = {
    "ops/training/optimizer_updates/": Role.KEPT,  # the steps of optimizers
    "mint/optim": Role.KEPT,
    "ops/linalg/fft/": Role.ROUNDED,
}

# What level "auto" of mixed precision computes in other types than those that inputs have, by names in lower case.


class Choice(Enum):
    """The choice of dtype that level "auto" makes for an operator.

    Attributes:
        ADDING: the narrow type, and what is added to the product in the type of the operator's first input.
        NARROW: the narrow type.
        PROMOTED: the widest type of its inputs.
        WIDE: Float32.
    """

    ADDING = "adding"
    NARROW = "narrow"
    PROMOTED = "promoted"
    WIDE = "wide"


_ROWS_OF_AUTO: tuple[tuple[Choice, str], ...] = (
    (Choice.NARROW, "conv1d conv2d conv3d conv2dtranspose conv3dtranspose convtranspose2d convolution"),
    (Choice.NARROW, "matmul matmultransposed batchmatmul bmm mm mv dot inner tensordot einsum dense linear prelu"),
    (Choice.NARROW, "multiplyonehot"),
    (Choice.ADDING, "addmm addbmm addmv baddbmm"),
    (Choice.WIDE, "pow power acos arccos asin arcsin cosh erfinv exp exp2 expm1 log log10 log1p log2 reciprocal rsqrt"),
    (Choice.WIDE, "sinh tan floatpower dividing softplus layernorm normalizelayer normalizeaxes normalizewide"),
    (
        Choice.WIDE,
        "batchnorm normalizebatch groupnorm kldiv kldivloss smoothl1loss multilabelmarginloss",
    ),
    (Choice.WIDE, "softmarginloss tripletmarginloss multimarginloss bcewithlogitsloss binarycrossentropywithlogits"),
    (
        Choice.WIDE,
        "crossentropy pdist cdist renorm reduceprod prod softmax logsoftmax cumprod cumsum sum var",
    ),
    (Choice.WIDE, "logsumexp cosinesimilarity methods:std numpy:std"),
    (Choice.PROMOTED, "addcdiv addcmul cross gridsample gridsampler2d gridsampler3d biasadd addn concat cat"),
)
# Likewise the products of layers: what is not here is narrow, and its bias is added by another operator.
_ROLES_OF_LAYERS = {"Linear": Role.CAST, "Conv1dTranspose": Role.KEPT}


def layer_role_of(name: str) -> Role | None:
    """Return the way in which level "auto" takes the inputs of a layer's product; None where it has no row."""
    return _ROLES_OF_LAYERS.get(name)


@functools.cache
def choice_of(place: str, name: str) -> Choice | None:
    """Return the dtype in which level "auto" computes an operator; None where that is the types of its inputs.

    Args:
        place: its file, from the package on.
        name: its function or class.
    """
    return _look_up(_choices(), place, _plain(name))


def _plain(name: str) -> str:
    return name.replace("_", "").lower().removesuffix("ext")


@functools.cache
def _choices() -> Mapping[str, Choice]:
    return {name: choice for choice, names in _ROWS_OF_AUTO for name in names.split()}


@functools.cache
def _table() -> Mapping[str, Role]:
    return {name: role for role, names in _ROWS for name in names.split()}


@functools.cache
def role_of(place: str, name: str) -> Role | None:
    """Return the role of an operator; None where it has no row.

    Args:
        place: its file, from the package on.
        name: its function or class.
    """
    for room, role in _ROOMS.items():
        if place.startswith(room):
            return role
    return _look_up(_table(), place, name)


def _look_up(table: Mapping[str, _Row], place: str, name: str) -> _Row | None:
    room, _, file = place.partition("/")
    folder, _, face = file.rpartition("/")
    topic = folder.rpartition("/")[2]
    keys = (f"{room}:{name}", f"{topic}:{name}", f"{face}:{name}", name)
    return next((table[key] for key in keys if key in table), None)
