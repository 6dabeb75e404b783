"""Operators that take or put elements by index, and that sort."""

from tests.oracle.case import Case, arange, distinct, each, rand, values

EXACT = True

CASES = [
    *each(
        """
        ops.gather(x, Tensor([0, 2]), 0)
        ops.gather(x, Tensor([1, 0, 1]), 1)
        ops.gather(x, Tensor([[0, 1], [2, 0]]), 0)
        ops.gather(x, Tensor(1), 0)
        ops.Gather()(x, Tensor([0, 2]), 0)
        ops.gather_nd(x, Tensor([[0, 1], [2, 3]]))
        ops.gather_nd(x, Tensor([[0], [2]]))
        ops.GatherNd()(x, Tensor([[0, 0], [1, 1]]))
        ops.gather_d(x, 1, Tensor([[0, 1], [2, 3], [0, 0]]))
        ops.gather_elements(x, 0, Tensor([[0, 1, 2, 0]]))
        ops.GatherD()(x, 1, Tensor([[0], [1], [2]]))
        x.gather(Tensor([0, 2]), 1)
        x.gather_elements(1, Tensor([[0], [1], [2]]))
        x.gather_nd(Tensor([[0, 1]]))
        x.take(Tensor([0, 5]))
        x.take(Tensor([0, 1]), axis=1)
        ops.index_select(x, 1, Tensor([0, 2]))
        x.index_select(0, Tensor([2, 0]))
        ops.tensor_scatter_update(x, Tensor([[0, 0], [1, 2]]), Tensor([10.0, 20.0]))
        ops.TensorScatterUpdate()(x, Tensor([[0, 0], [1, 2]]), Tensor([10.0, 20.0]))
        ops.tensor_scatter_add(x, Tensor([[0, 0], [0, 0]]), Tensor([10.0, 20.0]))
        ops.TensorScatterAdd()(x, Tensor([[0, 0], [1, 1]]), Tensor([10.0, 20.0]))
        ops.tensor_scatter_sub(x, Tensor([[0, 0]]), Tensor([10.0]))
        ops.tensor_scatter_mul(x, Tensor([[1, 1]]), Tensor([10.0]))
        ops.tensor_scatter_max(x, Tensor([[0, 0], [0, 1]]), Tensor([10.0, -1.0]))
        ops.tensor_scatter_min(x, Tensor([[0, 0], [0, 1]]), Tensor([10.0, -1.0]))
        ops.tensor_scatter_elements(x, Tensor([[0, 1, 2, 0]]), Tensor([[9.0, 8.0, 7.0, 6.0]]), 0)
        ops.scatter_nd(Tensor([[0], [2]]), x[:2], (4, 4))
        ops.ScatterNd()(Tensor([[1], [1]]), x[:2], (3, 4))
        ops.scatter(x, 1, Tensor([[0], [1], [2]]), Tensor([[9.0], [8.0], [7.0]]))
        x.scatter(1, Tensor([[0], [1], [2]]), Tensor([[9.0], [8.0], [7.0]]))
        ops.index_fill(x, 1, Tensor([0, 2], ms.int32), -1.0)
        ops.select(x > 5, x, x * 0)
        ops.masked_select(x, x > 3)
        ops.topk(x, 2)
        ops.topk(x, 1, 0)
        ops.topk(x, 2, largest=False)
        ops.TopK(sorted=True)(x, 2)
        x.topk(2)
        ops.sort(x)
        ops.sort(x, 0)
        ops.sort(x, -1, True)
        ops.Sort(axis=-1, descending=True)(x)
        x.sort()
        x.sort(axis=0, descending=True)
        ops.argsort(x)
        ops.argsort(x, 0, True)
        x.argsort()
        ops.sort(x)[1].dtype, ops.topk(x, 2)[1].dtype, ops.argsort(x).dtype
        ops.unsorted_segment_sum(x, Tensor([0, 1, 0], ms.int32), 2)
        ops.UnsortedSegmentSum()(x, Tensor([0, 1, 0], ms.int32), 3)
        ops.unsorted_segment_max(x, Tensor([0, 1, 0], ms.int32), 2)
        ops.unsorted_segment_min(x, Tensor([0, 1, 0], ms.int32), 2)
        ops.unsorted_segment_prod(x, Tensor([0, 1, 0], ms.int32), 2)
        ops.diff(x)
        x.diff()
    """,
        x=distinct(3, 4),
        grad=True,
    ),
    *each(
        """
        ops.topk(x, 2)
        ops.topk(x, 5)
        ops.topk(x, 4, largest=False)
        ops.sort(x)
        ops.argsort(x)
        ops.unique(x)
        x.unique_consecutive()
        ops.unique_consecutive(x, return_inverse=True, return_counts=True)
        ops.bincount(x)
        ops.bincount(x, weights=x)
        ops.histc(x.astype(ms.float32), 3)
        ops.searchsorted(ops.sort(x.astype(ms.float32))[0], Tensor([1.0, 2.5]))
        ops.nonzero(x)
        ops.gather(x, Tensor([0, 1]), 0)
        ops.one_hot(x, 4, Tensor(1.0), Tensor(0.0))
        ops.OneHot()(x, 4, Tensor(1.0), Tensor(0.0))
        ops.OneHot(axis=0)(x, 4, Tensor(1.0), Tensor(0.0))
        nn.OneHot(depth=4)(x)
        ops.count_nonzero(x)
        ops.sequence_mask(x, 5)
        ops.argmax(ops.one_hot(x, 4, Tensor(1.0), Tensor(0.0)), 1)
    """,
        x=values(2, 0, 2, 1, 3, 1, dtype="int32"),
    ),
    Case("ops.sort(x)", x=values(1, 3, 2, 3, 1)),
    Case("ops.gather(x, Tensor([-1]), 0)", x=arange(3, 2)),
    Case("ops.sort(x)", x=values(1.0, float("-inf"), -1.0, float("inf"))),
    # assignment to parameters by index
    *each(
        """
        ops.scatter_update(Parameter(x, name='p'), Tensor([0, 2]), x[:2] * 0)
        ops.ScatterUpdate()(Parameter(x, name='p'), Tensor([0, 2]), x[:2] * 0)
        ops.scatter_add(Parameter(x, name='p'), Tensor([0, 2]), x[:2])
        ops.ScatterAdd()(Parameter(x, name='p'), Tensor([0, 0]), x[:2])
        ops.scatter_nd_update(Parameter(x, name='p'), Tensor([[0, 0], [1, 1]]), Tensor([9.0, 8.0]))
        ops.ScatterNdUpdate()(Parameter(x, name='p'), Tensor([[0, 0], [1, 1]]), Tensor([9.0, 8.0]))
        ops.scatter_nd_add(Parameter(x, name='p'), Tensor([[0, 0], [0, 0]]), Tensor([9.0, 8.0]))
        ops.index_add(Parameter(x, name='p'), Tensor([0, 2], ms.int32), x[:2], 0)
        ops.assign(Parameter(x, name='p'), x * 2)
        ops.assign_add(Parameter(x, name='p'), x)
        ops.assign_sub(Parameter(x, name='p'), x)
        ops.Assign()(Parameter(x, name='p'), x * 3)
        ops.AssignAdd()(Parameter(x, name='p'), x)
        ops.AssignSub()(Parameter(x, name='p'), x)
    """,
        x=arange(3, 4),
    ),
    Case("ops.gather(x, Tensor([5]), 0)", x=arange(3), raises=(RuntimeError, IndexError)),
    Case("ops.gather(x, Tensor([0]), 3)", x=arange(3), raises=ValueError, says="axis"),
    Case("ops.topk(x, 5)", x=arange(3), raises=ValueError, says="k"),
    Case("ops.gather(x, Tensor([0.5]), 0)", x=arange(3), raises=TypeError),
    Case("ops.flatten(x)[Tensor([0, 1])]", x=rand(2, 2)),
]
