"""Names that MindSpore's own modules use for operators that are here under others.

They are looked up when a script asks for one. What is called X_ext or X_view there is X of `mint`.

Follows: mindspore.ops.function (2.10).
"""

from importlib import import_module
from typing import Any

PLACES = {
    "ApplyRotaryPosEmb": "framework.auto_generate.ApplyRotaryPosEmb",
    "DtypeToEnum": "framework.internal.graph_steps.DtypeToEnum",
    "GeSwitch": "framework.internal.graph_steps.GeSwitch",
    "GetNext": "framework.internal.graph_steps.GetNext",
    "GroupTopk": "framework.auto_generate.GroupTopk",
    "LogSoftmaxExt": "framework.auto_generate.LogSoftmaxExt",
    "Merge": "framework.internal.graph_steps.Merge",
    "Pull": "framework.internal.graph_steps.Pull",
    "Push": "framework.internal.graph_steps.Push",
    "SliceGetItem": "framework.internal.compiling.SliceGetItem",
    "RNNTLoss": "framework.internal.rare.RNNTLoss",
    "_AllSwap": "framework.collectives.virtual._AllSwap",
    "_Grad": "framework.composite.transforming.Grad",
    "_Vmap": "framework.composite.transforming.Vmap",
    "_add_attr": "framework.internal.compiling.add_attr",
    "_ones_like_for_grad": "framework.composite.multitype._ones_like_for_grad",
    "adaptive_avg_pool2d_ext": "neural.pooling.functions.adaptive_avg_pool2d",
    "argmax_ext": "reduce.reduction.mint.argmax",
    "array_to_scalar": "framework.internal.compiling.array_to_scalar",
    "baddbmm_ext": "linalg.products_and_norms.mint.baddbmm",
    "bernoulli_ext": "random.distributions.mint.bernoulli",
    "diff_ext": "reduce.cumulative.mint.diff",
    "einsum_ext": "linalg.products_and_norms.functions.einsum",
    "embed": "framework.internal.compiling.embed",
    "env_get": "framework.internal.compiling.env_get",
    "environ_add": "framework.internal.compiling.environ_add",
    "environ_create": "framework.internal.compiling.environ_create",
    "environ_get": "framework.internal.compiling.environ_get",
    "environ_set": "framework.internal.compiling.environ_set",
    "float_power_ext": "elementwise.arithmetic.functions.float_power",
    "geswitch": "framework.internal.graph_steps.geswitch",
    "hastype": "framework.internal.compiling.hastype",
    "inplace_sigmoid": "framework.inplace.methods.sigmoid_",
    "is_dynamic_sequence_element_unknown": "framework.internal.compiling.is_dynamic_sequence_element_unknown",
    "is_tensor_bool_cond": "framework.internal.compiling.is_tensor_bool_cond",
    "isnan_ext": "elementwise.elementwise.mint.isnan",
    "iter_converter": "framework.internal.compiling.iter_converter",
    "merge": "framework.internal.graph_steps.merge",
    "ms_hasnext": "framework.internal.compiling.ms_hasnext",
    "ms_next": "framework.internal.compiling.ms_next",
    "mse_loss_ext": "neural.loss.functions.mse_loss",
    "nsa_compress": "training.llm_attention.compressing.nsa_compress",
    "pows": "elementwise.arithmetic.functions.pow",
    "put_": "framework.inplace.methods.put_",
    "ref_to_embed": "framework.internal.compiling.ref_to_embed",
    "reshape_": "shape.reshaping.functions.reshape",
    "shape_": "framework.auto_generate.shapes.shape_",
    "switch": "framework.internal.compiling.switch",
    "switch_layer": "framework.internal.compiling.switch_layer",
    "tensor_muls": "elementwise.arithmetic.functions.mul",
    "tensor_slice": "framework.auto_generate.shapes.tensor_slice",
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
