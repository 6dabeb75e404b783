"""Networks in stages over four processes. Judge: the same network in one process."""

from pathlib import Path

import pytest

from tests.distributed.several import outputs

pytestmark = pytest.mark.process

# What every process does first: the same networks in one process.
BEGIN = """
import warnings
warnings.simplefilter("ignore")
import numpy as np
import msbridge
msbridge.install()
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import get_rank, init
from mindspore.parallel.auto_parallel import AutoParallel
from msbridge.nn.legacy.r2_0_members import infer_param_pipeline_stage

RANDOM = np.random.RandomState(0)
ROWS, KINDS = RANDOM.randn(8, 6).astype(np.float32), RANDOM.randint(0, 4, (8,)).astype(np.int32)
IDS, NEXT = (RANDOM.randint(0, 12, (8, 5)).astype(np.int32) for _ in range(2))
ENTROPY = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

def close(found, expected, tolerance=2e-6):
    assert np.allclose(found, expected, atol=tolerance), (found, expected)

class Skipping(nn.Cell):
    "What skips a stage, batch statistics, operators between the stages."
    def __init__(self, stages):
        super().__init__()
        ms.set_seed(3)
        self.first, self.norm, self.act = nn.Dense(6, 8), nn.BatchNorm1d(8), nn.ReLU()
        self.second, self.third = nn.Dense(8, 8), nn.Dense(8, 4)
        for cell, stage in zip((self.first, self.norm, self.second, self.third), stages):
            cell.pipeline_stage = stage
    def construct(self, x):
        one = self.norm(self.act(self.first(x)))
        return self.third(self.act(self.second(one)) + one)

class Tied(nn.Cell):
    "A weight of two stages, one of none, and a choice by values."
    def __init__(self, last):
        super().__init__()
        ms.set_seed(3)
        self.table = nn.Embedding(12, 8)
        self.body, self.more = nn.SequentialCell(nn.Dense(8, 8), nn.Tanh()), nn.Dense(8, 8)
        self.scale = Parameter(Tensor(1.5, ms.float32), name="scale")
        self.table.pipeline_stage, self.body.pipeline_stage, self.more.pipeline_stage = 0, 0, last
    def construct(self, ids):
        hidden = self.more(self.body(self.table(ids))) * self.scale
        if hidden.mean() > 1000:
            hidden = hidden * 0
        return ops.matmul(hidden, self.table.embedding_table.T)

class Loss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
    def construct(self, ids, following):
        return ENTROPY(self.net(ids).reshape(-1, 12), following.reshape(-1))

def trained(net, make):
    step = nn.TrainOneStepCell(nn.PipelineCell(nn.WithLossCell(net, ENTROPY), 2), make(net.trainable_params()))
    step.set_train()
    losses = [float(step(Tensor(ROWS), Tensor(KINDS)).asnumpy()) for _ in range(3)]
    return losses, net.set_train(False)(Tensor(ROWS)).asnumpy()

def batch(width, column):
    mine = slice(column * 8 // width, (column + 1) * 8 // width)
    return Tensor(IDS[mine]), Tensor(NEXT[mine])

def scaled(last, width=1, column=0):
    net = Loss(Tied(last))
    optimizer = nn.Adam(net.trainable_params(), 1e-2)
    step = nn.TrainOneStepWithLossScaleCell(nn.PipelineCell(net, 2), optimizer, Tensor(1024.0))
    return [float(step(*batch(width, column))[0].asnumpy()) for _ in range(3)]

def by_hand(last, width=1, column=0):
    "A loop of one's own, with the norm of all gradients."
    net = Loss(Tied(last))
    optimizer, cell = nn.Adam(net.trainable_params(), 1e-2), nn.PipelineCell(net, 2)
    compute = ms.value_and_grad(cell, None, optimizer.parameters)
    reducer, losses = nn.PipelineGradReducer(optimizer.parameters), []
    for _ in range(3):
        loss, grads = compute(*batch(width, column))
        optimizer(ops.clip_by_global_norm(reducer(grads), 0.5))
        losses.append(float(loss.asnumpy()))
    return losses, net.trainable_params()
"""

STAGES = """
makes = [
    lambda weights: nn.Momentum(weights, 0.1, 0.9, weight_decay=1e-3), lambda weights: nn.Adam(weights, 1e-2),
    lambda weights: nn.Lamb(weights, 1e-2),
]
alone = [trained(Skipping((0, 0, 0, 0)), make) for make in makes]
init()
rank = get_rank()
stages = (0, 1, 2, 3)
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=4)
for make, (losses, outputs) in zip(makes, alone):
    found = trained(Skipping(stages), make)
    close(found[0], losses)
    close(found[1], outputs, 1e-5)
net = Skipping(stages)
net(Tensor(ROWS))
try:
    held = net.third.weight.asnumpy().shape == (4, 8)
except RuntimeError as error:
    held = False
    assert f"pipeline stage {stages[-1]}" in str(error)
assert held == (rank == stages[-1])
assert [parameter.name for parameter in infer_param_pipeline_stage(net)] == [
    parameter.name for parameter, stage in zip(net.trainable_params(), np.repeat(stages, 2)) if stage == rank
]
net.first.pipeline_stage = 9
try:
    net(Tensor(ROWS))
except ValueError as error:
    assert "stage 9" in str(error)
else:
    raise AssertionError
"""

