"""Sparse tensors: made, converted, combined, and differentiated through their values.

The kernels of CSR are compiled on the fly there, which takes the package `decorator` beside MindSpore.
"""

from mindspore import COOTensor, CSRTensor, RowTensor, SparseTensor, Tensor, nn

from tests.oracle.case import Case, each, rand, words

AT = Tensor([[0, 1], [1, 2], [1, 0]])
AT32 = AT.astype("int32")
SORTED = Tensor([[0, 1], [1, 0], [1, 2]])
OTHER = Tensor([[0, 1], [0, 2], [1, 0]])
TWICE = Tensor([[2, 1], [0, 0], [2, 1], [0, 3], [2, 0]])
STARTS = Tensor([0, 1, 3, 3]).astype("int32")
COLUMNS = Tensor([1, 0, 2]).astype("int32")
STARTS_B = Tensor([0, 2, 2, 3]).astype("int32")
COLUMNS_B = Tensor([0, 1, 3]).astype("int32")
SHAPE = (3, 4)
ROWS = Tensor([0, 2])


def parts(value: object) -> object:
    """Write sparse tensors as tuples of what they hold."""
    if isinstance(value, COOTensor | SparseTensor):
        return "coo", value.indices, value.values, value.shape
    if isinstance(value, CSRTensor):
        return "csr", value.indptr, value.indices, value.values, value.shape
    if isinstance(value, RowTensor):
        return "rows", value.indices, value.values, value.dense_shape
    return tuple(map(parts, value)) if isinstance(value, tuple) else value


def coo(values: Tensor, at: Tensor = AT32) -> COOTensor:
    return COOTensor(at, values, SHAPE)


def csr(values: Tensor) -> CSRTensor:
    return CSRTensor(STARTS, COLUMNS, values, SHAPE)


def facts(value: object) -> tuple:
    return value.shape, value.dtype, value.size, value.itemsize, value.ndim, isinstance(value, Tensor)


class Doubled(nn.Cell):
    def construct(self, x: object) -> Tensor:
        return x.to_dense() * 2


UNARY = words(
    "abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log log1p neg relu "
    "relu6 round sigmoid sin sinh softsign sqrt square tan tanh"
)

