"""Layers whose operators have strategies, on two rows and two columns of processes. Judge: one process."""

import pytest

from tests.distributed.several import outputs

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import numpy as np
import msbridge
msbridge.install()
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import init
from mindspore.parallel import Layout

DRAWS = np.random.RandomState(1)
IDS, CLASSES = DRAWS.randint(0, 16, (8, 6)).astype(np.int32), DRAWS.randint(0, 8, (8,)).astype(np.int32)
ROWS, IMAGES = DRAWS.randn(8, 16).astype(np.float32), DRAWS.randn(8, 4, 8, 8).astype(np.float32)

class Text(nn.Cell):
    def __init__(self, rows, parts):
        super().__init__()
        self.table, self.norm = nn.Embedding(16, 16), nn.LayerNorm((16,))
        self.first, self.second = nn.Dense(16, 32), nn.Dense(32, 8, activation=nn.Sigmoid())
        self.relu, self.softmax, self.dropout = nn.ReLU(), nn.Softmax(), nn.Dropout(p=0.0)
        self.loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        self.table.gather.shard(((1, parts), (rows,)))
        self.norm.layer_norm.shard(((rows, 1, 1), (1,), (1,)))
        self.first.matmul.shard(((rows, 1), (parts, 1)))
        self.first.bias_add.shard(((rows, parts), (parts,)))
        self.relu.relu.shard(((rows, 1, parts),))
        self.second.matmul.shard(((rows, parts), (1, parts)))
        self.second.activation.sigmoid.shard(((rows, 1),))
        self.softmax.softmax.shard(((rows, 1, 1),))
        self.dropout.dropout.shard(((rows, 1, 1),))
        self.loss.one_hot.shard(((rows, 1), (), ()))
        self.loss.softmax_cross_entropy.shard(((rows, 1), (rows, 1)))

    def construct(self, ids, classes):
        x = self.second(self.relu(self.first(self.norm(self.table(ids)))))
        return self.loss(self.dropout(self.softmax(x)).mean(1), classes).mean()

class Pictures(nn.Cell):
    def __init__(self, rows, parts):
        super().__init__()
        self.convolution, self.norm = nn.Conv2d(4, 8, 3, has_bias=True), nn.BatchNorm2d(8)
        self.other = nn.Conv2d(8, 8, 1)
        self.largest, self.mean, self.dense = nn.MaxPool2d(2, 2), nn.AvgPool2d(2, 2), nn.Dense(32, 8)
        self.loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        self.convolution.conv2d.shard(((rows, 1, 1, 1), (parts, 1, 1, 1)))
        self.norm.bn_train.shard(((rows, parts, 1, 1), (parts,), (parts,), (parts,), (parts,)))
        self.other.conv2d.shard(((rows, parts, 1, 1), (1, parts, 1, 1)))
        self.largest.max_pool.shard(((rows, 1, 1, 1),))
        self.mean.avg_pool.shard(((rows, 1, 1, 1),))
        self.dense.matmul.shard(((rows, parts), (1, parts)))
        self.loss.sparse_softmax_cross_entropy.shard(((rows, 1), (rows,)))

    def construct(self, x, classes):
        x = self.mean(self.largest(self.other(self.norm(self.convolution(x)))))
        return self.loss(self.dense(ops.flatten(x)), classes)

class Operators(nn.Cell):
    def __init__(self, rows, parts):
        super().__init__()
        self.weight = Parameter(Tensor(np.zeros((8, 16), np.float32)), name="weight")
        self.one_hot, self.of_classes = ops.OneHot(), ops.MatMul()
        self.sum, self.matmul = ops.CumSum().shard(((rows, 1),)), ops.MatMul(transpose_b=True)
        self.one_hot.shard(((rows, parts), (), ()))
        self.of_classes.shard(((rows, parts), (parts, 1)))
        layout = Layout((rows, parts, 2), ("rows", "parts", "interleaved_parallel"))
        self.matmul.shard((layout(("rows", "interleaved_parallel"), "None"), layout("parts", "None")))
        self.relu = nn.ReLU()
        self.relu.relu.shard(((rows, 1),))

    def construct(self, x, classes):
        looked_up = self.of_classes(self.one_hot(classes, 8, Tensor(1.0), Tensor(0.0)), self.weight)
        return (self.matmul(self.sum(x, 1), self.weight) ** 2).mean() + self.relu(looked_up).sum()

class Tables(nn.Cell):
    def __init__(self, rows, parts):
        super().__init__()
        self.rows = nn.EmbeddingLookup(16, 8, slice_mode="table_row_slice")
        self.columns = nn.EmbeddingLookup(16, 8, slice_mode="table_column_slice")

    def construct(self, ids):
        return (self.rows(ids) * self.columns(ids)).mean()

def trained(kind, inputs, rows, parts):
    net, draws = kind(rows, parts).set_train(), np.random.RandomState(0)
    for one in net.get_parameters():
        if one.requires_grad:
            one.set_data(Tensor((draws.randn(*one.shape) * 0.3).astype(np.float32)))
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    losses = [step(*map(Tensor, inputs)).asnumpy() for _ in range(2)]
    return losses, {one.name: whole(one) for one in net.get_parameters()}, net

def whole(one):
    return (one._data.full_tensor() if hasattr(one._data, "full_tensor") else one._data).cpu().numpy().copy()

CASES = ((Text, (IDS, CLASSES)), (Pictures, (IMAGES, CLASSES)), (Operators, (ROWS, CLASSES)), (Tables, (IDS,)))
DIVIDED = {
    "table.embedding_table": (16, 8), "first.weight": (16, 16), "first.bias": (16,), "second.weight": (8, 16),
    "convolution.weight": (4, 4, 3, 3), "other.weight": (8, 4, 1, 1), "norm.moving_mean": (4,),
    "norm.moving_variance": (4,), "dense.weight": (8, 16), "weight": (4, 16),
    "rows.embedding_table": (4, 8), "columns.embedding_table": (16, 2),
}
alone = [trained(kind, inputs, 1, 1)[:2] for kind, inputs in CASES]
init()
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
for (kind, inputs), (losses, weights) in zip(CASES, alone):
    found_losses, found, net = trained(kind, inputs, 2, 2)
    assert np.allclose(found_losses, losses, rtol=1e-5), (kind, found_losses, losses)
    for name, expected in weights.items():
        assert np.allclose(found[name], expected, rtol=1e-4, atol=1e-6), (kind, name, found[name] - expected)
        shape = net.parameters_dict()[name].asnumpy().shape
        assert shape == DIVIDED.get(name, shape), (kind, name, shape)

class Own(nn.Dense):
    def construct(self, x):
        return self.matmul(x, self.weight) * 2

net = Own(16, 8, weight_init="ones")
net.matmul.shard(((2, 1), (2, 1)))
assert np.allclose(net(Tensor(ROWS)).asnumpy(), ROWS.sum(1, keepdims=True) * 2 * np.ones(8), atol=1e-4)
assert net.weight.asnumpy().shape == (4, 16) and nn.Dense(2, 2).matmul.attrs.get("in_strategy") is None
"""


@pytest.mark.process
def test_layers_follow_the_strategies_of_their_operators() -> None:
    outputs(SCRIPT, 4)
