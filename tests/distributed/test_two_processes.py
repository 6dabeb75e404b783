"""Two processes over gloo. Judge: what numpy computes of both processes' values."""

import pytest

from tests.distributed.several import outputs

SCRIPT = """
import numpy as np, torch
from msbridge import distributed as d
from msbridge import Tensor
from msbridge.distributed import gradient_buckets
from msbridge.distributed.collectives import primitives

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
is_close(d.reduce(value, 0), [[12, 14], [0]][rank])
is_close(d.gather_into_tensor(value, 1), [[0], [1, 2, 11, 12]][rank])
is_close(d.scatter_tensor(value, 0), [[1], [2]][rank])
is_close(d.all_to_all_single_with_output_shape((2,), value)[0], [[1, 11], [2, 12]][rank])
d.barrier()
if rank == 0:
    d.send(value, 1)
else:
    is_close(d.recv(value, 0), [1, 2])

for function, expected in (
    (primitives.all_reduce, [[3, 3], [3, 3]]),
    (primitives.all_gather, [[3, 3], [3, 3]]),
):
    data = value._data.clone().requires_grad_()
    (function(Tensor(data))._data * (rank + 1)).sum().backward()
    assert data.grad.tolist() == expected[rank], (function, data.grad)
data = value._data.clone().requires_grad_()
(primitives.reduce_scatter(Tensor(data))._data * (rank + 1)).sum().backward()
assert data.grad.tolist() == [1, 2]

gradient_buckets.BUCKET_BYTES = 12
torch.set_default_device(value._data.device)
tensors = [torch.full((2,), 1.0 + rank), torch.full((3, 1), 2.0 * rank), torch.ones(1, dtype=torch.float64) * rank]
torch.set_default_device(None)
means = d.all_reduce_mean(tensors, mean=True)
assert [mean.tolist() for mean in means] == [[1.5, 1.5], [[1.0], [1.0], [1.0]], [0.5]], means
assert [total.dtype for total in d.all_reduce_mean(tensors, mean=False)] == [tensor.dtype for tensor in tensors]

other = 1 - rank
for begun, *expected in (
    (d.all_reduce(value, async_op=True), *[[12, 14]] * 2),
    (d.all_gather_into_tensor(value, async_op=True), *[[1, 2, 11, 12]] * 2),
    (d.reduce_scatter_tensor(value, async_op=True), [12], [14]),
    (d.all_to_all_single_with_output_shape((2,), value, async_op=True), [1, 11], [2, 12]),
    (d.all_to_all_with_output_shape([(1,)] * 2, [value[:1], value[1:]], async_op=True), [[1], [11]], [[2], [12]]),
    ((came := value * 0, d.all_to_all_v_c(came, value, [1] * 4, async_op=True)), [1, 11], [2, 12]),
):
    result, handle = begun
    handle.wait()
    found = [one.asnumpy() for one in result] if isinstance(result, tuple) else result.asnumpy()
    assert np.allclose(found, expected[rank]), (found, expected[rank])
sending = d.isend(value, other)
coming, receiving = d.irecv(value, other)
sending.wait()
receiving.wait()
is_close(coming, [[11, 12], [1, 2]][rank])
transfers = [d.P2POp("isend", value, other), d.P2POp(d.irecv, (2,), other, recv_dtype=value.dtype)]
sent, came = d.batch_isend_irecv(transfers)
assert sent.shape == ()
is_close(came, [[11, 12], [1, 2]][rank])
parts, handle = d.all_to_all_with_output_shape([(1,), value[:1]] if rank == 0 else [(1, 1)] * 2, [value[:1], value[1:]])
assert handle is None
is_close(parts[1], [[11], [[12]]][rank])
filled = Tensor(np.zeros((1 + 2 * rank, 2), np.float32))
rows = Tensor(np.array([[1, 2], [3, 4], [5, 6]], np.float32)[: 3 - 2 * rank])
assert d.all_to_all_v_c(filled, rows, [1, 2, 0, 1]) is None
is_close(filled, [[[1, 2]], [[3, 4], [5, 6], [1, 2]]][rank])

from msbridge.contrib.private.execution_order import CommExecOrderCheck, comm_exec_order_check, modify_execute_orders
comm_exec_order_check("start")
d.all_reduce(value)
d.send(value, 1) if rank == 0 else d.recv(value, 0)
comm_exec_order_check("end")
said = modify_execute_orders({str(rank): CommExecOrderCheck().orders})
assert said == {str(rank): ["AllReduce sum_group_(0,1)_1th", "Send_Receive_group_(0)->(1)_(2,)_1th"]}, said

from msbridge import device, nn
from msbridge.core.context import context

context.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
net = nn.Dense(3, 2)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
with device.collect():
    for _ in range(3):
        step(Tensor(np.ones((4, 3), np.float32)), Tensor(np.ones((4, 2), np.float32)))
    d.all_gather_into_tensor(value)
seen = device.report().seen
reduced, gathered = seen.communications
assert (reduced.kind, reduced.bytes, reduced.behind, reduced.largest) == ("AllReduce", 96, 96, 32), seen.communications
assert (gathered.kind, gathered.calls, gathered.bytes, gathered.behind) == ("AllGather", 1, 8, 0), seen.communications
assert seen.under_way == 32 and seen.communicating_s > 0
context.reset_auto_parallel_context()

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


@pytest.mark.process
def test_collectives_of_two_processes():
    assert outputs(SCRIPT, 2) == ["done\n"] * 2


GROUPS = """
import numpy as np
from msbridge import distributed as d, mint
from msbridge import Tensor
from msbridge.distributed.collectives import point_to_point, primitives

d.init()
rank = d.get_rank()
d.create_group("late", [1, 2])
value = Tensor(np.array([1.0, 2.0], np.float32) + 10 * rank)
zeros = Tensor(np.zeros(4, np.float32))

def says(tensor, *expected):
    assert tensor.asnumpy().tolist() == expected[rank - 1], (tensor, expected)

if rank == 0:
    try:
        d.all_reduce(value, group="late")
    except ValueError as error:
        assert "not in the group" in str(error)
else:
    says(d.all_reduce(value, group="late")[0], [32, 34], [32, 34])
    says(d.broadcast(value, 2, "late"), [21, 22], [21, 22])
    says(d.reduce(value, 2, group="late"), [0], [32, 34])
    says(d.gather_into_tensor(value, 1, "late"), [11, 12, 21, 22], [0])
    says(d.scatter_tensor(value, 2, "late"), [21], [22])
    says(primitives.reduce(value, 0, group="late"), [32, 34], [0])
    if rank == 1:
        d.send(value, 2, "late")
        point_to_point.send(value, 5, 1, "late", "late")
    else:
        says(d.recv(value, 1, "late"), [], [11, 12])
        came = point_to_point.receive(
            sr_tag=5, src_rank=0, shape=[2], dtype=value.dtype, group="late", group_back="late"
        )
        says(came, [], [11, 12])
    same = value.copy()
    mint.distributed.broadcast(same, 2, "late")
    says(same, [21, 22], [21, 22])
    mint.distributed.reduce(same, 1, group="late")
    says(same, [42, 44], [21, 22])
    try:
        d.broadcast(value, 0, "late")
    except ValueError as error:
        assert "[1, 2]" in str(error)
d.barrier()
d.release()
"""


@pytest.mark.process
def test_a_group_of_some_processes_knows_ranks_of_the_world():
    outputs(GROUPS, 3)
