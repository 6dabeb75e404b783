"""The page of a network, as the command line asks for it."""

from pathlib import Path

from msbridge.converters import open_checkpoint
from msbridge.converters.files.atomic_write import write_text
from msbridge.networks.graph_page import render
from msbridge.networks.loading import load_network
from msbridge.networks.tree import SUFFIX, Branch, tree_of_checkpoint, tree_of_mindir, tree_of_network, tree_of_onnx

__all__ = ["write_page"]


def write_page(source: str, target: str, key: bytes | None, mode: str) -> None:
    """Write the page of a checkpoint, a `.mindir` or `.onnx` file, or of what `package.module:factory` makes.

    Raises:
        CheckpointError: the source cannot be read.
        OSError: the page cannot be written.
    """
    write_text(target, render(_tree_of(source, key, mode)))


def _tree_of(source: str, key: bytes | None, mode: str) -> Branch:
    if source.endswith(SUFFIX):
        return tree_of_onnx(Path(source))
    if ":" in source and not Path(source).exists():
        return tree_of_network(load_network(source), source)
    with open_checkpoint(source, key=key, mode=mode) as checkpoint:
        if checkpoint.format == "mindir":
            return tree_of_mindir(checkpoint.path, key, mode)
        return tree_of_checkpoint(checkpoint)
