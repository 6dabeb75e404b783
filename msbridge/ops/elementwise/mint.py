"""Functions of `mint` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise import functions

SAME = same(
    functions,
    "abs ceil clamp clip exp exp2 expm1 floor frac imag isfinite isinf isnan isneginf log log10 log1p log2 "
    "nan_to_num neg negative polar real reciprocal round rsqrt sign sqrt square trunc",
) | {"fix": functions.trunc}
