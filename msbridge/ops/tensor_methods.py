"""The methods and operators of Tensor: each is the function of a family, or its face where the arguments differ.

Importing this file attaches them to `msbridge.core.tensor.Tensor`; `tensor.pyi` beside that file declares them.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from msbridge.core.tensor import Tensor
from msbridge.ops import operators
from msbridge.ops.activation import functions as activation
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.blocks import functions as blocks
from msbridge.ops.casting import methods as casting
from msbridge.ops.comparison import functions as comparison
from msbridge.ops.creation import functions as creation
from msbridge.ops.cumulative import functions as cumulative
from msbridge.ops.decomposition import functions as decomposition
from msbridge.ops.division import functions as division
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.indexing import functions as indexing
from msbridge.ops.inplace import functions as inplace
from msbridge.ops.joining import functions as joining
from msbridge.ops.linalg import functions as linalg
from msbridge.ops.memory import methods as layout
from msbridge.ops.placing import functions as placing
from msbridge.ops.random import functions as random
from msbridge.ops.reduction import functions as reduction
from msbridge.ops.reduction import methods as reducing
from msbridge.ops.reshaping import functions as reshaping
from msbridge.ops.sampling import functions as sampling
from msbridge.ops.scattering import functions as scattering
from msbridge.ops.sorting import functions as sorting
from msbridge.ops.special import functions as special
from msbridge.ops.trigonometry import functions as trigonometry

OPERATORS: dict[str, Callable[..., Any]] = {
    "__abs__": elementwise.abs,
    "__add__": arithmetic.add,
    "__and__": comparison.bitwise_and,
    "__eq__": operators.is_equal,
    "__floordiv__": division.floor_divide,
    "__ge__": comparison.greater_equal,
    "__gt__": comparison.greater,
    "__invert__": comparison.logical_not,
    "__le__": comparison.less_equal,
    "__lt__": comparison.less,
    "__matmul__": linalg.matmul,
    "__mod__": division.remainder,
    "__mul__": arithmetic.mul,
    "__ne__": operators.is_unequal,
    "__neg__": elementwise.neg,
    "__or__": comparison.bitwise_or,
    "__pos__": elementwise.positive,
    "__pow__": arithmetic.pow,
    "__radd__": arithmetic.add,
    "__rfloordiv__": operators.floor_dividing,
    "__rmatmul__": operators.multiplied_from_left,
    "__rmod__": operators.remainder_of,
    "__rmul__": arithmetic.mul,
    "__round__": operators.rounded,
    "__rpow__": operators.exponent_of,
    "__rsub__": operators.subtracted_from,
    "__rtruediv__": operators.dividing,
    "__sub__": arithmetic.sub,
    "__truediv__": division.true_divide,
    "__xor__": comparison.bitwise_xor,
}

# the functions that are methods as they stand, or whose face has the method's name
SAME: dict[ModuleType, str] = {
    activation: "hardshrink sigmoid soft_shrink softmax tanh",
    arithmetic: (
        "add addcdiv addcmul arctan2 atan2 copysign float_power fmax fmin gcd heaviside hypot lcm ldexp lerp "
        "logaddexp logaddexp2 maximum minimum mul multiply nextafter pow sub subtract xlogy"
    ),
    division: "div divide floor_divide fmod remainder true_divide xdivy",
    blocks: "col2im fold reverse_sequence unfold",
    casting: "astype bfloat16 bool byte double float half int long move_to short to type",
    comparison: (
        "allclose approximate_equal bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift "
        "bitwise_xor eq equal ge greater greater_equal gt invert is_complex is_floating_point isclose isreal le less "
        "less_equal logical_and logical_not logical_or logical_xor lt ne not_equal"
    ),
    creation: "diag diagflat fill_diagonal fills tril triu",
    cumulative: "bincount cov cummax cummin cumprod diff histc logcumsumexp",
    decomposition: (
        "cholesky cholesky_inverse cholesky_solve det eigvals geqrf inverse log_matrix_determinant logdet lstsq "
        "lu_solve matrix_determinant orgqr ormqr slogdet svd"
    ),
    elementwise: (
        "abs absolute angle ceil clamp clip conj exp exp2 expm1 floor frac imag inv isfinite isinf isnan isneginf "
        "isposinf log log10 log1p log2 logit nan_to_num neg negative positive real reciprocal round rsqrt sgn sign "
        "signbit sqrt square trunc type_as"
    ),
    trigonometry: (
        "acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cos cosh deg2rad rad2deg sin "
        "sinh tan"
    ),
    indexing: "argwhere gather_elements gather_nd index_select masked_fill masked_select nonzero",
    inplace: (
        "add_ addmm_ clamp_ copy_ div_ erfinv_ exp_ fill_ fill_diagonal_ floor_ floor_divide_ index_add_ index_copy_ "
        "index_fill_ log_ masked_scatter_ mul_ put_ remainder_ scatter_ scatter_add_ sigmoid_ sign_ sub_ tanh_ zero_"
    ),
    joining: "chunk dsplit hsplit tensor_split unbind vsplit",
    layout: (
        "bernoulli cauchy clone contiguous data_ptr data_sync diagonal get_bytes index is_contiguous is_pinned "
        "is_shared is_signed itemset kthvalue log_normal new_empty new_full new_ones new_zeros numel outer pin_memory "
        "qr requires_grad_ set_ set_const_arg storage_offset stride triangular_solve uniform unsqueeze value"
    ),
    linalg: "addbmm addmm addmv addr adjoint baddbmm bmm cross dot ger inner matmul matrix_power mm norm renorm",
    placing: (
        "diagonal_scatter index_fill inplace_update select_scatter slice_scatter unsorted_segment_max "
        "unsorted_segment_min unsorted_segment_prod"
    ),
    random: "bernoulli_ exponential_ normal_ random_ uniform_",
    sampling: "multinomial random_categorical",
    reducing: (
        "all any argmax argmax_with_value argmin argmin_with_value cumsum logsumexp max mean median min prod std sum "
        "sum_to_size trace var"
    ),
    reduction: "amax amin aminmax count_nonzero nanmean nanmedian nanquantile nansum quantile",
    reshaping: (
        "broadcast_to expand_as expand_dims flip fliplr flipud movedim moveaxis narrow ravel reverse roll rot90 "
        "squeeze swapaxes swapdims t view_as"
    ),
    sorting: "msort top_k topk unique_consecutive unique_with_pad",
    special: "digamma erf erfc erfinv i0 igamma igammac lgamma mvlgamma sinc",
}

RENAMED: dict[str, Callable[..., Any]] = {
    "argsort": sorting.argsort_method,
    "choose": indexing.choose_method,
    "expand": reshaping.expand_method,
    "fill": creation.fills,
    "flatten": reshaping.flatten_method,
    "gather": indexing.gather_method,
    "index_add": placing.index_add_method,
    "index_put": placing.index_put_method,
    "index_put_": placing.index_put_in_place_method,
    "masked_fill_": placing.masked_fill_in_place_method,
    "masked_scatter": placing.masked_scatter_method,
    "ndimension": Tensor.dim,
    "nelement": layout.numel,
    "permute": reshaping.permute_method,
    "ptp": reduction.peak_to_peak,
    "repeat": joining.repeat_method,
    "repeat_interleave": joining.repeat_interleave_method,
    "reshape": reshaping.reshape_method,
    "reshape_as": reshaping.reshape_as_method,
    "resize": reshaping.resize_method,
    "scatter": placing.scatter_method,
    "scatter_add": placing.scatter_add_method,
    "scatter_div": scattering.tensor_scatter_div,
    "scatter_max": scattering.tensor_scatter_max,
    "scatter_min": scattering.tensor_scatter_min,
    "scatter_mul": scattering.tensor_scatter_mul,
    "scatter_sub": scattering.tensor_scatter_sub,
    "searchsorted": sorting.searchsorted_method,
    "select": indexing.select_method,
    "sort": sorting.sort_method,
    "split": joining.split_method,
    "take": indexing.take_method,
    "tile": joining.tile_method,
    "transpose": reshaping.transpose_method,
    "unique": sorting.unique_method,
    "view": reshaping.view_method,
    "where": indexing.where_method,
}

PROPERTIES: dict[str, Callable[[Tensor], Any]] = {
    "H": linalg.adjoint,
    "data": layout.data,
    "mH": linalg.adjoint,
    "mT": layout.matrix_transposed,
}


def methods() -> dict[str, Callable[..., Any]]:
    """Give every method and operator that is attached, by name."""
    same = {
        name: getattr(module, name) for module, names in SAME.items() for name in names.split() if hasattr(module, name)
    }
    return OPERATORS | same | RENAMED


def attach() -> None:
    """Put every method, operator and property on Tensor."""
    for name, function in methods().items():
        setattr(Tensor, name, function)
    for name, function in PROPERTIES.items():
        setattr(Tensor, name, property(function))


attach()
