"""What becomes of an operator's inputs in a Cell under `to_float`, where they are not simply cast.

Facts of MindSpore 2.10 on a CPU, in PyNative mode. A name is that of the function, or of the primitive's class; before
a colon stands where it is defined, if the same name is treated otherwise elsewhere.
"""

import functools
from collections.abc import Mapping
from enum import Enum

__all__ = ["Role", "is_narrow", "is_wide", "role_of"]


class Role(Enum):
    """How an operator takes its floating inputs.

    Attributes:
        BIASED: cast, but for what is added to its product.
        CAST: cast, and it computes with them as with any of that type.
        FIRST: the first one is cast.
        COMPOSED: cast, and so are its intermediate values: it is several operators in MindSpore.
        KEPT: as they are.
        RETURNED: cast, and its results are brought back to the type that they had.
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
    (Role.KEPT, "_itemsize _nbytes _numpy_non_blocking"),
    (Role.KEPT, "astype cast type type_as half bfloat16 float double int long to bool Cast dtype DType value"),
    # views
    (Role.KEPT, "reshape view view_as reshape_as transpose permute swapaxes swapdims squeeze unsqueeze expand_dims t"),
    (Role.KEPT, "narrow expand expand_as broadcast_to movedim moveaxis ravel atleast_1d atleast_2d meshgrid"),
    (Role.KEPT, "chunk split tensor_split hsplit vsplit dsplit Split slice Slice methods:select"),
    (
        Role.KEPT,
        "TransposeExtView DiagonalView UnstackExtView RealView",
    ),
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
    (Role.COMPOSED, "float_power cov numpy:norm numpy:std numpy:cov numpy:interp numpy:histogram"),
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
    "ops/updating/": Role.KEPT,  # the steps of optimizers
    "mint/optim": Role.KEPT,
    "ops/spectral/": Role.ROUNDED,
}

# What level "auto" of mixed precision computes in the narrow type, and in Float32, by names in lower case.
_NARROW = """
    conv1d conv2d conv3d convtranspose1d convtranspose2d convtranspose3d conv1dtranspose conv2dtranspose conv3dtranspose
    convolution matmul matmultransposed batchmatmul bmm mm dense linear prelu einsum addmm addbmm addmv baddbmm mv dot
"""
_WIDE = """
    pow acos asin cosh erfinv exp expm1 log log10 log1p log2 reciprocal rsqrt sinh tan softplus layernorm normalizeaxes
    normalizewide batchnorm normalizebatch groupnorm norm kldiv kldivloss smoothl1loss multilabelmarginloss
    softmarginloss tripletmarginloss multimarginloss bcewithlogitsloss binarycrossentropywithlogits pdist cdist renorm
    reduceprod prod softmax logsoftmax cumprod cumsum
"""
_narrow_names, _wide_names = frozenset(_NARROW.split()), frozenset(_WIDE.split())


@functools.cache
def is_narrow(name: str) -> bool:
    """Whether level "auto" computes an operator in the narrow type."""
    return _plain(name) in _narrow_names


@functools.cache
def is_wide(name: str) -> bool:
    """Whether level "auto" computes an operator in Float32."""
    return _plain(name) in _wide_names


def _plain(name: str) -> str:
    return name.replace("_", "").lower().removesuffix("ext").removesuffix(".construct")


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
    room, _, file = place.partition("/")
    topic, _, face = file.rpartition("/")
    table = _table()
    return next(
        (table[key] for key in (f"{room}:{name}", f"{topic}:{name}", f"{face}:{name}", name) if key in table), None
    )
