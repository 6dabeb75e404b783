"""Primitives of the collective operations. Judge: numpy; gradients as MindSpore's Python source defines them.

MindSpore's CPU has kernels of AllReduce (sum), AllGather and Broadcast only; with these the values were compared.
"""

import numpy as np
import pytest

import msbridge
from msbridge import Tensor, ops
from msbridge.ops import operations as P
from msbridge.ops.framework.collectives import virtual
from tests.distributed.several import outputs

BORDERS = ([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW")

SCRIPT = """
import numpy as np
import msbridge
from msbridge import Tensor, distributed, mint, ops
from msbridge.ops import operations as P
from msbridge.ops.framework.collectives import virtual as V

distributed.init()
rank = distributed.get_rank()
other = 1 - rank
f32 = msbridge.float32
tensor = lambda *values: Tensor(np.array(values, np.float32))
own = tensor(1, 2) + 10 * rank
weights = lambda n: Tensor(np.arange(1, n + 1, dtype=np.float32) * (rank + 1))

def says(value, *expected):
    "The value of this process, and the gradient of a sum weighted by 1 2 3 ... times the rank plus one."
    got, wanted = value.asnumpy(), np.array(expected[rank], np.float32)
    assert got.shape == wanted.shape and np.allclose(got, wanted), (got, wanted)

def both(op, x, values, grads):
    says(op(x), *values)
    says(ops.grad(lambda x: (op(x).reshape(-1) * weights(op_size)).sum())(x), *grads)

op_size = 2
both(P.AllReduce(), own, ([12, 14], [12, 14]), ([3, 6], [3, 6]))
both(P.AllReduce("max"), own, ([11, 12], [11, 12]), ([0, 0], [3, 6]))
both(P.AllReduce("min"), own, ([1, 2], [1, 2]), ([3, 6], [0, 0]))
both(P.AllReduce("prod"), own, ([11, 24], [11, 24]), ([33, 72], [3, 12]))
both(lambda x: P.Broadcast(1)((x,))[0], own, ([11, 12], [11, 12]), ([1, 2], [2, 4]))
both(lambda x: P.Send(3, 1)(x) if rank == 0 else P.Receive(3, 0, [2], f32)(x), own, ([1, 2], [1, 2]), ([2, 4], [0, 0]))
both(P.AlltoAll(2, 0, 0), own, ([1, 11], [2, 12]), ([1, 2], [2, 4]))
there, here = (([11, 12], [1, 2]), ([2, 4], [1, 2])), (([1, 2], [11, 12]), ([1, 2], [2, 4]))
both(lambda x: P.NeighborExchange([other], [other], ([2],), ([2],), f32)((x,))[0], own, *there)
both(lambda x: P.NeighborExchange([rank], [rank], ([2],), ([2],), f32)((x,))[0], own, *here)
both(lambda x: P.BatchISendIRecv(["isend", "irecv"], [other, other], [[2]], [f32])([x])[1], own, *there)
op_size = 4
both(P.AllGather(), own, ([1, 2, 11, 12],) * 2, ([3, 6], [9, 12]))
op_size = 1
both(P.ReduceScatter(), own, ([12], [14]), ([1, 2], [1, 2]))
both(P.CollectiveScatter(1), own, ([11], [12]), ([0, 0], [1, 2]))
op_size = 2 if rank == 0 else 1
both(P.Reduce(0), own, ([12, 14], [0]), ([1, 2], [1, 2]))
op_size = 4 if rank == 1 else 1
both(P.CollectiveGather(1), own, ([0], [1, 2, 11, 12]), ([2, 4], [6, 8]))

sent, came = ([1, 2], [1, 0]) if rank == 0 else ([0, 1], [2, 1])
op_size = sum(came)
uneven = tensor(1, 2, 3) if rank == 0 else tensor(4)
both(lambda x: P.AlltoAllV()(x, sent, came), uneven, ([1], [2, 3, 4]), ([1, 2, 4], [6]))
both(lambda x: P.AlltoAllVC()(x, [1, 2, 0, 1]), uneven, ([1], [2, 3, 4]), ([1, 2, 4], [6]))
assert P.AlltoAllV()(own, [2, 0], Tensor([2, 2]) if rank == 0 else [0, 0]).shape == ((4,), ())[rank]
op_size = 4
both(lambda x: P.AllGatherV()(x, (3, 1)), uneven, ([1, 2, 3, 4],) * 2, ([3, 6, 9], [12]))
op_size = (3, 1)[rank]
both(lambda x: P.ReduceScatterV()(x, [3, 1]), tensor(1, 2, 3, 4), ([2, 4, 6], [8]), ([1, 2, 3, 2],) * 2)
try:
    ops.grad(lambda x: P.ReduceScatter("max")(x).sum())(own)
except RuntimeError as error:
    assert "gradient" in str(error)
rows = V._AllSwap()(tensor([1], [2]) + 10 * rank, Tensor([1, 1]), Tensor([1, 1]))
says(rows, [[1], [11]], [[2], [12]])

# two halves of an image, one above the other: each gets one row of the other one
image = (tensor(1, 2, 3, 4) + 10 * rank).reshape((1, 1, 2, 2))
to = [-1] * 8
to[4 if rank == 0 else 0] = other
lens = [0, 1, 0, 0] if rank == 0 else [1, 0, 0, 0]
op_size = 6
both(
    lambda x: P.NeighborExchangeV2(to, lens, to, lens, "NCHW")(x), image,
    ([[[[1, 2], [3, 4], [11, 12]]]], [[[[3, 4], [11, 12], [13, 14]]]]),
    ([[[[1, 2], [3 + 2, 4 + 4]]]], [[[[6 + 5, 8 + 6], [10, 12]]]]),
)
# only the upper one gets something; the gradient goes back
lens_sent, lens_came = ([0, 0, 0, 0], [0, 1, 0, 0]) if rank == 0 else ([1, 0, 0, 0], [0, 0, 0, 0])
op_size = (6, 4)[rank]
both(
    lambda x: P.NeighborExchangeV2(to, lens_sent, to, lens_came, "NCHW")(x), image,
    ([[[[1, 2], [3, 4], [11, 12]]]], [[[[11, 12], [13, 14]]]]),
    ([[[[1, 2], [3, 4]]]], [[[[2 + 5, 4 + 6], [6, 8]]]]),
)

op_size = 2
world = distributed.GlobalComm.WORLD_COMM_GROUP
both(V._MirrorOperator(world, 2, True), own, ([1, 2], [11, 12]), ([1.5, 3], [1.5, 3]))
sums = tensor(10, 10)
both(lambda x: V._MirrorMiniStepOperator(world, 2, False)(x, sums), own, ([1, 2], [11, 12]), ([23, 26], [23, 26]))
sums = tensor(10, 10) + rank
both(lambda x: V._MirrorMicroStepOperator(world, 2, True)(x, sums), own, ([1, 2], [11, 12]), ([1, 1], [1, 1]))
says(sums, [10.5, 10.5], [10.5, 10.5])
op_size = 4
sums = tensor(1, 1, 1, 1)
both(lambda x: V._MiniStepAllGather(world, 1, True)(x, sums), own, ([1, 2, 11, 12],) * 2, ([2.5, 4], [5.5, 7]))
sums = tensor(1, 2, 3, 4) + rank
both(lambda x: V._MicroStepAllGather(world, False)(x, sums), own, ([1, 2, 11, 12],) * 2, ([3, 5], [7, 9]))
says(V._GetTensorSlice()(tensor([1, 2], [3, 4]), (2,), (-1, 0)), [[1], [3]], [[2], [4]])

x2 = tensor([1, 0, 2], [0, 1, 1]) * (1 + rank)
op_size = 6
both(
    lambda x: ops.all_gather_matmul(x.reshape((1, 2)), x2, world, 2)[0], own,
    ([[1, 2, 4], [11, 12, 34]], [[2, 4, 8], [22, 24, 68]]), ([7 + 4 * 7, 5 + 4 * 5], [16 + 4 * 16, 11 + 4 * 11]),
)
op_size = 3
both(
    lambda x: ops.matmul_reduce_scatter(x.reshape((2, 1)), x2[:1], world, 2), own,
    ([[23, 0, 46]], [[26, 0, 52]]), ([7, 14], [14, 28]),
)
assert ops.matmul_reduce_scatter(tensor([1, 2], [3, 4]), x2.T, world, 2, trans_x2=True).shape == (1, 3)

from msbridge.ops.framework.collectives import generated as G

def filled(outcome, *expected):
    "What a primitive that writes in place left, and its handle."
    got, handle = outcome
    handle.wait()
    got = [one.asnumpy().tolist() for one in got] if isinstance(got, tuple) else got.asnumpy().tolist()
    assert got == expected[rank], (got, expected[rank])

again = lambda: tensor(1, 2) + 10 * rank
two = lambda: [tensor(0, 0), tensor(0, 0)]
op_size = 2
both(lambda x: G.inner_comm_all_reduce_op(x, "sum", world)[0], own, ([12, 14], [12, 14]), ([3, 6], [3, 6]))
filled(G.inner_comm_all_gather_op(own, 2, group=world, async_op=False), *[[1, 2, 11, 12]] * 2)
filled(G.inner_comm_reduce_scatter_op(own, 2, "sum", world), [12], [14])
filled(G.inner_comm_all_to_all_v_op(own, world, [1, 1], [1, 1], 2, False), [1, 11], [2, 12])
_, sending = G.inner_comm_isend_op(own, other, world, 0)
filled(G.inner_comm_irecv_op(0, other, (2,), world, f32), [11, 12], [1, 2])
sending.wait()
_, sending = G.dist_comm_isend_op(own, other, world, 1)
filled(G.dist_comm_irecv_op(again(), 1, other, world), [11, 12], [1, 2])
sending.wait()
filled(G.dist_comm_all_reduce_op(again(), "max", world), [11, 12], [11, 12])
filled(G.dist_comm_reduce_op(again(), "sum", 1, world), [1, 2], [12, 14])
filled(G.dist_comm_broadcast_op(again(), 1, rank, world), [11, 12], [11, 12])
filled(G.dist_comm_all_gather_into_tensor_op(tensor(0, 0, 0, 0), own, 2, world), *[[1, 2, 11, 12]] * 2)
uneven = G.dist_comm_all_gather_into_tensor_uneven_op(tensor(0, 0, 0), own[: rank + 1], [1, 2], 2, world)
filled(uneven, *[[1, 11, 12]] * 2)
filled(G.dist_comm_all_gather_op(two(), own, 2, world), *[[[1, 2], [11, 12]]] * 2)
filled(G.dist_comm_reduce_scatter_tensor_op(tensor(0), own, 2, "sum", world), [12], [14])
part = tensor(0, 0) if rank else tensor()
for wrong in ((5, own), (own, 5), (None, own), ([own], own)):
    for call in (
        lambda: G.dist_comm_all_gather_into_tensor_uneven_op(*wrong, [2, 2], 2, world),
        lambda: G.dist_comm_reduce_scatter_tensor_uneven_op(*wrong, [1, 1], 2, "sum", world),
        lambda: mint.distributed.all_gather_into_tensor_uneven(*wrong, [1, 1]),
        lambda: mint.distributed.reduce_scatter_tensor_uneven(*wrong, [1, 1]),
    ):
        try:
            call()
        except TypeError:
            continue
        raise AssertionError(wrong)
filled(G.dist_comm_reduce_scatter_tensor_uneven_op(part, own, [0, 2], 2, "sum", world), [], [12, 14])
filled(G.dist_comm_reduce_scatter_op(tensor(0, 0), [own, own * 2], 2, "sum", world), [12, 14], [24, 28])
filled(G.dist_comm_gather_into_tensor_op(tensor(0, 0, 0, 0), own, 2, 1, rank, world), [0, 0, 0, 0], [1, 2, 11, 12])
filled(G.dist_comm_gather_op(own, two(), 2, 0, rank, world), [[1, 2], [11, 12]], [[0, 0], [0, 0]])
filled(G.dist_comm_scatter_tensor_op(tensor(0), own, 2, 1, rank, world), [11], [12])
filled(G.dist_comm_scatter_op(tensor(0, 0), [own, own * 2], 2, 0, rank, world), [1, 2], [2, 4])
filled(G.dist_comm_all_to_all_v_op([tensor(0), tensor(0)], own, world, [1, 1], [1, 1], 2), [[1], [11]], [[2], [12]])
filled(G.dist_comm_all_to_all_v_single_op(tensor(0, 0), own, world, [1, 1], [1, 1], 2, False), [1, 11], [2, 12])
filled(G.dist_comm_all_to_all_v_c_op(tensor(0, 0), own, world, [1, 1, 1, 1], 2, rank), [1, 11], [2, 12])
filled(G.dist_comm_batch_isend_irecv_op([own, tensor(0, 0)], world, [0, 1], [other, other]), *(
    [[1, 2], [11, 12]], [[11, 12], [1, 2]]
))
assert G.dist_comm_barrier_op(world)[0] is None
P.Barrier()()
distributed.release()
print("done")
"""


@pytest.mark.process
def test_values_and_gradients_of_two_processes():
    assert outputs(SCRIPT, 2) == ["done\n"] * 2


ALONE = [
    (P.AllReduce(), [1, 2]),
    (P.AllGather(), [1, 2]),
    (P.ReduceScatter(), [1, 2]),
    (P.AlltoAll(1, 0, 0), [1, 2]),
    (P.Reduce(0), [1, 2]),
    (P.CollectiveGather(0), [1, 2]),
    (P.CollectiveScatter(), [1, 2]),
    (lambda x: P.Broadcast(0)((x,))[0], [1, 2]),
    (lambda x: P.AlltoAllV()(x, [2], [2]), [1, 2]),
    (lambda x: P.AlltoAllVC()(x, [2]), [1, 2]),
    (lambda x: P.AllGatherV()(x, [2]), [1, 2]),
    (lambda x: P.ReduceScatterV()(x, [2]), [1, 2]),
    (lambda x: P.NeighborExchange([0], [0], ([2],), ([2],), msbridge.float32)([x])[0], [1, 2]),
    (lambda x: P.NeighborExchangeV2(*BORDERS)(x.reshape((1, 1, 1, 2))).reshape(-1), [1, 2]),
    (lambda x: P.BatchISendIRecv(["isend", "irecv"], [0, 0], [[2]], [msbridge.float32])([x])[1], [1, 2]),
    (virtual._VirtualOutput(), [1, 2]),
    (virtual._VirtualPipelineEnd(), [1, 2]),
    (lambda x: virtual._VirtualDataset()(x)[0], [1, 2]),
    (virtual._VirtualDiv(2.0), [0.5, 1]),
    (lambda x: virtual._VirtualAdd()(x, Tensor([5.0, 6.0])), [6, 8]),
    (lambda x: virtual._VirtualAccuGrad()(x, Tensor([5.0, 6.0])), [5, 6]),
    (lambda x: virtual._VirtualAssignAdd()(x, Tensor([5.0, 6.0])), [0, 0]),
]


@pytest.mark.parametrize(("op", "grads"), ALONE, ids=range(len(ALONE)))
def test_a_process_alone_has_the_tensor_itself(op, grads):
    x = Tensor(np.array([3.0, 4.0], np.float32))
    assert op(x).asnumpy().tolist() == [3, 4]
    weighted = ops.grad(lambda x: (op(x) * Tensor([1.0, 2.0])).sum())(x)
    assert weighted.asnumpy().tolist() == grads


def test_sums_are_written_in_the_backward_pass():
    sums = Tensor([5.0, 6.0])
    ops.grad(lambda x: virtual._VirtualAssignAdd()(x, sums).sum())(Tensor([1.0, 2.0]))
    assert sums.asnumpy().tolist() == [6, 7]
    for chunk, kept in ((1, [7, 8]), (0, [0, 0])):
        grad = ops.grad(lambda x, at=chunk: virtual._VirtualAssignKvCache()(x, sums, Tensor(at)).sum())(
            Tensor([1.0, 2.0])
        )
        assert sums.asnumpy().tolist() == kept
        assert grad.asnumpy().tolist() == ([7, 8] if chunk else [8, 9])


def test_the_gradient_of_a_reduction_has_a_gradient():
    second = ops.grad(lambda x: ops.grad(lambda y: P.AllReduce()(y * y * y).sum())(x).sum())(Tensor([2.0]))
    assert second.asnumpy().tolist() == [12]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: P.AlltoAll(2, 0, 0)(x), ValueError),
        (lambda x: P.AlltoAllV()(x, [1], [2]), ValueError),
        (lambda x: P.AllGatherV()(x, [1, 1]), ValueError),
        (lambda x: P.AlltoAllVC()(x, [1, 1]), ValueError),
        (lambda x: P.Broadcast(1)((x,)), ValueError),
        (lambda x: P.Reduce(1)(x), ValueError),
        (lambda x: ops.all_gather_matmul(x, x, "hccl_world_group", 1), RuntimeError),
        (lambda x: ops.all_gather_matmul(x, x, "hccl_world_group", 2), RuntimeError),
        (lambda x: ops.matmul_reduce_scatter(x, x, "hccl_world_group", 1, reduce_op="max"), RuntimeError),
        (lambda x: P.Send(0, 0)(x), RuntimeError),
        (lambda x: P.Receive(0, 0, [2], msbridge.float32)(), RuntimeError),
        (lambda x: P.NeighborExchange([0], [0], ([2],), ([3],), msbridge.float32)([x]), ValueError),
        (lambda x: P.BatchISendIRecv(["isend"], [0])([]), RuntimeError),
        (lambda x: virtual._HostAllGather((0, 1))(x), NotImplementedError),
        (lambda x: virtual._HostReduceScatter("sum", (0, 1))(x), NotImplementedError),
        (lambda x: virtual._GetTensorSlice()(x, [1], (0,)), TypeError),
    ],
)
def test_what_does_not_fit_is_refused(call, error):
    with pytest.raises(error):
        call(Tensor([1.0, 2.0]))