FORMS = """
expected, (losses, weights) = scaled(0), by_hand(0)
wanted = [weight.asnumpy() for weight in weights]
init()
rank, width = get_rank(), 2
for scheduler in ("1f1b", "gpipe"):
    config = {"pipeline_interleave": scheduler == "gpipe", "pipeline_scheduler": scheduler}
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=2, pipeline_config=config)
    close(scaled(1, width, rank % width), expected)
    found, weights = by_hand(1, width, rank % width)
    close(found, losses)
    for weight, value in zip(weights, wanted):
        if weight._data.stage == rank // width if hasattr(weight._data, "stage") else True:
            close(weight.asnumpy(), value, 1e-5)
net = Loss(Tied(1))
ms.save_checkpoint(net, f"FOLDER/whole{rank}.ckpt")
net(*batch(1, 0))
ms.save_checkpoint(net, f"FOLDER/{rank}.ckpt")
ms.reset_auto_parallel_context()
for name, parameter in ms.load_checkpoint(f"FOLDER/{rank}.ckpt").items():
    assert np.array_equal(parameter.asnumpy(), ms.load_checkpoint(f"FOLDER/whole{rank}.ckpt")[name].asnumpy())

net = Loss(Tied(0))
step = nn.TrainOneStepCell(nn.PipelineCell(net, 2, {"net.more": 1}), nn.Adam(net.trainable_params(), 1e-2))
whole = nn.TrainOneStepCell(nn.PipelineCell(Loss(Tied(0)), 2), nn.Adam(Loss(Tied(0)).trainable_params(), 1e-2))
parallel = AutoParallel(step)
parallel.pipeline(2)
close(float(parallel(*batch(width, rank % width)).asnumpy()), float(whole(*batch(1, 0)).asnumpy()))
own = [one for one in net.get_parameters() if getattr(one._data, "stage", None) == rank // width]
assert own and all(one.asnumpy().shape == one.shape for one in own)  # the settings of AutoParallel are over

class Divided(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = ops.ReLU().shard(((2, 1),))
        self.pipeline_stage = 1
    def construct(self, x):
        return self.relu(x)

ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=2)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    net = Divided()
    close(net(Tensor(ROWS)).asnumpy(), np.maximum(ROWS, 0))
    net(Tensor(ROWS))
assert [str(one.message) for one in said if "within a stage" in str(one.message)] == [
    "ops.Primitive.shard: in_strategy has no effect in msbridge: within a stage each process computes operators "
    "whole, on its part of the batch."
], [str(one.message) for one in said]
"""

OWN = """
class Infinite(nn.Cell):
    "Makes gradients of the first stage infinite, once."
    times = 1
    def construct(self, x):
        return x
    def bprop(self, x, out, grad):
        self.times -= 1
        return (grad * float("inf") if self.times == 0 else grad,)

class Weights(nn.Cell):
    "A weight of two Cells."
    def __init__(self, stages):
        super().__init__()
        ms.set_seed(3)
        self.table, self.body, self.head = nn.Embedding(12, 8), nn.Dense(8, 8), nn.Dense(8, 12, has_bias=False)
        self.start = nn.SequentialCell(self.table, Infinite())
        self.head.weight = self.table.embedding_table
        for cell, stage in zip((self.start, self.body, self.head), stages):
            cell.pipeline_stage = stage
    def construct(self, ids):
        return self.head(ops.tanh(self.body(self.start(ids))))

def stepped(stages, is_own, width=1, column=0):
    net = Loss(Weights(stages))
    weights = infer_param_pipeline_stage(net) if is_own else net.trainable_params()
    manager = nn.DynamicLossScaleUpdateCell(1024.0, 2, 1)
    step = nn.TrainOneStepWithLossScaleCell(nn.PipelineCell(net, 2), nn.Adam(weights, 1e-2), manager)
    step.set_train()
    return [[float(one.asnumpy()) for one in step(*batch(width, column))] for _ in range(4)]

expected = stepped((0, 0, 0), False)
assert [one[1] for one in expected] == [1, 0, 0, 0]
init()
rank = get_rank()
for stages in ((0, 1, 1), (1, 1, 0)):  # the weight is the first stage's, whose Cell comes first, or last
    scheduler = "1f1b" if stages[0] == 0 else "gpipe"
    config = {"pipeline_interleave": True, "pipeline_scheduler": scheduler}
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=2, pipeline_config=config)
    for is_own in (False, True):
        close(stepped(stages, is_own, 2, rank % 2), expected)
"""


def test_stages_compute_what_one_process_does() -> None:
    outputs(BEGIN + STAGES, 4)


def test_all_forms_of_training_in_two_stages_of_two_processes(tmp_path: Path) -> None:
    outputs(BEGIN + FORMS.replace("FOLDER", str(tmp_path)), 4)


def test_optimizers_of_the_stages_own_weights() -> None:
    outputs(BEGIN + OWN, 4)
