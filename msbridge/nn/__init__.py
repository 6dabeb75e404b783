"""Cells, layers, losses, optimizers and the wrappers that train."""

from typing import TYPE_CHECKING, Any

from msbridge.core.releases import overrides
from msbridge.core.runtime.lazy_names import lazy_names, names_in
from msbridge.core.tensor import argument_checks
from msbridge.nn.cell.call_settings import preparers
from msbridge.nn.cell.cell import Cell as Cell
from msbridge.nn.cell.graph_cell import GraphCell as GraphCell
from msbridge.nn.public_names import FILES

if TYPE_CHECKING:  # what public_names.py is written from
    from msbridge.nn.layers.activations.activation import *
    from msbridge.nn.layers.activations.rectifiers import *
    from msbridge.nn.layers.activations.softmax import *
    from msbridge.nn.layers.attention import *
    from msbridge.nn.layers.combined import *
    from msbridge.nn.layers.containers import *
    from msbridge.nn.layers.convolution import *
    from msbridge.nn.layers.dense import *
    from msbridge.nn.layers.dropout import *
    from msbridge.nn.layers.embedding import *
    from msbridge.nn.layers.image import *
    from msbridge.nn.layers.math import *
    from msbridge.nn.layers.normalization.batch_norm import *
    from msbridge.nn.layers.normalization.layer_norm import *
    from msbridge.nn.layers.normalization.sync_batch_norm import *
    from msbridge.nn.layers.padding import *
    from msbridge.nn.layers.pooling.adaptive_pool import *
    from msbridge.nn.layers.pooling.pool import *
    from msbridge.nn.layers.pooling.unpool import *
    from msbridge.nn.layers.recurrent.rnn import *
    from msbridge.nn.layers.shape import *
    from msbridge.nn.layers.sparse import *
    from msbridge.nn.layers.transformer import *
    from msbridge.nn.losses.base import *
    from msbridge.nn.losses.classification import *
    from msbridge.nn.losses.elementwise import *
    from msbridge.nn.losses.margins import *
    from msbridge.nn.losses.regions import *
    from msbridge.nn.optim.cells.adafactor import *
    from msbridge.nn.optim.cells.adam import *
    from msbridge.nn.optim.cells.adaptive import *
    from msbridge.nn.optim.cells.lars import *
    from msbridge.nn.optim.cells.momentum import *
    from msbridge.nn.optim.cells.optimizer import *
    from msbridge.nn.optim.cells.stepwise import *
    from msbridge.nn.quantization.activations import *
    from msbridge.nn.quantization.convolutions import *
    from msbridge.nn.quantization.observers import *
    from msbridge.nn.schedules.cells import *
    from msbridge.nn.schedules.lists import *
    from msbridge.nn.steps.differentials import *
    from msbridge.nn.steps.grad_reducer import *
    from msbridge.nn.steps.loss_scaling import *
    from msbridge.nn.steps.micro_batches import *
    from msbridge.nn.steps.wrappers import *
else:
    __all__ = ["Cell", "GraphCell", *names_in(FILES)]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        **FILES,
        "msbridge.contrib.queues": "GetNextSingleOp",
        "msbridge.contrib.thor.layers": "Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor",
        "msbridge.contrib.thor.optimizer": "thor",
    },
    modules="optim",
)


def _prepare(cell: Any) -> Any:
    from msbridge.nn.inference.prepared import PreparedCalls

    return PreparedCalls(cell)


preparers["O1"] = _prepare
overrides.follow("nn", argument_checks.checking)
