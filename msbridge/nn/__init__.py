"""Cells, layers, losses, optimizers and the wrappers that train."""

from msbridge.core.releases import overrides
from msbridge.core.runtime.lazy_names import lazy_names
from msbridge.core.tensor import argument_checks
from msbridge.nn.cell.cell import *
from msbridge.nn.cell.graph_cell import *
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
from msbridge.nn.members import *
from msbridge.nn.optim import *
from msbridge.nn.quantization import *
from msbridge.nn.schedules.cells import *
from msbridge.nn.schedules.lists import *
from msbridge.nn.steps.differentials import *
from msbridge.nn.steps.grad_reducer import *
from msbridge.nn.steps.loss_scale import *
from msbridge.nn.steps.micro_batches import *
from msbridge.nn.steps.wrappers import *

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "msbridge.contrib.queues": "GetNextSingleOp",
        "msbridge.contrib.thor.layers": "Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor",
        "msbridge.contrib.thor.optimizer": "thor",
    },
)

overrides.follow("nn", argument_checks.checking)
