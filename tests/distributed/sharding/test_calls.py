"""Networks divided over two and four processes. Judge: the same network in one process."""

import pytest

from tests.distributed.several import outputs

pytestmark = pytest.mark.process

# What every process does first: the same network in one process, and comparisons.
BEGIN = """
import warnings
warnings.simplefilter("ignore")
import numpy as np
import msbridge
msbridge.install()
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init

RANDOM = np.random.RandomState(1)
IDS, TARGET = RANDOM.randint(0, 16, (4, 6)).astype(np.int32), RANDOM.randn(4, 6, 8).astype(np.float32)

def close(found, expected, tolerance=1e-5):
    found = found.asnumpy() if isinstance(found, Tensor) else found
    assert np.allclose(found, expected, atol=tolerance), np.abs(found - expected).max()

def whole(tensor):
    return tensor._data.full_tensor().cpu().numpy()
"""

# A block of a Transformer whose operators have strategies, with rows and columns of weights divided.
BLOCK = """
class Block(nn.Cell):
    def __init__(self, rows, parts):
        super().__init__()
        draws = np.random.RandomState(0)
        weights = dict(table=(16, 8), qkv=(8, 24), into=(8, 16), bias=(16,), back=(16, 8), gamma=(8,), beta=(8,))
        for name, shape in weights.items():
            setattr(self, name, Parameter(Tensor((draws.randn(*shape) * 0.3).astype(np.float32)), name=name))
        heads = (rows, parts, 1, 1)
        self.gather = ops.Gather().shard(((1, 1), (rows, 1)))
        self.norm = ops.LayerNorm(-1, -1).shard(((rows, 1, 1), (1,), (1,)))
        self.columns = ops.MatMul().shard(((rows, 1), (1, parts)))
        self.scores = ops.BatchMatMul(transpose_b=True).shard((heads, heads))
        self.softmax = ops.Softmax().shard((heads,))
        self.mix = ops.BatchMatMul().shard((heads, heads))
        self.add = ops.Add().shard(((rows, parts), (parts,)))
        self.gelu = ops.GeLU().shard(((rows, parts),))
        self.rows = ops.MatMul().shard(((rows, parts), (parts, 1)))
        self.cast = ops.Cast()

    def construct(self, ids):
        batch, length = ids.shape
        x = self.gather(self.table, ids, 0)
        normed, _, _ = self.norm(x, self.gamma, self.beta)
        qkv = self.columns(normed.reshape(-1, 8), self.cast(self.qkv, ms.float32))
        q, k, v = [ops.transpose(one.reshape(batch, length, 2, 4), (0, 2, 1, 3)) for one in ops.split(qkv, 8, 1)]
        mixed = self.mix(self.softmax(self.scores(q, k) * 0.5), v)
        x = x + ops.transpose(mixed, (0, 2, 1, 3)).reshape(batch, length, 8)
        y = self.rows(self.gelu(self.add(self.columns(x.reshape(-1, 8), self.into), self.bias)), self.back)
        return x + y.reshape(batch, length, 8)

def gradients(net, ids, target):
    loss = nn.MSELoss()
    return ms.grad(lambda a, b: loss(net(a), b), None, net.trainable_params())(Tensor(ids), Tensor(target))

def trained(net, ids, target):
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 1e-2))
    return [float(step(Tensor(ids), Tensor(target)).asnumpy()) for _ in range(3)]
"""

