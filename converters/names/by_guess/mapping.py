"""Name mapping without a model: layer types guessed from names and shapes that are together; each guess says so."""

from collections import deque
from collections.abc import Iterator, Mapping

from msbridge.converters.names.by_guess import convolutions
from msbridge.converters.names.by_guess.groups import Group, group_by_layer
from msbridge.converters.names.by_guess.layer_kinds import LayerKind, kind_of
from msbridge.converters.names.paths import join_path
from msbridge.converters.names.training_state import training_state
from msbridge.converters.tensors.axes import axes
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.operations import then_move
from msbridge.converters.tensors.steps import ConversionStep

DROPPED = {
    "num_batches_tracked": "MindSpore has no such counter",
    "_extra_state": "what a torch module keeps besides tensors",
}


def keep_names(working: Mapping[str, str]) -> Iterator[ConversionStep]:
    """Keep every name, as source and target have the same naming; say which are training state."""
    for name, source in working.items():
        owner = training_state(name, working)
        yield ConversionStep((source,), (name,), reason=f"training state ({owner})" if owner else "")


def to_mindspore(entries: Mapping[str, Entry], working: Mapping[str, str]) -> Iterator[ConversionStep]:
    """Guess MindSpore's names for torch's.

    Args:
        entries: the source.
        working: the name to map → the name in the source.
    """
    groups = group_by_layer(entries, working, fold=True)
    before: deque[Group] = deque(maxlen=4)
    for group in groups.values():
        path = _transformer_path(group.path, groups, "linear", "dense")
        yield from _layer_steps(group, path, kind_of(group, before))
        before.append(group)


def to_torch(entries: Mapping[str, Entry], working: Mapping[str, str]) -> Iterator[ConversionStep]:
    """Guess torch's names for MindSpore's."""
    weights = {}
    for name, source in working.items():
        if owner := training_state(name, working):
            yield ConversionStep((source,), (), reason=f"training state ({owner})")
        else:
            weights[name] = source
    groups = group_by_layer(entries, weights)
    kernels = {
        path: shape
        for path, one in groups.items()
        if (shape := one.shape("weight")) and len(shape) == 4 and one.rank("bias") in (-1, 1)
    }
    flat, doubtful = convolutions.conv1d(kernels), convolutions.doubtful(kernels)
    for group in groups.values():
        if evidence := flat.get(group.path):
            kind = LayerKind("Conv1d", f"{evidence}; else a Conv2d", "Conv1d")
        elif doubt := doubtful.get(group.path):
            kind = LayerKind("Conv2d", f"{doubt}; else a Conv1d, of three axes", certainty="open")
        else:
            kind = _kind_of_cell(group)
        path = _transformer_path(group.path, groups, "dense", "linear")
        if kind.layer == "BatchNorm2d":
            path = path.removesuffix("bn2d").removesuffix(".")
        yield from _layer_steps(group, path, kind, is_back=True)


def _layer_steps(group: Group, path: str, kind: LayerKind, is_back: bool = False) -> Iterator[ConversionStep]:
    """Yield the steps of a layer's tensors on the way to MindSpore, or back."""
    rename = {new: old for old, new in kind.rename.items()} if is_back else kind.rename
    moved = axes(kind.axes) if kind.axes else None
    for leaf, part in group.leaves.items():
        if leaf in DROPPED and not is_back:
            yield ConversionStep(part.sources, (), reason=DROPPED[leaf])
            continue
        target = join_path(path, rename.get(leaf, leaf))
        shift = (moved.inverse if is_back else moved) if moved and leaf == "weight" else None
        if part.folded:
            operation, reason = part.folded.fold, f"{part.folded.how} folded; {kind.reason}"
            yield ConversionStep(
                part.sources, (target,), operation=then_move(operation, shift), reason=reason, guessed=True
            )
            continue
        changes = target != join_path(group.path, leaf) or shift is not None
        yield ConversionStep(part.sources, (target,), shift, reason=kind.reason, guessed=kind.is_guess(changes))


def _kind_of_cell(group: Group) -> LayerKind:
    """Return the kind of a Cell by its parameters' names; a lone gamma is the user's own, as no Cell has it so."""
    names = group.leaves.keys()
    if {"moving_mean", "moving_variance"} <= names:
        return LayerKind("BatchNorm", "it has moving statistics", "BatchNorm2d", "sure")
    gamma = group.shape("gamma")
    if gamma and gamma == group.shape("beta") and 1 not in gamma[1:] + gamma[:-1]:
        return LayerKind("LayerNorm, GroupNorm or InstanceNorm", "it has gamma and beta", "LayerNorm")
    if "embedding_table" in names:
        return LayerKind("Embedding", "only it has a table", "Embedding", "sure")
    if names == {"w"} and group.rank("w") == 1:
        return LayerKind("PReLU", "a vector called w; else the user's own", "PReLU")
    if "gamma" in names:
        return LayerKind(
            "a layer of the user's own", "it has gamma without the beta of a normalization", certainty="open"
        )
    return LayerKind("", certainty="sure")


def _transformer_path(path: str, groups: Mapping[str, Group], old: str, new: str) -> str:
    """Rename linear1 and linear2 of torch's own transformer layers, which MindSpore's call dense1 and dense2."""
    parent, _, last = path.rpartition(".")
    attention = groups.get(join_path(parent, "self_attn"))
    if last in (f"{old}1", f"{old}2") and attention and "in_proj_weight" in attention.leaves:
        return join_path(parent, last.replace(old, new))
    return path
