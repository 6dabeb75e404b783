"""ConvertNetUtils: puts the layers that THOR needs into a network."""

from collections.abc import Callable
from typing import Any

from msbridge.contrib.thor.layers import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from msbridge.core.context.context import get_context
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.embedding import Embedding, EmbeddingLookup

__all__ = ["ConvertNetUtils"]

_LEFT_OUT = ("rpn_with_loss.rpn_convs_list.", "wide")  # layers of public models that are trained without


class ConvertNetUtils:
    """Converts networks for THOR.

    Follows: mindspore.train.ConvertNetUtils (2.10).
    """

    def convert_to_thor_net(self, net: Cell) -> None:
        """Replace Dense, Conv2d, Embedding and EmbeddingLookup in a network by layers that keep second moments.

        Only layers are replaced that are trained; the new ones have the very Parameters of the old ones.

        Follows: mindspore.train.ConvertNetUtils.convert_to_thor_net (2.10).
        """
        _convert_layers(net, "")


def _convert_layers(net: Cell, path: str) -> None:
    for name, cell in list(net.name_cells().items()):
        if cell is net:
            continue
        prefix = f"{path}.{name}" if path else name
        converted = _thor_layer(cell, prefix)
        if converted is None:
            if type(cell) not in _MAKERS:
                _convert_layers(cell, prefix)
            continue
        for parameter in (
            (converted.matrix_a, converted.matrix_g) if hasattr(converted, "matrix_a") else _of_convolution(converted)
        ):
            parameter.name = f"{prefix}.{parameter.name}"
        net._replace_child(name, converted)


def _of_convolution(cell: Cell) -> tuple:
    return cell.a_normalizer, cell.g_normalizer, cell.matrix_a_cov, cell.matrix_g_cov


def _thor_layer(cell: Cell, prefix: str) -> Cell | None:
    """Return the layer that replaces another one, or None."""
    make = _MAKERS.get(type(cell))
    table = cell.embedding_table if isinstance(cell, Embedding | EmbeddingLookup) else getattr(cell, "weight", None)
    if make is None or table is None or not table.requires_grad:
        return None
    if isinstance(cell, Dense | Conv2d) and any(part in prefix.lower() for part in _LEFT_OUT):
        return None
    made: Cell = make(cell)
    return made.set_train(cell.training)


def _share_parameters(cell: Cell, made: Cell) -> None:
    """Put the Parameters of a layer into the one that replaces it."""
    for name, parameter in cell._params.items():
        made._params[name] = parameter


def _thor_dense(cell: Dense) -> Cell:
    made = DenseThor(cell.in_channels, cell.out_channels, "zeros", "zeros", cell.has_bias)
    _share_parameters(cell, made)
    made.activation, made.activation_flag = cell.activation, cell.activation_flag
    return made.to_float(mstype.float16) if get_context("device_target") == "Ascend" else made


def _thor_convolution(cell: Conv2d) -> Cell:
    shape = cell.in_channels, cell.out_channels, cell.kernel_size, cell.stride, cell.pad_mode, cell.padding
    made = Conv2dThor(*shape, cell.dilation, cell.group, cell.has_bias, "zeros", cell.bias_init)
    _share_parameters(cell, made)
    return made


def _thor_embedding(cell: Embedding) -> Cell:
    made = EmbeddingThor(cell.vocab_size, cell.embedding_size, embedding_table="zeros")
    _share_parameters(cell, made)
    return made


def _embedding_lookup(cell: EmbeddingLookup) -> Cell:
    lookup = EmbeddingLookupThor(
        cell.vocab_size, cell.embedding_size, "zeros", cell.target, max_norm=cell.max_norm, sparse=cell.sparse
    )
    _share_parameters(cell, lookup)
    return lookup


_MAKERS: dict[type, Callable[[Any], Cell]] = {
    Dense: _thor_dense,
    Conv2d: _thor_convolution,
    Embedding: _thor_embedding,
    EmbeddingLookup: _embedding_lookup,
}