PRIMITIVES = (
    BEGIN
    + BLOCK
    + """
alone = Block(1, 1)
output = alone(Tensor(IDS)).asnumpy()
grads = [one.asnumpy() for one in gradients(alone, IDS, TARGET)]
losses = trained(alone, IDS, TARGET)
init()
count, rank = get_group_size(), get_rank()
part = slice(rank * 4 // count, (rank + 1) * 4 // count)
for is_whole, rows, parts in ((True, count // 2, 2), (False, count, 1), (False, 1, 2)):
    mine = slice(None) if is_whole else part
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=is_whole)
    close(Block(rows, parts)(Tensor(IDS[mine])), output[mine])
    net = Block(rows, parts)
    for found, expected in zip(gradients(net, IDS[mine], TARGET[mine]), grads):
        close(whole(found), expected)
    assert net.into.asnumpy().shape == (8, 16 // parts) and net.into.shape == (8, 16)
    assert net.qkv.asnumpy().shape == (8, 24 // parts)
    net = Block(rows, parts)
    close(np.array(trained(net, IDS[mine], TARGET[mine])), np.array(losses))
    for found, expected in zip(net.get_parameters(), alone.get_parameters()):
        close(whole(found), expected.asnumpy())
    ms.reset_auto_parallel_context()

ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
for strategy, says in ((((1, 2), (1, 1)), "go together"), (((1,), (1, 1)), "1 axes"), (((64, 1), (1, 1)), "64 parts")):
    net = Block(1, 1)
    net.columns = ops.MatMul()
    net.columns.add_prim_attr("in_strategy", strategy)
    try:
        net(Tensor(IDS))
    except RuntimeError as error:
        assert "MatMul" in str(error) and str(strategy) in str(error) and says in str(error), error
    else:
        raise AssertionError(strategy)
"""
)

FORMS = (
    BEGIN
    + BLOCK
    + """
import os
import tempfile
import mindspore.dataset as ds
from mindspore.parallel import Layout
from mindspore.parallel.auto_parallel import AutoParallel

def run(net, wrapped, ids, target):
    model = ms.Model(wrapped, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"mse": nn.MSE()})
    rows = ds.NumpySlicesDataset({"ids": ids, "target": target}, shuffle=False).batch(len(ids)).repeat(2)
    model.train(2, rows, dataset_sink_mode=False)
    return model.predict(Tensor(ids)).asnumpy(), model.eval(rows, dataset_sink_mode=False)["mse"]

def functional(net):
    optimizer, loss = nn.SGD(net.trainable_params(), 0.1), nn.MSELoss()
    def forward(ids, target):
        output = net(ids)
        return loss(output, target), output
    both = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    for _ in range(2):
        (found, _), grads = both(Tensor(IDS), Tensor(TARGET))
        optimizer(ops.clip_by_global_norm(grads, 0.5))
    return found.asnumpy()

alone = Block(1, 1)
output, error = run(alone, alone, IDS, TARGET)
loss = functional(Block(1, 1))
init()
count, rank = get_group_size(), get_rank()
part = slice(rank * 4 // count, (rank + 1) * 4 // count)
for name, mine in (("full_batch", slice(None)), ("data_parallel", part)):
    net = Block(count // 2, 2)
    wrapped = AutoParallel(net)
    wrapped.dataset_strategy(name)
    found, own_error = run(net, wrapped, IDS[mine], TARGET[mine])
    close(found, output[mine])
    assert name == "data_parallel" or abs(own_error - error) < 1e-4
    path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
    ms.save_checkpoint(net, path)
    values = ms.load_checkpoint(path)
    for one in alone.get_parameters():
        close(values[one.name], one.asnumpy())
    ms.load_param_into_net(net, values)
    close(AutoParallel(net)(Tensor(IDS[part])), output[part])

ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
close(functional(Block(count // 2, 2)), loss)

class Two(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dense(8, 16, "ones", "zeros"), nn.Dense(16, 8, "ones", "zeros")
    def construct(self, x):
        return self.second(ops.relu(self.first(x)))

rows = Tensor(TARGET.reshape(24, 8))
expected = np.maximum(TARGET.reshape(24, 8).sum(1, keepdims=True), 0) * np.ones((1, 8)) * 16
net = Two()
close(ms.shard(net, ((count // 2, 1),), parameter_plan={"first.weight": (2, 1)})(rows), expected, 1e-4)
assert net.first.weight.asnumpy().shape == (8, 8)
net = Two()
close(net.shard(((count, 1),), ((1, 2),))(rows), expected, 1e-4)
layout = Layout((count // 2, 2), ("a", "b"))

class Placed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones((8, 16), np.float32)), name="weight")
        self.matmul = ops.MatMul().shard((layout("a", "None"), layout("None", "b")), (layout("a", "b"),))
    def construct(self, x):
        return ops.reshard(self.matmul(x, self.weight), layout("b", "a"))

net = Placed()
close(net(rows), TARGET.reshape(24, 8) @ np.ones((8, 16)), 1e-4)
assert net.weight.asnumpy().shape == (8, 8)

loss = nn.MSELoss()
loss.reduce_mean.shard(((1, 1),))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    close(loss(rows, rows * 0), (TARGET**2).mean())
assert [one for one in said if "the loss computes by other operators" in str(one.message)], said
"""
)

