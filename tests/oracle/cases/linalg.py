"""Products and decompositions of matrices."""

from tests.oracle.case import Case, each, ints, rand, values

CASES = [
    *each(
        """
        ops.matmul(a, b)
        ops.mm(a, b)
        a @ b
        a.matmul(b)
        ops.MatMul()(a, b)
        ops.MatMul(transpose_a=True)(a.T, b)
        ops.MatMul(transpose_b=True)(a, b.T)
        ops.MatMul(True, True)(a.T, b.T)
        ops.matmul(a, b[:, 0])
        ops.matmul(a[0], b)
        ops.matmul(a[0], b[:, 0])
        ops.dot(a, b)
        a.dot(b)
        ops.tensor_dot(a, b, 1)
        ops.tensor_dot(a, b, ((0, 1), (1, 0)))
        ops.addmm(a @ b, a, b)
        ops.addmm(a @ b, a, b, beta=2, alpha=0.5)
        ops.addmm(a @ b, a.astype(ms.float16), b.astype(ms.float16)), ops.addmm((a @ b).astype(ms.float16), a, b)
        ops.addmv((a @ b)[:, 0], a.astype(ms.float16), b[:, 0].astype(ms.float16))
        ops.addbmm(a @ b, a[None].astype(ms.float16), b[None].astype(ms.float16))
        ops.mv(a, b[:, 0])
        ops.addmv(a[:, 0], a, b[:, 0])
        ops.outer(a[0], b[:, 0])
        ops.ger(a[0], b[:, 0])
        ops.addr(a @ b, a[:, 0], b[0])
        ops.kron(a, b)
        ops.kron(a, a.T)
        ops.inner(a, b.T)
        ops.dense(a, b.T)
        ops.bias_add(a, b[:, 0])
        ops.BiasAdd()(a, b[:, 0])
        ops.trace(a @ b)
        ops.norm(a @ b)
        mint.matmul(a, b)
    """,
        a=rand(2, 3),
        b=rand(3, 2),
        grad=True,
    ),
    *each(
        """
        ops.matmul(a, b)
        ops.bmm(a, b)
        a @ b
        a.bmm(b)
        ops.BatchMatMul()(a, b)
        ops.BatchMatMul(transpose_b=True)(a, b.swapaxes(1, 2))
        ops.BatchMatMul(transpose_a=True)(a.swapaxes(1, 2), b)
        ops.matmul(a, b[0])
        ops.matmul(a[0], b)
        ops.matmul(a[:, None], b)
        ops.baddbmm(a @ b, a, b)
        ops.addbmm(a[0] @ b[0], a, b)
        ops.batch_dot(a, b)
    """,
        a=rand(2, 3, 4),
        b=rand(2, 4, 3),
        grad=True,
    ),
    *each(
        """
        ops.matmul(a, a)
        ops.mm(a, a)
        ops.MatMul()(a, a)
        ops.matrix_power(a, 3)
    """,
        a=ints(3, 3),
    ),
    *each(
        """
        ops.inverse(a)
        a.inverse()
        ops.MatrixInverse()(a)
        ops.det(a)
        ops.slogdet(a)
        ops.logdet(a @ a.T)
        ops.cholesky(a @ a.T)
        ops.matrix_power(a, 2)
        ops.cholesky_inverse(ops.cholesky(a @ a.T))
        ops.eigvals(a).dtype
        ops.cov(a)
        ops.trace(a)
        ops.diagonal(a)
        ops.svd(a, compute_uv=False)
        ops.Svd(compute_uv=False)(a)
        ops.geqrf(a)[0].shape
        ops.qr(a)[1].abs()
        ops.pinv(a)
    """,
        a=values([2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.0, 0.5, 1.5]),
        tolerance=1e-4,
    ),  # decompositions lose digits
    Case("ops.matmul(a, b)", a=rand(2, 3, dtype="float16"), b=rand(3, 2, dtype="float16")),
    Case("ops.matmul(a, b)", a=rand(2, 3, dtype="float64"), b=rand(3, 2, dtype="float64")),
    Case("ops.cross(a, b)", a=rand(2, 3), b=rand(2, 3)),
    Case("ops.matmul(a, b)", a=rand(0, 3), b=rand(3, 2)),
    Case("ops.matmul(a, b)", a=rand(2, 3), b=rand(2, 3), raises=RuntimeError),
    Case("ops.MatMul()(a, b)", a=rand(2, 3), b=rand(2, 3), raises=ValueError),
    Case("ops.matmul(a, b)", a=rand(2, 3), b=rand(3, 2, dtype="float16"), raises=TypeError),
    Case("ops.MatMul()(a, b)", a=rand(2, 3), b=rand(3, 2, dtype="float16"), raises=TypeError),
    Case("ops.MatMul()(a, b)", a=rand(2), b=rand(3, 2), raises=ValueError),
    Case("ops.BatchMatMul()(a, b)", a=rand(2, 2, 3), b=rand(2, 2, 3), raises=ValueError),
]

CASES += [
    Case("ops.vecdot(a, b)", a=rand(2, 3), b=rand(2, 3, dtype="float16"), tolerance=1e-2),
    Case("ops.vecdot(a, b)", a=rand(2, 3), b=rand(2, 3, dtype="float64")),
]
