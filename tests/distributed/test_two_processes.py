"""Two processes over gloo. Judge: what numpy computes of both processes' values."""

import socket
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

SCRIPT = """
import numpy as np, torch
from msbridge import distributed as d
from msbridge.core.tensor import Tensor
from msbridge.distributed import collectives, gradients

d.init()
rank = d.get_rank()
assert d.get_group_size() == 2
value = Tensor(np.array([1.0, 2.0], np.float32) + 10 * rank)

def is_close(tensor, expected):
    assert np.allclose(tensor.asnumpy(), expected), (tensor.asnumpy(), expected)

for op, expected in {"sum": [12, 14], "max": [11, 12], "min": [1, 2], "prod": [11, 24], "avg": [6, 7]}.items():
    is_close(d.all_reduce(value, op)[0], expected)
is_close(d.all_gather_into_tensor(value)[0], [1, 2, 11, 12])
is_close(d.reduce_scatter_tensor(value)[0], [[12], [14]][rank])
is_close(d.broadcast(value, 1), [11, 12])
is_close(d.reduce(value, 0), [[12, 14], [11, 12]][rank])
is_close(d.gather_into_tensor(value, 1), [[1, 2], [1, 2, 11, 12]][rank])
is_close(d.scatter_tensor(value, 0), [[1], [2]][rank])
is_close(d.all_to_all_single_with_output_shape((2,), value)[0], [[1, 11], [2, 12]][rank])
d.barrier()
if rank == 0:
    d.send(value, 1)
else:
    is_close(d.recv(value, 0), [1, 2])

for function, expected in (
    (collectives.reduced, [[3, 3], [3, 3]]),
    (collectives.gathered, [[3, 3], [3, 3]]),
):
    data = value._data.clone().requires_grad_()
    (function(Tensor(data))._data * (rank + 1)).sum().backward()
    assert data.grad.tolist() == expected[rank], (function, data.grad)
data = value._data.clone().requires_grad_()
(collectives.reduce_scattered(Tensor(data))._data * (rank + 1)).sum().backward()
assert data.grad.tolist() == [1, 2]

gradients.BUCKET_BYTES = 12
tensors = [torch.full((2,), 1.0 + rank), torch.full((3, 1), 2.0 * rank), torch.ones(1, dtype=torch.float64) * rank]
means = d.all_reduce_mean(tensors, mean=True)
assert [mean.tolist() for mean in means] == [[1.5, 1.5], [[1.0], [1.0], [1.0]], [0.5]], means
assert [total.dtype for total in d.all_reduce_mean(tensors, mean=False)] == [tensor.dtype for tensor in tensors]

d.create_group("second", [1])
if rank == 1:
    assert (d.get_rank("second"), d.get_group_size("second")) == (0, 1)
    is_close(d.all_reduce(value, group="second")[0], [11, 12])
else:
    try:
        d.get_rank("second")
    except ValueError as error:
        assert "not in the group" in str(error)
d.destroy_group("second")
d.release()
print("done")
"""


@pytest.mark.parametrize("names", [("RANK", "WORLD_SIZE"), ("RANK_ID", "RANK_SIZE")])
def test_collectives_of_two_processes(names, monkeypatch):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for name in ("RANK", "WORLD_SIZE", "RANK_ID", "RANK_SIZE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(names[1], "2")
    monkeypatch.setenv("MASTER_PORT", str(port))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    children = []
    for rank in range(2):
        monkeypatch.setenv(names[0], str(rank))
        children.append(
            subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
    for child in children:
        output, errors = child.communicate(timeout=120)
        assert output.strip() == "done", errors
