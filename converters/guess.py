"""Name mapping without a model: layer types told from the names and shapes that stand together. Every guess says so."""

import re
from collections import deque
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msbridge.converters.axes import Axes, axes
from msbridge.converters.content import Entry
from msbridge.converters.steps import Step
from msbridge.converters.weight_norm import fold
from msbridge.mappings import table

EMBEDDING = re.compile(
    r"(^|[._])(\w*embed\w*|emb|wte|wpe|\w*_emb|shared|tok|relative_attention_bias|bias_table)$", re.I
)
ACTIVATION = re.compile(r"(^|[._])(prelu\w*|\w*relu\w*|act\w*|activation\w*)$", re.I)
NORM = re.compile(r"(^|[._])\w*(norm|ln)\w*$", re.I)
TO_NORM = {"weight": "gamma", "bias": "beta"}
TO_BATCH_NORM = TO_NORM | {"running_mean": "moving_mean", "running_var": "moving_variance"}
MINDSPORE_LEAVES = frozenset(["gamma", "beta", "moving_mean", "moving_variance", "embedding_table"])
TORCH_LEAVES = frozenset(["running_mean", "running_var", "num_batches_tracked"])


@dataclass(frozen=True, slots=True)
class State:
    """A row of training_state.toml.

    Attributes:
        name: the whole name; or, ending in a dot, what stands before the name of a weight.
        of: whose state it is.
    """

    name: str
    of: str


@dataclass(slots=True)
class Group:
    """The tensors of one layer: what the names before the last dot have in common.

    Attributes:
        path: the names before the last dot.
        leaves: last part of the name → entry.
        working: last part of the name → the name in the source.
    """

    path: str
    leaves: dict[str, Entry] = field(default_factory=dict)
    working: dict[str, str] = field(default_factory=dict)

    def rank(self, leaf: str) -> int:
        return len(self.leaves[leaf].shape) if leaf in self.leaves else -1

    def shape(self, leaf: str) -> tuple[int, ...] | None:
        return self.leaves[leaf].shape if leaf in self.leaves else None


def convention(names: Sequence[str]) -> str | None:
    """Tell whose names these are: "mindspore", "torch", or None when nothing shows it."""
    leaves = {name.rpartition(".")[2] for name in names}
    if leaves & TORCH_LEAVES:
        return "torch"
    if leaves & MINDSPORE_LEAVES:
        return "mindspore"
    return None


def training_state(name: str, names: Container[str]) -> str | None:
    """Say whose training state a MindSpore name is, among the `names` of its checkpoint; None for a weight."""
    states = table("training_state.toml", State)
    first, dot, rest = name.partition(".")
    if first + dot in states and rest in names:  # "linear.weight" is FTRL's only where there is a "weight"
        return states[first + dot].of
    whole = states.get(name.partition("_group_")[0])  # learning_rate_group_0
    return whole.of if whole else None


def to_mindspore(entries: Mapping[str, Entry], working: Mapping[str, str]) -> Iterator[Step]:
    """Guess MindSpore's names for torch's.

    Args:
        entries: the source.
        working: the name to map → the name in the source.
    """
    groups = _groups(entries, working)
    before: deque[Group] = deque(maxlen=4)
    for group in groups.values():
        yield from _layer_to_mindspore(group, groups, before)
        before.append(group)


def to_torch(entries: Mapping[str, Entry], working: Mapping[str, str]) -> Iterator[Step]:
    """Guess torch's names for MindSpore's."""
    weights = {}
    for name, source in working.items():
        if owner := training_state(name, working):
            yield Step((source,), (), reason=f"training state ({owner})")
        else:
            weights[name] = source
    groups = _groups(entries, weights)
    flat = _looks_one_dimensional(groups)
    for group in groups.values():
        yield from _layer_to_torch(group, groups, flat)


def _groups(entries: Mapping[str, Entry], working: Mapping[str, str]) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    for name, source in working.items():
        path, _, leaf = name.rpartition(".")
        group = groups.setdefault(path, Group(path))
        group.leaves[leaf] = entries[source]
        group.working[leaf] = source
    return groups


def _layer_to_mindspore(group: Group, groups: Mapping[str, Group], before: Sequence[Group]) -> Iterator[Step]:
    leaves = group.leaves
    path = _transformer_path(group.path, groups, "linear", "dense")
    if {"original0", "original1"} <= leaves.keys() and group.path.endswith("parametrizations.weight"):
        target = group.path.removesuffix("parametrizations.weight") + "weight"
        sources = (group.working["original0"], group.working["original1"])
        operation = fold(_conv1d_axes(group.rank("original1")))
        yield Step(sources, (target,), operation=operation, reason="weight norm folded", guessed=True)
        return
    if {"weight_g", "weight_v"} <= leaves.keys():
        sources = (group.working["weight_g"], group.working["weight_v"])
        target = _joined(path, "weight")
        operation = fold(_conv1d_axes(group.rank("weight_v")))
        yield Step(sources, (target,), operation=operation, reason="weight norm folded", guessed=True)
        rest = {leaf for leaf in leaves if leaf not in ("weight_g", "weight_v")}
    else:
        rest = set(leaves)
    kind, rename, pattern = _kind(group, before)
    for leaf in leaves:
        if leaf not in rest:
            continue
        if leaf == "num_batches_tracked":
            yield Step((group.working[leaf],), (), reason="MindSpore has no such counter")
            continue
        target = _joined(path, rename.get(leaf, leaf))
        shift = axes(pattern) if pattern and leaf == "weight" else None
        same = target == _joined(group.path, leaf) and shift is None
        yield Step((group.working[leaf],), (target,), shift, reason=kind, guessed=not same and kind != "BatchNorm")


