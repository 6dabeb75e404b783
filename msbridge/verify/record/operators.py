"""Operators: what torch's schema says of a call, worked out once for each operator."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.verify.record.pytree import PLAIN, tensors

# What moves, makes or only looks at data: evidence, but no step of its own.
_MOVES = """
_local_scalar_dense _pack_padded_sequence _pad_packed_sequence _reshape_alias _to_copy _unsafe_view alias alias_copy
arange as_strided broadcast_to channel_shuffle chunk clone contiguous copy detach diagonal empty empty_like equal expand
eye fill flip full full_like is_nonzero item lift lift_fresh narrow native_channel_shuffle new_empty new_full new_ones
new_zeros ones ones_like permute pixel_shuffle pixel_unshuffle prim_device promote_types repeat reshape resize roll
scalar_tensor select set slice split split_with_sizes squeeze stack sym_numel sym_size sym_stride t tile transpose
unbind unfold unsafe_split unsqueeze view zero zeros zeros_like
"""
MOVES = frozenset(_MOVES.split())

_ACTIVATIONS = """
celu clamp clamp_min elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu log_sigmoid_forward log_softmax mish
prelu relu relu6 rrelu_with_noise selu sigmoid silu softmax softplus softshrink tanh threshold
"""
ACTIVATIONS = frozenset(_ACTIVATIONS.split())
BINARY = frozenset({"add", "sub", "mul", "div", "rsub", "addcmul", "pow"})
DRAWS = frozenset({"bernoulli", "dropout", "rand", "rand_like"})
PRODUCTS = frozenset({"mm", "bmm", "addmm", "baddbmm", "addmv", "mv", "dot"})
# Beginnings of names.
POOLS = ("avg_pool", "max_pool", "adaptive_avg_pool", "adaptive_max_pool", "mean", "amax")
RESIZES = ("upsample_",)

# One name for what torch calls differently by device, shape or release.
ALIASES = {
    "_adaptive_avg_pool2d": "adaptive_avg_pool2d",
    "_log_softmax": "log_softmax",
    "_native_batch_norm_legit": "batch_norm",
    "_native_batch_norm_legit_no_training": "batch_norm",
    "_scaled_dot_product_efficient_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
    "_softmax": "softmax",
    "cudnn_batch_norm": "batch_norm",
    "max_pool2d_with_indices": "max_pool2d",
    "max_pool3d_with_indices": "max_pool3d",
    "mkldnn_rnn_layer": "lstm",
    "native_batch_norm": "batch_norm",
    "native_dropout": "dropout",
    "native_group_norm": "group_norm",
    "native_layer_norm": "layer_norm",
}


# What scripts call an operator with some arguments: (its name, its arguments) → that name.
VARIANTS = (
    ("hardtanh", {"min_val": 0, "max_val": 6}, "relu6"),
    ("elu", {"alpha": 1.6732632423543772, "scale": 1.0507009873554805}, "selu"),
)


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of an operator, known before it runs."""

    name: str  # short, without the underscore of the in-place form
    arguments: tuple[tuple[str, Any], ...]  # (name, default) in order
    written: tuple[tuple[int, str], ...]  # (position, name) of the arguments that it writes to
    is_random: bool  # whether it draws random numbers
    pure: Any  # the operator that returns the same and writes nothing (`relu` for `relu_`); None where there is none


@functools.cache
def signature(func: Any) -> Signature:
    """Read the schema of a torch operator."""
    schema = func._schema
    short = schema.name.partition("::")[2]
    name = short if short.endswith("__") else short.rstrip("_")
    written = [
        (index, one.name)
        for index, one in enumerate(schema.arguments)
        if one.alias_info is not None and one.alias_info.is_write
    ]
    return Signature(
        name=ALIASES.get(name, name),
        arguments=tuple((one.name, one.default_value) for one in schema.arguments),
        written=tuple(written) if schema.is_mutable else (),
        pure=_pure(func, written),
        is_random=torch.Tag.nondeterministic_seeded in func.tags,
    )


def _pure(func: Any, written: list[tuple[int, str]]) -> Any:
    schema = func._schema
    if not schema.is_mutable:
        return func
    namespace, _, name = schema.name.partition("::")
    if len(written) != 1 or not name.endswith("_") or name.endswith("__"):
        return None
    packet = getattr(getattr(torch.ops, namespace), name[:-1], None)
    return getattr(packet, schema.overload_name or "default", None)


def plain_arguments(known: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Name the arguments that are not tensors, defaults included."""
    arguments = {}
    count = len(args)
    for index, (name, default) in enumerate(known.arguments):
        value = args[index] if index < count else kwargs.get(name, default)
        if type(value) in PLAIN or not (isinstance(value, torch.Tensor | torch.Generator) or tensors(value)):
            arguments[name] = value
    return arguments


def variant_name(name: str, arguments: Mapping[str, Any]) -> str:
    """Return the name by which scripts call an operator with these arguments."""
    for one, wanted, variant in VARIANTS:
        if name == one and all(arguments.get(key) == value for key, value in wanted.items()):
            return variant
    return name


def find_mutations(known: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[torch.Tensor]:
    """Return the tensors that a call writes to."""
    return [
        tensor
        for index, name in known.written
        for tensor in tensors(args[index] if index < len(args) else kwargs.get(name))
    ]
