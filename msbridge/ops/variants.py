"""Names that MindSpore's own modules use for operators that are here under others.

They are looked up when a script asks for one. What is called X_ext or X_view there is X of `mint`.

Follows: mindspore.ops.function (2.10).
"""

from importlib import import_module
from typing import Any

PLACES = {
    "ApplyRotaryPosEmb": "contrib.ops.auto_generate.ApplyRotaryPosEmb",
    "DtypeToEnum": "contrib.ops.internal.graph_steps.DtypeToEnum",
    "GeSwitch": "contrib.ops.internal.graph_steps.GeSwitch",
    "GetNext": "contrib.ops.internal.graph_steps.GetNext",
    "GroupTopk": "contrib.ops.auto_generate.GroupTopk",
    "LogSoftmaxExt": "contrib.ops.auto_generate.LogSoftmaxExt",
    "Merge": "contrib.ops.internal.graph_steps.Merge",
    "Pull": "contrib.ops.internal.graph_steps.Pull",
    "Push": "contrib.ops.internal.graph_steps.Push",
    "SliceGetItem": "contrib.ops.internal.compiling.SliceGetItem",
    "RNNTLoss": "contrib.ops.internal.rare.RNNTLoss",
    "_AllSwap": "ops.framework.collectives.virtual._AllSwap",
    "_Grad": "ops.framework.composite.transforming.Grad",
    "_Vmap": "ops.framework.composite.transforming.Vmap",
    "_add_attr": "contrib.ops.internal.compiling.add_attr",
    "_ones_like_for_grad": "ops.framework.composite.multitype._ones_like_for_grad",
    "adaptive_avg_pool2d_ext": "ops.neural.pooling.functions.adaptive_avg_pool2d",
    "argmax_ext": "mint.argmax",
    "array_to_scalar": "contrib.ops.internal.compiling.array_to_scalar",
    "baddbmm_ext": "mint.baddbmm",
    "bernoulli_ext": "mint.bernoulli",
    "diff_ext": "mint.diff",
    "einsum_ext": "ops.linalg.products_and_norms.functions.einsum",
    "embed": "contrib.ops.internal.compiling.embed",
    "env_get": "contrib.ops.internal.compiling.env_get",
    "environ_add": "contrib.ops.internal.compiling.environ_add",
    "environ_create": "contrib.ops.internal.compiling.environ_create",
    "environ_get": "contrib.ops.internal.compiling.environ_get",
    "environ_set": "contrib.ops.internal.compiling.environ_set",
    "float_power_ext": "ops.elementwise.arithmetic.functions.float_power",
    "geswitch": "contrib.ops.internal.graph_steps.geswitch",
    "hastype": "contrib.ops.internal.compiling.hastype",
    "inplace_sigmoid": "ops.framework.inplace.methods.sigmoid_",
    "is_dynamic_sequence_element_unknown": "contrib.ops.internal.compiling.is_dynamic_sequence_element_unknown",
    "is_tensor_bool_cond": "contrib.ops.internal.compiling.is_tensor_bool_cond",
    "isnan_ext": "mint.isnan",
    "iter_converter": "contrib.ops.internal.compiling.iter_converter",
    "merge": "contrib.ops.internal.graph_steps.merge",
    "ms_hasnext": "contrib.ops.internal.compiling.ms_hasnext",
    "ms_next": "contrib.ops.internal.compiling.ms_next",
    "mse_loss_ext": "ops.neural.loss.functions.mse_loss",
    "nsa_compress": "ops.training.llm_attention.compressing.nsa_compress",
    "pows": "ops.elementwise.arithmetic.functions.pow",
    "put_": "ops.framework.inplace.methods.put_",
    "ref_to_embed": "contrib.ops.internal.compiling.ref_to_embed",
    "reshape_": "ops.shape.reshaping.functions.reshape",
    "shape_": "contrib.ops.auto_generate.shapes.shape_",
    "switch": "contrib.ops.internal.compiling.switch",
    "switch_layer": "contrib.ops.internal.compiling.switch_layer",
    "tensor_muls": "ops.elementwise.arithmetic.functions.mul",
    "tensor_slice": "contrib.ops.auto_generate.shapes.tensor_slice",
}

ROOMS = ("mint.nn.functional", "mint", "mint.linalg")


def find(name: str) -> Any:
    """Return the operator that is meant; `msbridge.ops` asks here for what it does not have."""
    module, _, operator = PLACES.get(name, "").rpartition(".")
    if not module:
        plain = name.removesuffix("_ext").removesuffix("_view")
        for room in ROOMS if plain != name else ():
            if hasattr(found := import_module(f"msbridge.{room}"), plain):
                return getattr(found, plain)
        raise AttributeError(f"module 'msbridge.ops' has no attribute {name!r}", name=name)
    return getattr(import_module(f"msbridge.{module}"), operator)