FURTHER = (
    BEGIN
    + BLOCK
    + """
from mindspore.parallel.auto_parallel import AutoParallel
from msbridge.distributed.sharded_parameters import slots_of

def stepped(net, make, ids, target, around=None):
    "Three steps with clipped gradients, and what the optimizer holds of each weight here."
    optimizer, loss = make(net.trainable_params()), nn.WithLossCell(net, nn.MSELoss())
    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.optimizer, self.grad = optimizer, ms.value_and_grad(loss, None, optimizer.parameters)
        def construct(self, ids, target):
            found, grads = self.grad(ids, target)
            return ops.depend(found, self.optimizer(ops.clip_by_global_norm(grads, 0.5)))
    step = Step()
    step = around(step) if around else step
    losses = [float(step(Tensor(ids), Tensor(target)).asnumpy()) for _ in range(3)]
    return losses, {owner.name.split(".")[-1]: one.asnumpy().shape for one, owner in slots_of(optimizer)}

makes = [lambda weights: nn.Adam(weights, 1e-2), lambda weights: nn.Lamb(weights, 1e-2)]
expected = []
for make in makes:
    alone = Block(1, 1)
    expected.append((stepped(alone, make, IDS, TARGET)[0], [one.asnumpy() for one in alone.get_parameters()]))
init()
count, rank = get_group_size(), get_rank()
part = slice(rank * 4 // count, (rank + 1) * 4 // count)

def hsdp(threshold):
    def around(step):
        parallel = AutoParallel(step)
        parallel.hsdp(threshold=threshold)
        return parallel
    return around

config = {"parallel_optimizer_threshold": 0}
for make, (losses, weights) in zip(makes, expected):
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel", enable_parallel_optimizer=True, parallel_optimizer_config=config)
    net = Block(count // 2, 2)
    net.table.parallel_optimizer = False
    found, held = stepped(net, make, IDS[part], TARGET[part])
    close(np.array(found), np.array(losses))
    for one, value in zip(net.get_parameters(), weights):
        close(whole(one), value)
    assert net.qkv.asnumpy().shape == (8, 12)
    copies = count // 2  # of each part of a weight with columns in two; all processes have others whole
    assert held["qkv"] == (8 // copies, 12) and held["gamma"] == (8 // count,) and held["table"] == (16, 8), held
    ms.reset_auto_parallel_context()
found, held = stepped(Block(count // 2, 2), make, IDS[part], TARGET[part], hsdp(0))
close(np.array(found), np.array(losses))
assert held["qkv"] == (8 // copies, 12), held
_, held = stepped(Block(count // 2, 2), make, IDS[part], TARGET[part], hsdp(64))
assert held["qkv"] == (8, 12), held
"""
)

