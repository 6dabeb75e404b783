"""Several processes over gloo. Judge: the values of the rank that MindSpore's list of owners names."""

import pytest

from tests.distributed.several import outputs

BROADCAST = """
import numpy as np
import msbridge; msbridge.install()
import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.communication import init, get_rank
from mindspore.parallel import parameter_broadcast

init()
rank = get_rank()
net = nn.Cell()
net.a = Parameter(Tensor(np.full(2, rank, np.float32)), name="a")
net.b = Parameter(Tensor(np.full(3, rank, np.float32)), name="b")
net.c = Parameter(Tensor(np.full(1, rank, np.float32)), name="c")
layout = {"a": [[2], [-1], [], 0, True, ""], "b": [[2], [-1], [], 0, True, ""], "c": [[2], [0], [], 0, True, ""]}
parameter_broadcast(net, layout, rank)
assert net.a.asnumpy().tolist() == [0, 0]
assert net.b.asnumpy().tolist() == [1, 1, 1]
assert net.c.asnumpy().tolist() == [rank]
wrong = (((net, layout, 1 - rank), "cur_rank"), ((net, {"x": layout["a"]}, rank), "x can not be found"))
for arguments, words in wrong:
    try:
        parameter_broadcast(*arguments)
    except ValueError as error:
        assert words in str(error)
    else:
        raise AssertionError(words)
"""

LOADING = """
import sys
import numpy as np
import msbridge; msbridge.install()
import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.communication import init, get_rank, create_group
from pathlib import Path
from tests.train.helpers_slices import WHOLE, saved, strategy_file

init()
rank = get_rank()
import tempfile
folder = Path(tempfile.mkdtemp())
files = [str(saved(folder, 4) / f"rank_{one}" / "net.ckpt") for one in range(4)]
strategy = strategy_file(folder / "s.ckpt", 4)
create_group("both", [0, 1])
for predict, pieces in (
    ({"w": [[2], [0, -1], [4, 3], 0, True, ""]}, WHOLE.chunk(2)[rank]),
    ({"w": [[2], [-1, -1], [4, 3], 0, True, "both"]}, WHOLE.chunk(2)[rank]),
    (None, WHOLE),
):
    net = nn.Cell()
    net.w = Parameter(Tensor(np.zeros(pieces.shape, np.float32)), name="w")
    ms.load_distributed_checkpoint(net, files, predict, strategy)
    assert np.array_equal(net.w.asnumpy(), pieces.numpy()), (predict, net.w.asnumpy())
"""


@pytest.mark.process
@pytest.mark.parametrize("script", [BROADCAST, LOADING], ids=["broadcast", "loading"])
def test_two_processes(script):
    outputs(script, 2)
