"""Whose names a checkpoint has."""

from collections.abc import Sequence

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.formats.registry import BY_NAME
from msbridge.converters.options import Naming

MINDSPORE_LEAVES = frozenset(["gamma", "beta", "moving_mean", "moving_variance", "embedding_table"])
TORCH_LEAVES = frozenset(["running_mean", "running_var", "num_batches_tracked"])


def convention(names: Sequence[str]) -> Naming | None:
    """Return whose names these are: "mindspore", "torch", or None when nothing shows it."""
    leaves = {name.rpartition(".")[2] for name in names}
    if leaves & TORCH_LEAVES:
        return "torch"
    if leaves & MINDSPORE_LEAVES:
        return "mindspore"
    return None


def naming_of(checkpoint: Checkpoint) -> Naming:
    """Return whose names a checkpoint has, inferred from its format, its metadata, or the names."""
    form = BY_NAME[checkpoint.format]
    if not form.has_both_namings:
        return form.naming
    flavour = checkpoint.metadata.get("format")
    if flavour in ("ms", "pt"):
        return "mindspore" if flavour == "ms" else "torch"
    return convention(list(checkpoint.entries)) or form.naming