OLD = (
    BEGIN
    + """
warnings.filterwarnings("error", message=".*computes by other operators")  # these layers call theirs
from mindspore.nn.transformer import (
    EmbeddingOpParallelConfig, FeedForward, MultiHeadAttention, OpParallelConfig, TransformerEncoderLayer,
    VocabEmbedding,
)

def fill(net):
    draws = np.random.RandomState(0)
    for one in net.get_parameters():
        one.set_data(Tensor((draws.randn(*one.shape) * 0.3).astype(np.float32)))
    return net.set_train()

def nets(rows, parts):
    config = OpParallelConfig(rows, parts)
    yield "ffn", fill(FeedForward(8, 16, 0.0, parallel_config=config)), 4e-3  # it computes in float16
    attention = MultiHeadAttention(4, 6, 6, 8, 2, 0.0, 0.0, ms.float32, parallel_config=config)
    yield "attention", fill(attention), 1e-5
    yield "layer", fill(TransformerEncoderLayer(4, 8, 16, 2, 6, 0.0, 0.0, parallel_config=config)), 2e-2
    for is_whole in (True, False):
        table = VocabEmbedding(16, 8, EmbeddingOpParallelConfig(rows, parts, is_whole))
        yield f"embedding {is_whole}", fill(table), 1e-5

def inputs(name, mine):
    x, mask = Tensor(TARGET[mine]), Tensor(np.ones((4, 6, 6), np.float32)[mine])
    if name.startswith("embedding"):
        return (Tensor(IDS[mine]),)
    return {"ffn": (x,), "attention": (x, x, x, mask), "layer": (x, mask)}[name]

def both(net, name, mine):
    def compute(*values):
        output = net(*values)
        output = output[0] if isinstance(output, tuple) else output
        return (output.astype(ms.float32) ** 2).sum()
    return ms.value_and_grad(compute, None, net.trainable_params())(*inputs(name, mine))

expected = {}
for name, net, _ in nets(1, 1):
    value, grads = both(net, name, slice(None))
    expected[name] = value.asnumpy(), [one.asnumpy() for one in grads]
init()
count, rank = get_group_size(), get_rank()
part = slice(rank * 4 // count, (rank + 1) * 4 // count)
for strategy, mine in (("full_batch", slice(None)), ("data_parallel", part)):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy=strategy)
    for name, net, tolerance in nets(count // 2, 2):
        value, grads = both(net, name, mine)
        assert abs(value.asnumpy() - expected[name][0]) <= tolerance * abs(expected[name][0]), name
        for found, wanted in zip(grads, expected[name][1]):
            close(whole(found), wanted, tolerance * max(1, np.abs(wanted).max()))
        if name == "ffn":
            assert net.mapping.weight.asnumpy().shape == (8, 8) and net.projection.weight.asnumpy().shape == (8, 8)
    ms.reset_auto_parallel_context()
"""
)

RECURRENT = (
    BEGIN
    + """
ROWS = TARGET[:, :5]

def layers():
    ms.set_seed(1)
    yield nn.LSTM(8, 6, 2, batch_first=True, bidirectional=True)
    yield nn.GRU(8, 6, batch_first=True)
    yield nn.RNN(8, 6)  # its batch of five cannot be divided

def computed(net, rows):
    square = lambda x: (net(x)[0] ** 2).sum()
    value, (of_rows, of_weights) = ms.value_and_grad(square, 0, net.trainable_params())(Tensor(rows))
    return value.asnumpy(), of_rows.asnumpy(), of_weights

output = next(layers())(Tensor(ROWS))[0].asnumpy()
alone = [computed(net, ROWS) for net in layers()]
init()
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
for net, (value, of_rows, of_weights) in zip(layers(), alone):
    found = computed(net, ROWS)
    close(found[0], value, 1e-4)
    close(found[1], of_rows)
    for one, expected in zip(found[2], of_weights):
        close(whole(one), expected.asnumpy(), 1e-4)
ms.set_auto_parallel_context(dataset_strategy="data_parallel")
part = slice(get_rank() * 4 // get_group_size(), (get_rank() + 1) * 4 // get_group_size())
close(next(layers())(Tensor(ROWS[part]))[0], output[part])
"""
)


@pytest.mark.parametrize("count", [2, 4])
def test_operators_with_strategies_compute_what_one_process_does(count: int) -> None:
    outputs(PRIMITIVES, count)


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.long)])
def test_transformers_of_earlier_releases_follow_their_configuration(count: int) -> None:
    outputs(OLD, count)


def test_optimizers_divide_their_state_further() -> None:
    outputs(FURTHER, 4)


def test_recurrent_layers_divide_the_batch() -> None:
    outputs(RECURRENT, 2)


def test_all_forms_of_divided_networks() -> None:
    outputs(FORMS, 2)
