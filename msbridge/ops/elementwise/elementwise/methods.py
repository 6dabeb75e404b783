"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.elementwise import functions

SAME = same(
    functions,
    "abs absolute angle ceil clamp clip conj exp exp2 expm1 floor frac imag inv isfinite isinf isnan isneginf "
    "isposinf log log10 log1p log2 logit nan_to_num neg negative positive real reciprocal round rsqrt sgn sign "
    "signbit sqrt square trunc type_as",
)
