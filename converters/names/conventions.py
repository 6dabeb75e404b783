"""Whose names a checkpoint has."""

from collections.abc import Sequence

MINDSPORE_LEAVES = frozenset(["gamma", "beta", "moving_mean", "moving_variance", "embedding_table"])
TORCH_LEAVES = frozenset(["running_mean", "running_var", "num_batches_tracked"])


def convention(names: Sequence[str]) -> str | None:
    """Tell whose names these are: "mindspore", "torch", or None when nothing shows it."""
    leaves = {name.rpartition(".")[2] for name in names}
    if leaves & TORCH_LEAVES:
        return "torch"
    if leaves & MINDSPORE_LEAVES:
        return "mindspore"
    return None
