"""The bytes that processes send. Judge: what they hand to collective operations in a step, counted."""

import pytest

from msbridge.distributed.communication_volume import Divided, Step, ring_bytes, volume_of_step
from tests.distributed.several import outputs

SCRIPT = """
import numpy as np
import msbridge
msbridge.install()
import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, init
from msbridge.distributed.communication_volume import Divided, Step, Traffic, volume_of_step

init()
size = get_group_size()
ROWS, WIDTH = 8 * size, 64
WEIGHT, BATCH = WIDTH * WIDTH * 4, ROWS * WIDTH * 4

def check(step, rows, foretold):
    step(rows)
    with Traffic() as traffic:
        step(rows)
    for kind in traffic.bytes.keys() | foretold.keys():
        counted, wanted = traffic.bytes[kind], foretold.get(kind, 0.0)
        assert abs(counted - wanted) <= 0.01 * wanted + 600, (kind, traffic.bytes, foretold)  # numbers such as the loss

def training(net):
    return nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 1e-3, 0.9))

for level in (0, 1, 2):
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True,
                                 enable_parallel_optimizer=level > 0,
                                 parallel_optimizer_config={"optimizer_level": f"level{max(level, 1)}"})
    net = nn.SequentialCell([nn.Dense(WIDTH, WIDTH, has_bias=False) for _ in range(8)])
    check(training(net), Tensor(np.ones((8, WIDTH), np.float32)),
          volume_of_step(Step(8 * WEIGHT, BATCH, 8), Divided(data=size, level=level)))
ms.reset_auto_parallel_context()

class Sum(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = nn.SequentialCell([nn.Dense(WIDTH, WIDTH, has_bias=False) for _ in range(8)])
    def construct(self, x):
        return self.net(x).sum()

for is_further, foretold in (
    (False, volume_of_step(Step(8 * WEIGHT, BATCH, 8), Divided(data=size))),
    (True, {"reduce_scatter": 8 * WEIGHT, "all_gather": 8 * WEIGHT / size}),  # over a ring the same bytes
):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", enable_parallel_optimizer=is_further,
                                 parallel_optimizer_config={"parallel_optimizer_threshold": 0})
    check(training(Sum()), Tensor(np.ones((8, WIDTH), np.float32)), foretold)
ms.reset_auto_parallel_context()

class Block(nn.Cell):
    def __init__(self, parts):
        super().__init__()
        self.a, self.b = (ms.Parameter(Tensor(np.eye(WIDTH, dtype=np.float32)), name=name) for name in "ab")
        self.first, self.second = ops.MatMul(), ops.MatMul()
        self.mean = ops.ReduceMean()
        if parts > 1:
            self.first.shard(((1, 1), (1, parts)))
            self.second.shard(((1, parts), (parts, 1)), ((1, 1),))
    def construct(self, x):
        return self.second(ops.relu(self.first(x, self.a)), self.b)

class Blocks(nn.Cell):
    def __init__(self, parts):
        super().__init__()
        self.blocks = nn.SequentialCell([Block(parts) for _ in range(4)])
    def construct(self, x):
        return self.blocks(x).sum()

ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
net, whole = Blocks(size), Tensor(np.ones((ROWS, WIDTH), np.float32))
step = training(net)
step(whole)
foretold = volume_of_step(Step(8 * WEIGHT, BATCH, 2), Divided(operators=size))  # two pairs of matrices are a block
foretold = {"all_gather": BATCH / size, "all_reduce": foretold["all_reduce"] / 2}  # the batch comes divided
check(net, whole, foretold)  # the forward pass; DTensor chooses what the backward pass moves by costs of its own
ms.reset_auto_parallel_context()

class Stages(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = (nn.Dense(WIDTH, WIDTH, has_bias=False) for _ in range(2))
        self.first.pipeline_stage, self.second.pipeline_stage = 0, 1
    def construct(self, x):
        return self.second(self.first(x)).sum()

ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=2)
check(training(nn.PipelineCell(Stages(), 2)), Tensor(np.ones((16, WIDTH), np.float32)),
      volume_of_step(Step(2 * WEIGHT, 8 * size * WIDTH * 4, 2, 2), Divided(data=size // 2, stages=2)))
print(size)
"""


@pytest.mark.process
@pytest.mark.parametrize("count", [2, 4])
def test_what_is_foretold_is_what_is_sent(count):
    assert outputs(SCRIPT, count) == [f"{count}\n"] * count


@pytest.mark.parametrize(
    ("kind", "parts"),
    [("all_reduce", 1.5), ("reduce_scatter", 0.75), ("all_gather", 3.0), ("send", 1.0), ("broadcast", 0.75)],
)
def test_a_ring_sends_parts(kind, parts):
    assert ring_bytes(kind, 100.0, 4) == 100.0 * parts
    assert ring_bytes(kind, 100.0, 1) == 0.0


def test_ways_of_dividing_share_the_volume():
    step = Step(parameters=96.0, activations=48.0, blocks=6)
    assert volume_of_step(step, Divided()) == {}
    assert volume_of_step(step, Divided(data=4, operators=2, stages=3)) == {"all_reduce": 16 + 4 * 12 * 2, "send": 16}
    assert volume_of_step(step, Divided(data=4, level=2)) == {"reduce": 96, "broadcast": 96}
