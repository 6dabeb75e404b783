"""Joint changes of several processes. Judge: the formula in NumPy, and the mean of parallel ones."""

import numpy as np
import pytest

from msbridge import Parameter, Tensor
from msbridge.contrib.boost import AdaSum
from tests.distributed.several import outputs

SCRIPT = """
import numpy as np
from msbridge import Parameter, Tensor, distributed
from msbridge.contrib.boost import AdaSum

distributed.init()
rank = distributed.get_rank()
draws = np.random.RandomState(0)
changes = [[draws.randn(3, 2).astype(np.float32), draws.randn(1).astype(np.float32)] for _ in range(4)]

def joint(a, b):
    if a.size == 1:
        return (a + b) / 2
    return (1 - (a * b).sum() / (2 * (a * a).sum())) * a + (1 - (a * b).sum() / (2 * (b * b).sum())) * b

def joined(count, place=0):
    "Of servers that each have one change."
    if count == 1:
        return changes[place]
    halves = joined(count // 2, place), joined(count // 2, place + count // 2)
    return [joint(a, b) for a, b in zip(*halves)]

old = [Tensor(np.ones((3, 2), np.float32)), Tensor(np.ones(1, np.float32))]
weights = [Parameter(one * 0, name=f"w{i}") for i, one in enumerate(old)]
result = AdaSum(rank, 1, 4, weights)([Tensor(one) for one in changes[rank]], weights, old)
assert result[0] is weights[0]
for found, change in zip(weights, joined(4)):
    assert np.allclose(found.asnumpy(), 1 - change, atol=1e-6), (found, 1 - change)

# Two servers of two: those of one place join.
AdaSum(rank, 2, 2, weights)([Tensor(one) for one in changes[rank]], weights, old)
pair = changes[rank % 2], changes[rank % 2 + 2]
for found, a, b in zip(weights, *pair):
    assert np.allclose(found.asnumpy(), 1 - joint(a, b), atol=1e-6)
"""


@pytest.mark.process
def test_four_processes_join() -> None:
    outputs(SCRIPT, 4)


def test_one_server_takes_its_own_change() -> None:
    weight = Parameter(Tensor(np.zeros(2, np.float32)), name="w")
    AdaSum(0, 8, 1, [weight])([Tensor([0.5, 1.0])], [weight], [Tensor([1.0, 1.0])])
    assert weight.asnumpy().tolist() == [0.5, 0]


def test_servers_must_be_a_power_of_two() -> None:
    with pytest.raises(ValueError, match="'group_number' must be a power of two, but got 3"):
        AdaSum(0, 8, 3, [])
