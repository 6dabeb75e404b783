"""Names that MindSpore's own modules use for operators that are here under others.

They are looked up when a script asks for one.

Follows: mindspore.ops.function (2.10).
"""

from importlib import import_module
from typing import Any

PLACES = {
    "ApplyRotaryPosEmb": "auto_generate.ApplyRotaryPosEmb",
    "GroupTopk": "auto_generate.GroupTopk",
    "LogSoftmaxExt": "auto_generate.LogSoftmaxExt",
    "adaptive_avg_pool2d_ext": "pooling.functions.adaptive_avg_pool2d",
    "argmax_ext": "reduction.mint.argmax",
    "baddbmm_ext": "linalg.mint.baddbmm",
    "bernoulli_ext": "random.mint.bernoulli",
    "diff_ext": "cumulative.mint.diff",
    "einsum_ext": "linalg.functions.einsum",
    "float_power_ext": "arithmetic.functions.float_power",
    "inplace_sigmoid": "inplace.methods.sigmoid_",
    "isnan_ext": "elementwise.functions.isnan",
    "mse_loss_ext": "loss.functions.mse_loss",
    "pows": "arithmetic.functions.pow",
    "put_": "inplace.methods.put_",
    "reshape_": "reshaping.functions.reshape",
    "shape_": "control.functions.shape",
    "tensor_muls": "arithmetic.functions.mul",
    "tensor_slice": "indexing.functions.slice",
}


def __getattr__(name: str) -> Any:
    """Return the operator that is meant; `msbridge.ops` asks here for what it does not have."""
    module, _, operator = PLACES.get(name, "").rpartition(".")
    if not module:
        raise AttributeError(f"module 'msbridge.ops' has no attribute {name!r}", name=name)
    return getattr(import_module(f"msbridge.ops.{module}"), operator)