def _conv1d_axes(rank: int) -> Axes | None:
    return axes("o i k -> o i 1 k") if rank == 3 else None


def _kind(group: Group, before: Sequence[Group]) -> tuple[str, Mapping[str, str], str | None]:
    """Tell a layer's type; give it, the renames of its tensors, and what happens to the axes of its weight."""
    weight, bias = group.shape("weight"), group.shape("bias")
    if group.rank("running_mean") == 1 and group.rank("running_var") == 1:
        if _follows_conv3d(group, before):
            return "BatchNorm3d", {leaf: f"bn2d.{name}" for leaf, name in TO_BATCH_NORM.items()}, None
        return "BatchNorm", TO_BATCH_NORM, None
    if weight is None:
        return "", {}, None
    if len(weight) == 1 and bias == weight:
        return "LayerNorm, GroupNorm or InstanceNorm", TO_NORM, None
    if len(weight) == 1 and bias is None and not NORM.search(group.path):
        if weight == (1,) or ACTIVATION.search(group.path):
            return "PReLU", {"weight": "w"}, None
        return "a vector", {}, None
    if len(weight) == 1 and bias is None:
        return "RMSNorm (its weight keeps its name)", {}, None
    if len(weight) == 2 and bias is None and EMBEDDING.search(group.path):
        return "Embedding", {"weight": "embedding_table"}, None
    if len(weight) == 3:
        return "Conv1d (four axes in MindSpore)", {}, "o i k -> o i 1 k"
    if len(weight) == 2 and bias is not None and bias == weight[1:] and weight[0] != weight[1]:
        return "Linear with transposed weight, as in transformers' Conv1D: kept as it is", {}, None
    return {2: "Linear", 4: "Conv2d", 5: "Conv3d"}.get(len(weight), ""), {}, None


def _follows_conv3d(group: Group, before: Sequence[Group]) -> bool:
    """Whether the nearest layer before, of as many channels, is a convolution in three dimensions."""
    for earlier in reversed(before):
        weight = earlier.shape("weight")
        if weight and len(weight) >= 2:
            return len(weight) == 5 and group.shape("running_mean") in ((weight[0],), (weight[1],))
    return False


def _transformer_path(path: str, groups: Mapping[str, Group], old: str, new: str) -> str:
    """Rename linear1 and linear2 of torch's own transformer layers, which MindSpore's call dense1 and dense2."""
    parent, _, last = path.rpartition(".")
    attention = groups.get(_joined(parent, "self_attn"))
    if last in (f"{old}1", f"{old}2") and attention and "in_proj_weight" in attention.leaves:
        return _joined(parent, last.replace(old, new))
    return path


def _looks_one_dimensional(groups: Mapping[str, Group]) -> bool:
    """Whether all convolutions have kernels of height one, and some are wider: then they are Conv1d."""
    kernels = [shape[2:] for group in groups.values() if (shape := group.shape("weight")) and len(shape) == 4]
    return bool(kernels) and all(height == 1 for height, _ in kernels) and any(width > 1 for _, width in kernels)


def _layer_to_torch(group: Group, groups: Mapping[str, Group], flat: bool) -> Iterator[Step]:
    leaves = group.leaves
    back: dict[str, str] = {}
    kind, path = "", _transformer_path(group.path, groups, "dense", "linear")
    if {"moving_mean", "moving_variance"} <= leaves.keys():
        kind, back = "BatchNorm", {new: old for old, new in TO_BATCH_NORM.items()}
        path = path.removesuffix("bn2d").removesuffix(".")
    elif "gamma" in leaves and group.rank("gamma") >= 1 and leaves.keys() <= {"gamma", "beta"}:
        kind, back = "LayerNorm, GroupNorm or InstanceNorm", {new: old for old, new in TO_NORM.items()}
    elif "embedding_table" in leaves:
        kind, back = "Embedding", {"embedding_table": "weight"}
    elif leaves.keys() == {"w"} and group.rank("w") == 1:
        kind, back = "PReLU", {"w": "weight"}
    for leaf in leaves:
        shift = None
        if flat and leaf == "weight" and group.rank("weight") == 4:
            kind, shift = "Conv1d (three axes in torch)", axes("o i 1 k -> o i k")
        target = _joined(path, back.get(leaf, leaf))
        same = target == _joined(group.path, leaf) and shift is None
        yield Step((group.working[leaf],), (target,), shift, reason=kind, guessed=not same and kind != "BatchNorm")


def _joined(path: str, leaf: str) -> str:
    return f"{path}.{leaf}" if path else leaf