CASES = [
    *each(
        """
        parts(coo(v))
        parts(csr(v))
        facts(coo(v)) + facts(csr(v).astype(ms.float16))
        parts(COOTensor(coo_tensor=coo(v))), parts(CSRTensor(csr_tensor=csr(v)))
        repr(coo(v)), str(coo(v))
        repr(csr(v)), str(csr(v))
        parts(coo(v).to_tuple() + csr(v).to_tuple())
        parts(coo(v).astype(ms.float64)), parts(csr(v).astype("int32"))
        parts(SparseTensor(AT32, v, SHAPE)), repr(SparseTensor(AT32, v, SHAPE))
        parts(ops.coo_tensor_get_indices(coo(v))), ops.coo_tensor_get_dense_shape(coo(v))
        ops.csr_tensor_get_indptr(csr(v)), ops.csr_tensor_get_indices(csr(v)), ops.csr_tensor_get_dense_shape(csr(v))
        coo(v) == coo(v), bool(coo(v)), isinstance(SparseTensor(AT32, v, SHAPE), COOTensor)
        nn.SparseToDense()(SparseTensor(AT32, v, SHAPE))
        parts(coo(v, SORTED).add(coo(v * 2, OTHER), Tensor(0.5)))
        parts(coo(v, SORTED) + coo(v.astype(ms.float64), OTHER))
        parts(coo(v.astype(ms.int32), SORTED) - coo(v.astype(ms.int32), OTHER))
        parts(ops.coo_add(coo(Tensor([1.0, 2.0, 3.0]), SORTED), coo(Tensor([1.0, -5.0, -6.0]), OTHER), Tensor(3.0)))
        parts(ops.coo_add(coo(Tensor([1.0, 2.0, 3.0]), SORTED), coo(Tensor([1.0, -5.0, -6.0]), OTHER), Tensor(2.0)))
        parts(csr(v) + csr(v.astype(ms.float64)))
        ops.csr_mul(csr(v), True), csr(v) * 2, csr(v) / 2, csr(v) * Tensor([[2.0]])
        ops.csr_to_coo(csr(v)).indices.dtype, csr(v).to_coo().indices.dtype, coo(v).to_csr().indptr.dtype
        """,
        v=rand(3),
    ),
    *each(
        """
        coo(v).to_dense()
        parts(coo(v).to_csr())[3]
        coo(v).abs().values
        (-coo(v)).values
        parts(coo(v, SORTED) + coo(v * 2, OTHER))[2]
        (coo(v, SORTED) - coo(v * 2, OTHER)).to_dense()
        csr(v).to_dense()
        csr(v).to_coo().values
        csr(v).abs().values
        (-csr(v)).values
        csr(v).sum(1)
        csr(v).sum(-1)
        ops.csr_reduce_sum(csr(v), 1)
        ops.csr_to_coo(csr(v)).values
        ops.csr_to_dense(csr(v))
        Doubled()(coo(v))
        Doubled()(csr(v))
        nn.SparseToDense()(coo(v))
        ops.coo_tensor_get_values(coo(v))
        ops.csr_tensor_get_values(csr(v))
        """,
        v=rand(3),
        grad=True,
    ),
    *each(
        """
        coo(v) + d
        coo(v) - d
        d + coo(v)
        d - coo(v)
        (coo(v) * d).values
        (d * coo(v)).values
        (csr(v) * d).values
        (d * csr(v)).values
        ops.csr_mul(csr(v), d[:, 1:2]).values
        csr(v).mv(d[0].reshape(4, 1))
        ops.csr_mv(csr(v), d[0].reshape(4, 1))
        nn.SparseTensorDenseMatmul()(AT32, v, SHAPE, d.reshape(4, 3))
        nn.SparseTensorDenseMatmul(adjoint_st=True)(AT32, v, SHAPE, d)
        nn.SparseTensorDenseMatmul(adjoint_dt=True)(AT32, v, SHAPE, d)
        ops.SparseTensorDenseMatmul()(AT, v, Tensor([3, 4]), d.reshape(4, 3))
        """,
        v=rand(3),
        d=rand(3, 4),
        grad=True,
    ),
    *each(
        """
        (coo(v) / d).values
        (csr(v) / d).values
        ops.csr_div(csr(v), d).values
        """,
        v=rand(3),
        d=rand(3, 4, low=0.5),
        grad=True,
    ),
    *each(
        """
        csr(v).mm(d.reshape(4, 3))
        ops.csr_mul(csr(v), d[:1]).values
        ops.csr_mul(csr(v), d[1]).values
        ops.csr_gather(STARTS, COLUMNS, d, SHAPE)
        ops.csr_gather(STARTS, COLUMNS, d[:, :3], (3, 3))
        parts(d.to_coo())
        parts(d.to_csr())
        parts(ops.dense_to_sparse_coo(ops.relu(d)))
        parts(ops.dense_to_sparse_csr(ops.relu(d)))
        parts(ops.dense_to_sparse_coo((d * 2).astype(ms.int32)))
        ops.SparseTensorDenseAdd()(AT, v, Tensor([3, 4]), d)
        parts(CSRTensor(STARTS, COLUMNS, d[:, :2], (3, 4, 2)) * Tensor(np.full((3, 4, 2), 3.0, np.float32)))
        CSRTensor(STARTS, COLUMNS, d[:, :2], (3, 4, 2)).sum(1)
        """,
        v=rand(3),
        d=rand(3, 4),
    ),
    *each(
        """
        d.to_coo().values
        d.to_csr().values
        """,
        d=rand(3, 4),
        grad=True,
    ),
    *each(
        """
        ms.grad(lambda c: c.to_dense().sum())(coo(v))
        ms.grad(lambda c: (c * d).values.sum())(coo(v))
        ops.GradOperation()(lambda c: c.to_dense().sum())(csr(v))
        ms.grad(lambda c: COOTensor(AT32, c, SHAPE))(v)
        ms.value_and_grad(lambda c: coo(c * c).to_dense().sum())(v)
        parts(csr(v).add(csr(v * v), Tensor(1.0), Tensor(2.0)))
        parts(csr(v) + CSRTensor(STARTS_B, COLUMNS_B, v, SHAPE))
        parts(csr(v) - CSRTensor(STARTS_B, COLUMNS_B, v, SHAPE))
        parts(ops.csr_add(csr(v), CSRTensor(STARTS_B, COLUMNS_B, v, SHAPE), Tensor(1.0), Tensor(3.0)))
        parts(ops.csr_softmax(csr(v * 1), ms.float32))
        parts(ops.csr_softmax(csr(v.astype(ms.float64)), ms.float64))
        parts(ops.coo_concat((coo(v, SORTED), coo(v, OTHER))))
        parts(ops.coo_concat((coo(v, SORTED), coo(v, OTHER)), 1))
        parts(ops.coo_concat([coo(v, AT), coo(v, AT)], -1))
        ops.coalesce(Tensor([[0, 0, 1], [1, 1, 2]]), v, Tensor([3, 3]))
        ops.Coalesce()(Tensor([[0, 1, 1], [1, 1, 2]]), v, Tensor([3, 3]))
        ops.coo2csr(Tensor([0, 1, 1, 4]).astype(ms.int32), 5), ops.csr2coo(STARTS, 3)
        parts(RowTensor(ROWS, d[:2], (4, 4))), repr(RowTensor(ROWS, d[:2], (4, 4)))
        parts(RowTensor(row_tensor=RowTensor(ROWS, d[:2], (4, 4))))
        """,
        v=rand(3),
        d=rand(3, 4),
    ),
    *[
        Case(f"parts(ops.{kind}_{name}({kind}(v)))", v=rand(3, low=1.0 if name == "acosh" else 0.0, high=2.0))
        for name in UNARY
        for kind in ("coo", "csr")
        if name not in ("acos", "asin", "atanh")
    ],
    *[
        Case(f"ops.{kind}_{name}({kind}(v)).values", v=rand(3, low=-0.9, high=0.9), grad=True)
        for name in ("acos", "asin", "atanh", "cos", "sigmoid")
        for kind in ("coo", "csr")
    ],
    *each(
        """
        COOTensor(AT32, v, [3, 4])
        COOTensor([[0, 1]], v, SHAPE)
        COOTensor(AT32, [1.0], SHAPE)
        COOTensor(AT32, v)
        COOTensor(AT32, v, (3, 4.0))
        COOTensor(AT32.astype(ms.float32), v, SHAPE)
        COOTensor(AT32.astype(ms.int8), v, SHAPE)
        COOTensor(coo_tensor=1)
        COOTensor(AT32, coo_tensor=coo(v))
        CSRTensor(STARTS, COLUMNS, v, [3, 4])
        CSRTensor(1, COLUMNS, v, SHAPE)
        CSRTensor(STARTS)
        CSRTensor(STARTS, COLUMNS.astype(ms.float32), v, SHAPE)
        CSRTensor(csr_tensor=coo(v))
        SparseTensor(AT32, v, [3, 4])
        RowTensor(1, 2, 3)
        RowTensor(ROWS, v[:2], [4])
        RowTensor(row_tensor=1)
        coo(v) * coo(v)
        csr(v) + v.reshape(3, 1).broadcast_to((3, 4))
        csr(v) * csr(v)
        csr(v).mv([1, 2])
        csr(v).mm([1, 2])
        csr(v).sum("a")
        csr(v).sum(1.0)
        csr(v).add(csr(v), 1, 1)
        coo(v)[0]
        len(coo(v))
        coo(v).astype(1)
        ops.csr_to_dense(coo(v))
        ops.csr_to_coo(coo(v))
        ops.dense_to_sparse_coo(1)
        ops.dense_to_sparse_csr(1)
        ops.csr_softmax(coo(v), ms.float32)
        ops.csr_softmax(csr(v), 1)
        ops.csr_add(csr(v), 1, Tensor(1.0), Tensor(1.0))
        ops.csr_mm(csr(v), v)
        ops.coo_cos(csr(v))
        ops.csr_cos(1)
        ops.coo2csr([0, 1], 3)
        nn.SparseTensorDenseMatmul(adjoint_dt=1)
        """,
        v=rand(3),
        raises=TypeError,
    ),
    *each(
        """
        COOTensor(AT32, v, (3, 4, 5))
        COOTensor(AT32, v, (3,))
        COOTensor(AT32, v, (3, -4))
        COOTensor(AT32, v, (2, 1))
        COOTensor(AT32, v[:2], SHAPE)
        COOTensor(AT32, v.reshape(3, 1), SHAPE)
        COOTensor(AT32.reshape(-1), v, SHAPE)
        COOTensor(AT32[:, :1], v, SHAPE)
        CSRTensor(STARTS, COLUMNS, v, (3,))
        CSRTensor(STARTS, COLUMNS, v, (4, 4))
        CSRTensor(STARTS, COLUMNS, v[:2], SHAPE)
        CSRTensor(STARTS, COLUMNS, v, (3, 4, 2))
        CSRTensor(STARTS, COLUMNS, v, (3, 0))
        coo(v) + COOTensor(AT, v, (3, 5))
        csr(v) + CSRTensor(STARTS, COLUMNS, v, (3, 5))
        csr(v).mv(v.reshape(3, 1))
        csr(v).mm(v.reshape(3, 1))
        csr(v).sum(0)
        csr(v).sum(2)
        csr(v) * v[:2]
        CSRTensor(STARTS, COLUMNS, v.reshape(3, 1), (3, 4, 1)).to_coo()
        Tensor(np.zeros((2, 2, 2), np.float32)).to_coo()
        v.to_coo()
        ops.dense_to_sparse_csr(Tensor(np.zeros((2, 2, 2), np.float32)))
        ops.coo_concat((coo(v, AT),), 1)
        ops.coo2csr(COLUMNS, 3.0)
        """,
        v=rand(3),
        raises=ValueError,
    ),
    *each(
        """
        coo(v) * 2
        coo(v) + 1
        csr(v) + 1
        coo(v).foo
        """,
        v=rand(3),
        raises=AttributeError,
    ),
    Case("COOTensor(TWICE, v, SHAPE).to_dense()", v=rand(5), grad=True),
    Case("COOTensor(Tensor([[2, 7]]), v, SHAPE).to_dense()", v=rand(1), raises=RuntimeError),
    Case("ops.coo_concat((coo(v, AT), coo(v, AT)), 5)", v=rand(3), raises=RuntimeError),
]
