"""DistributedDataParallel. Judge: the gradient of the whole batch in one process."""

import numpy as np
import pytest

import msbridge
from msbridge import Tensor, nn
from msbridge.nn.parallel.data_parallel import DistributedDataParallel
from tests.distributed.several import outputs

SCRIPT = """
import numpy as np
import msbridge
from msbridge import Tensor, distributed, nn, ops
from msbridge.nn.parallel.data_parallel import DistributedDataParallel

distributed.init()
rank = distributed.get_rank()

class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.used = nn.Dense(2, 1, weight_init=Tensor(np.full((1, 2), 1.0 + rank, np.float32)), bias_init="zeros")
        self.unused = nn.Dense(1, 1)
        self.norm = nn.BatchNorm1d(2)

    def construct(self, x):
        return self.used(x)

def close(tensors, *expected):
    for tensor, wanted in zip(tensors, expected):
        assert np.allclose(tensor.asnumpy(), wanted), (tensor, wanted)

x = Tensor(np.array([[1.0, 2.0]], np.float32) * (1 + rank))
for settings in ({}, {"average_in_collective": True, "bucket_cap_mb": 1e-6, "reducer_mode": "PythonReducer"}):
    net = DistributedDataParallel(Network(), **settings)
    assert net.module.used.weight.asnumpy().tolist() == [[1, 1]]  # those of the first process
    assert [one.name for one in net.trainable_params()][:2] == ["used.weight", "used.bias"]
    step = msbridge.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    loss, grads = step(x)
    close([loss], [3, 6][rank])
    close(grads, [[1.5, 3]], [1], [[0]], [0])
    close([net.module.used.weight.grad], [[1.5, 3]])
    net.zero_grad()
    with net.no_sync():
        close(step(x)[1], np.array([[1, 2]]) * (1 + rank), [1])
    close(step(x)[1], [[3, 6]], [2], [[0]])
    close(step(x)[1], [[4.5, 9]], [3])
    net.zero_grad()
    close(step(x)[1], [[1.5, 3]], [1])

reducer = nn.DistributedGradReducer(net.trainable_params(), True, degree=4)
close(reducer([Tensor([4.0 + 4 * rank])]), [3])
distributed.create_group("own", [rank]) if rank == 0 else distributed.create_group("own", [0])
if rank == 0:
    close(nn.DistributedGradReducer(net.trainable_params(), False, group="own")([Tensor([4.0])]), [4])
"""


@pytest.mark.process
def test_gradients_are_those_of_the_whole_batch():
    outputs(SCRIPT, 2)


def test_a_process_alone_has_its_own_gradients():
    net = DistributedDataParallel(nn.Dense(2, 1, weight_init=Tensor(np.ones((1, 2), np.float32)), bias_init="zeros"))
    assert float(net(Tensor([[1.0, 2.0]]))[0, 0]) == 3
    grads = msbridge.grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor([[1.0, 2.0]]))
    assert [grad.asnumpy().tolist() for grad in grads] == [[[1, 2]], [1]]


@pytest.mark.parametrize("arguments", [(1,), (nn.Dense(1, 1), True, None, None, False, False, False, "TorchReducer")])
def test_what_is_no_network_or_reducer_is_refused(arguments):
    with pytest.raises((TypeError, ValueError)):
        DistributedDataParallel(*arguments)


def test_scripts_find_it(dropin):
    from mindspore.parallel.distributed import DistributedDataParallel as Found

    assert Found is DistributedDataParallel
