"""Traces: what every layer of a torch module or of a Cell was given and gave, in the order of the calls.

Both kinds of network end in the same torch operators, so both are recorded alike: a *step* is the call of a layer, or
an operator that ran between the layers (a functional activation, a residual addition …).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence
from torch.utils._mode_utils import no_dispatch

from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell

Network = torch.nn.Module | Cell

Again = Callable[[Sequence[torch.Tensor]], list[torch.Tensor]]

# What moves, makes or only looks at data: evidence, but no step of its own.
MOVES = frozenset(
    {
        *("_local_scalar_dense", "_reshape_alias", "_to_copy", "_unsafe_view", "alias", "alias_copy", "arange"),
        *("as_strided", "_pack_padded_sequence", "_pad_packed_sequence", "broadcast_to", "channel_shuffle", "chunk"),
        *("clone", "contiguous", "copy", "detach", "diagonal", "native_channel_shuffle", "pixel_shuffle"),
        *("pixel_unshuffle",),
        *("empty", "empty_like", "equal", "expand", "eye", "fill", "flip", "full", "full_like", "is_nonzero", "item"),
        *("lift", "lift_fresh", "narrow", "new_empty", "new_full", "new_ones", "new_zeros", "ones", "ones_like"),
        *("permute", "prim_device", "promote_types", "repeat", "reshape", "resize", "roll", "scalar_tensor", "select"),
        *("set", "slice"),
        *("split", "split_with_sizes", "squeeze", "stack", "sym_numel", "sym_size", "sym_stride", "t", "tile"),
        *("transpose", "unbind", "unfold", "unsafe_split", "unsqueeze", "view", "zero", "zeros", "zeros_like"),
    }
)

# One name for what torch calls differently by device, shape or era.
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

# What holds no tensors, told by the class alone.
PLAIN = frozenset({type(None), bool, int, float, str, torch.dtype, torch.device, torch.layout, torch.memory_format})

# Layers that hold others and compute nothing themselves: their children are the steps.
CONTAINERS = ("Sequential", "SequentialCell", "ModuleList", "CellList", "ModuleDict", "CellDict", "Transformer")


@dataclass(slots=True, eq=False)
class Operation:
    """One torch operator that ran.

    Attributes:
        name: its short name, such as "gelu".
        arguments: its arguments that are no tensors, by name, defaults included.
        shapes: the shapes of its tensor arguments.
    """

    name: str
    arguments: dict[str, Any]
    shapes: tuple[tuple[int, ...], ...]


@dataclass(slots=True, eq=False)
class Step:
    """One call of a layer, or one operator between layers.

    Attributes:
        number: position in the run.
        path: of the layer; for an operator, of the network part that called it.
        kind: the layer's class, or the operator's name.
        layer: the layer called; None for an operator.
        call: how many times the layer was called before.
        operations: what ran inside.
        inputs: the tensors that came in.
        outputs: the tensors that came out; empty when it failed.
        again: computes the outputs once more from other input tensors, in another precision.
        fed: whether the inputs were replaced by recorded ones.
        after: the layer that was called last before it.
        seconds: how long the layer took; 0 for an operator.
    """

    number: int
    path: str
    kind: str
    layer: Network | None = None
    call: int = 0
    operations: list[Operation] = field(default_factory=list)
    inputs: list[torch.Tensor] = field(default_factory=list)
    outputs: list[torch.Tensor] = field(default_factory=list)
    again: Again | None = None
    fed: bool = False
    after: str = ""
    seconds: float = 0.0

    @property
    def computes(self) -> tuple[str, ...]:
        """The names of the operators inside that compute something."""
        return tuple(one.name for one in self.operations if one.name not in MOVES)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the first output."""
        return tuple(self.outputs[0].shape) if self.outputs else None

    @property
    def label(self) -> str:
        """How the step is called in a report."""
        if self.layer is not None:
            return f"{self.path or '(the network)'}{f' (call {self.call + 1})' if self.call else ''}"
        place = f" in {self.path}" if self.path else ""
        return f"{self.kind} after {self.after}" if self.after else f"{self.kind}{place or ' at the beginning'}"


@dataclass(slots=True, eq=False)
class Call:
    """One call of an operator with its results.

    Attributes:
        func: the operator.
        operation: its name and arguments.
        inputs: its tensors.
        outputs: the tensors that it gave.
        output: what it gave, tensors and all.
    """

    func: Any
    operation: Operation
    inputs: list[torch.Tensor]
    outputs: list[torch.Tensor]
    output: Any


@dataclass(slots=True, eq=False)
class Trace:
    """A run of one network.

    Attributes:
        steps: in the order of the calls.
        outputs: the tensors that the network gave.
        error: what it raised instead.
        pending: the layers that were running when it raised, outermost first.
        moves: (number of the next step, operator) of what only moved data between the steps.
        calls: operators that may be answered from memory in a later run.
    """

    steps: list[Step] = field(default_factory=list)
    moves: list[tuple[int, Operation]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outputs: list[torch.Tensor] = field(default_factory=list)
    error: Exception | None = None
    pending: list[str] = field(default_factory=list)


def paths(network: Network) -> Iterator[tuple[str, Network]]:
    """Give (path, layer) of all parts of a network, each once."""
    yield from network.named_modules() if isinstance(network, torch.nn.Module) else network.cells_and_names()


def is_step(layer: Network) -> bool:
    """Whether a call of the layer is one step: it has no children, or is a layer that the library brings whole."""
    children = layer.children() if isinstance(layer, torch.nn.Module) else layer.cells()
    if not any(True for _ in children):
        return True
    room = type(layer).__module__
    is_ours = room.startswith(("torch.nn.modules.", "msbridge.nn.", "msbridge.mint."))
    return is_ours and not type(layer).__name__.startswith(CONTAINERS)


def tensors(value: Any) -> list[torch.Tensor]:
    """Give the tensors, of torch or of ours, in nested tuples, lists and mappings."""
    found: list[torch.Tensor] = []
    _collect(value, found)
    return found


def _collect(value: Any, found: list[torch.Tensor]) -> None:
    kind = type(value)
    if kind in PLAIN:
        return
    if kind is tuple or kind is list:
        for item in value:
            if type(item) not in PLAIN:
                _collect(item, found)
    elif isinstance(value, torch.Tensor):
        found.append(value)
    elif isinstance(value, Tensor):
        found.append(value._data)
    elif isinstance(value, PackedSequence):
        with no_dispatch():
            found.append(pad_packed_sequence(value, batch_first=True)[0])
    elif isinstance(value, list | tuple):
        _collect(tuple(value), found)
    elif isinstance(value, Mapping):
        _collect(tuple(value.values()), found)


def replaced(value: Any, data: Iterator[torch.Tensor]) -> Any:
    """Give nested tuples, lists and mappings with their tensors replaced, in order."""
    if isinstance(value, torch.Tensor):
        return next(data)
    if isinstance(value, Tensor):
        return Tensor(next(data))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(replaced(item, data) for item in value))
    if isinstance(value, list | tuple):
        return type(value)([replaced(item, data) for item in value])
    if isinstance(value, dict):
        return {key: replaced(item, data) for key, item in value.items()}
    return value
