"""Gradients that are reduced while others are computed. Judge: one process with the whole batch."""

import pytest

from tests.distributed.several import outputs

SCRIPT = """
import numpy as np
import msbridge
from torch.utils._python_dispatch import TorchDispatchMode
from msbridge import Tensor, distributed, nn, ops
from msbridge.distributed import gradient_buckets, overlapped_all_reduce

RANDOM = np.random.RandomState(0)
ROWS, TARGET = RANDOM.randn(4, 6).astype(np.float32), RANDOM.randn(4, 2).astype(np.float32)

class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.unused = nn.Dense(3, 3)
        self.first, self.tied, self.last = nn.Dense(6, 8), nn.Dense(8, 8), nn.Dense(8, 2)
    def construct(self, x):
        return self.last(ops.relu(self.tied(ops.relu(self.tied(self.first(x))))))

def trained(mine, reducer=None):
    msbridge.set_seed(1)
    net = Network()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 1e-2))
    step.grad_reducer = reducer or step.grad_reducer
    for _ in range(3):
        step(Tensor(ROWS[mine]), Tensor(TARGET[mine]))
    return [one.asnumpy() for one in net.get_parameters()]

whole = trained(slice(None))
distributed.init()
rank = distributed.get_rank()
mine = slice(rank * 2, rank * 2 + 2)
msbridge.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
sent = []

class Watched(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        sent.append(func.name())
        return func(*args, **(kwargs or {}))

for size in (2**20, 100, 1):
    overlapped_all_reduce._FIRST_BYTES = overlapped_all_reduce.BUCKET_BYTES = size
    del sent[:]
    with Watched():
        for found, expected in zip(trained(mine), whole):
            assert np.allclose(found, expected, atol=1e-6)
    found = [place for place, name in enumerate(sent) if name == "c10d::allreduce_"]
    first = found[-len(found) // 3]  # of the last step
    assert len(found) == 3 if size == 2**20 else len(found) > 6, len(found)
    assert ("aten::mm" in sent[first:]) == (size != 2**20)  # the rest of the backward pass comes after it

class Own(nn.Cell):
    def construct(self, grads):
        return tuple(map(Tensor, gradient_buckets.all_reduce_mean([grad._data for grad in grads], True)))

sent.clear()
overlapped_all_reduce.OverlappedReduction.take = lambda *args: sent.append(args)
for found, expected in zip(trained(mine, Own()), whole):
    assert np.allclose(found, expected, atol=1e-6)
assert not sent  # a reducer that a script puts in the place gets the gradients of this process
"""


@pytest.mark.process
def test_a_step_is_that_of_the_whole_batch() -> None:
    outputs(SCRIPT, 2)
