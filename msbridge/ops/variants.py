"""Names that MindSpore's own modules use for operators that are here under others.

They are looked up when a script asks for one. What is called X_ext or X_view there is X of `mint`.

Follows: mindspore.ops.function (2.10).
"""

from importlib import import_module
from typing import Any

PLACES = {
    "ApplyRotaryPosEmb": "auto_generate.ApplyRotaryPosEmb",
    "DtypeToEnum": "internal.graph_steps.DtypeToEnum",
    "GeSwitch": "internal.graph_steps.GeSwitch",
    "GetNext": "internal.graph_steps.GetNext",
    "GroupTopk": "auto_generate.GroupTopk",
    "LogSoftmaxExt": "auto_generate.LogSoftmaxExt",
    "Merge": "internal.graph_steps.Merge",
    "Pull": "internal.graph_steps.Pull",
    "Push": "internal.graph_steps.Push",
    "SliceGetItem": "internal.compiling.SliceGetItem",
    "RNNTLoss": "internal.rare.RNNTLoss",
    "_AllSwap": "collectives.virtual._AllSwap",
    "_Grad": "composite.transforming.Grad",
    "_Vmap": "composite.transforming.Vmap",
    "_add_attr": "internal.compiling.add_attr",
    "_ones_like_for_grad": "composite.multitype._ones_like_for_grad",
    "adaptive_avg_pool2d_ext": "pooling.functions.adaptive_avg_pool2d",
    "argmax_ext": "reduction.mint.argmax",
    "array_to_scalar": "internal.compiling.array_to_scalar",
    "baddbmm_ext": "linalg.mint.baddbmm",
    "bernoulli_ext": "random.mint.bernoulli",
    "diff_ext": "cumulative.mint.diff",
    "einsum_ext": "linalg.functions.einsum",
    "embed": "internal.compiling.embed",
    "env_get": "internal.compiling.env_get",
    "environ_add": "internal.compiling.environ_add",
    "environ_create": "internal.compiling.environ_create",
    "environ_get": "internal.compiling.environ_get",
    "environ_set": "internal.compiling.environ_set",
    "float_power_ext": "arithmetic.functions.float_power",
    "geswitch": "internal.graph_steps.geswitch",
    "hastype": "internal.compiling.hastype",
    "inplace_sigmoid": "inplace.methods.sigmoid_",
    "is_dynamic_sequence_element_unknown": "internal.compiling.is_dynamic_sequence_element_unknown",
    "is_tensor_bool_cond": "internal.compiling.is_tensor_bool_cond",
    "isnan_ext": "elementwise.mint.isnan",
    "iter_converter": "internal.compiling.iter_converter",
    "merge": "internal.graph_steps.merge",
    "ms_hasnext": "internal.compiling.ms_hasnext",
    "ms_next": "internal.compiling.ms_next",
    "mse_loss_ext": "loss.functions.mse_loss",
    "nsa_compress": "serving.compressing.nsa_compress",
    "pows": "arithmetic.functions.pow",
    "put_": "inplace.methods.put_",
    "ref_to_embed": "internal.compiling.ref_to_embed",
    "reshape_": "reshaping.functions.reshape",
    "shape_": "auto_generate.shapes.shape_",
    "switch": "internal.compiling.switch",
    "switch_layer": "internal.compiling.switch_layer",
    "tensor_muls": "arithmetic.functions.mul",
    "tensor_slice": "auto_generate.shapes.tensor_slice",
}

ROOMS = ("mint.nn.functional", "mint", "mint.linalg")


def __getattr__(name: str) -> Any:
    """Return the operator that is meant; `msbridge.ops` asks here for what it does not have."""
    module, _, operator = PLACES.get(name, "").rpartition(".")
    if not module:
        plain = name.removesuffix("_ext").removesuffix("_view")
        for room in ROOMS if plain != name else ():
            if hasattr(found := import_module(f"msbridge.{room}"), plain):
                return getattr(found, plain)
        raise AttributeError(f"module 'msbridge.ops' has no attribute {name!r}", name=name)
    return getattr(import_module(f"msbridge.ops.{module}"), operator)
