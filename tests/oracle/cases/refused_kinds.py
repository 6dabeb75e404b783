"""Which class is raised where several things are wrong, or MindSpore looks at something else first than torch."""

from tests.oracle.case import Case, rand


def refused(kind: type[Exception], lines: str) -> list[Case]:
    inputs = {
        "x": rand(2, 3),
        "v": rand(3),
        "m": rand(3, 3),
        "c": rand(2, 3, dtype="complex64"),
        "i": rand(3, dtype="int8"),
        "u": rand(2, 3, dtype="uint16", low=0),
    }
    return [Case(line.strip(), raises=kind, **inputs) for line in lines.strip().splitlines()]


CASES = [
    *refused(
        RuntimeError,
        """
        ops.trace(v)
        mint.trace(v)
        mint.nn.functional.glu(v)
        mint.nn.functional.glu(x[:0])
        mint.mv(v, v)
        mint.linalg.qr(v)
        mint.baddbmm(x, m, m)
        ops.rot90(v, 1, (0, 1))
        ops.approximate_equal(x, m)
        x.copy_(m)
        mint.nn.functional.conv2d(v, v)
        ops.conv_transpose2d(v, v)
        mint.argmax(x[:0], 0)
        ops.argmin(v[:0])
        v[:0].argmax()
        """,
    ),
    *refused(
        TypeError,
        """
        ops.cholesky_solve(i, i)
        ops.lstsq(i, i)
        ops.inverse(i)
        ops.dot(x.astype(ms.float64), x.astype(ms.float64))
        ops.gcd(v, x)
        ops.bitwise_xor(v, m[:2, :2])
        ops.addmv(v, m, i)
        ops.quantile(i, 0.5)
        ops.pdist(i)
        mnp.matmul(v, 3)
        """,
    ),
    *refused(
        ValueError,
        """
        mint.div(x, u[:, :2])
        ops.less(u[:, :2], x)
        x.true_divide(u[:, :2])
        ops.rfft2(v)
        ops.rfft2(c[0])
        mint.nn.functional.normalize(i)
        ops.cosine_similarity(i, i)
        mint.bmm(x, m.astype(ms.float16))
        ops.polar(v, u[0, :2])
        mint.allclose(v, c[:, :2])
        ops.softmax(i[0])
        """,
    ),
]
