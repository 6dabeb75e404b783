"""Operands that a function is seldom given: lists, one bare Tensor, complex or unsigned numbers, infinities."""

import mindspore as ms
from mindspore import Tensor
from mindspore.nn.layer.thor_layer import EmbeddingLookupThor  # noqa: F401  # the expressions name it

from tests.oracle.case import Case, each, ints, rand, values

INF = float("inf")
ENDS = Tensor([-INF, INF, 1.0, -4.0])
LOWEST = Tensor([-(2**31), 7], ms.int32)


def assigned(tensor: Tensor, index: object, value: object) -> Tensor:
    tensor = tensor.copy()
    tensor[index] = value
    return tensor


CASES = [
    *each(
        """
        x.add([1, 2, 3])
        x.add((1.5, 2, True))
        x.sub([1, 2, 3])
        x.sub([1.5, 2, 0.5])
        y.add([1.5, 2, 3])
        y.sub((1.5, 2, 3))
        x.add([Tensor(1.0), Tensor(2.0), Tensor(0.0)])
        x.subtract(x)
        """,
        x=rand(3),
        y=ints(3),
    ),
    Case("x.add([])", x=rand(3), raises=ValueError),
    Case("x.add(['a'])", x=rand(3), raises=TypeError),
    Case("x.mul([1, 2, 3])", x=rand(3), raises=TypeError),
    Case("ops.add(x, [1, 2, 3])", x=rand(3), raises=TypeError),
    Case("ops.sub(x, [1, 2, 3])", x=rand(3), raises=TypeError),
    *each(
        """
        mnp.column_stack(x)
        mnp.vstack(x)
        mnp.hstack(x)
        mnp.dstack(x)
        mnp.column_stack(x[0])
        mnp.vstack(x[0])
        mnp.dstack(x[0])
        mnp.hstack(x[0, 0])
        ops.stack(x)
        ops.clip_by_global_norm(x, 0.5)
        ops.clip_by_global_norm([x, x[0]], 0.5)
        ops.clip_by_norm(x, 0.5, Tensor(2.0))
        ops.outer(x, x[0])
        ops.outer(x[0], x)
        ops.outer(x[0, 0], x[0])
        x[0].outer(x[:, :3])
        """,
        x=rand(3, 3),
    ),
    *each(
        """
        ops.addn(x)
        ops.cat(x)
        ops.concat(x)
        ops.hstack(x)
        ops.vstack(x)
        ops.dstack(x)
        ops.column_stack(x)
        mint.stack(x)
        mint.cat(x)
        """,
        x=rand(2, 3),
        raises=TypeError,
    ),
    *each(
        """
        mnp.gcd(x, y)
        mnp.lcm(x, y)
        mnp.gcd(x.astype(ms.float64), 6)
        mnp.lcm(x.astype(ms.float16), 2)
        mnp.gcd(x.astype(ms.int32), 2.5)
        mnp.gcd(x > 5, y > 3)
        mnp.lcm(x > 5, y > 3)
        """,
        x=values(4, 6.5, -9, 12),
        y=values(6, 4, 3, 8),
    ),
    *each(
        """
        ops.bincount(x)
        ops.bincount(x, minlength=6)
        ops.bincount(x.astype(ms.float16))
        ops.bincount(x.astype(ms.int64))
        ops.bincount(x.astype(ms.int64), x)
        ops.bincount(-x.astype(ms.int32))
        x.bincount()
        """,
        x=values(-1, 2, 0.5, 2.7, 1, 2),
    ),
    *each(
        """
        ops.bucketize(x, Tensor([1.0, 3.0, 7.0]))
        ops.bucketize(x, Tensor([1.0, 3.0, 7.0]), right=True)
        ops.bucketize(x, [1.0, 3.0, 7.0])
        """,
        x=values(3, 6, 9, 0),
    ),
    *each(
        """
        ops.rfft(x[0], 3)
        ops.rfft(x[0], norm="ortho")
        ops.ihfft(x[0])
        ops.ihfft(x[0], 5, norm="forward")
        ops.trapz(x, dim=0)
        ops.trapz(x, x[0])
        ops.norm(x)
        ops.norm(x, "fro")
        x[0].norm(dim=0)
        ops.vector_norm(x, 1)
        ops.matrix_norm(x)
        mnp.norm(x)
        mnp.norm(x, 1, 0)
        mnp.true_divide(x, x[::-1])
        mnp.divide(x, 2)
        mnp.true_divide(2, x + 3)
        mint.unique_consecutive(ops.concat([x[0], x[0], x[1]]))
        mint.unique_consecutive(ops.stack([x[0], x[0], x[1]]), dim=0)
        mint.unique_consecutive(x[0], return_inverse=True, return_counts=True)
        x[0].unique_consecutive()
        """,
        x=rand(4, 4, dtype="complex64"),
    ),
    *each(
        """
        ops.trapz(x)
        ops.trapz(x, dx=2.0)
        mnp.true_divide(x, x[::-1])
        ops.xlogy(x, True)
        ops.xlogy(x, 2)
        ops.xlogy(2.5, x)
        mint.xlogy(x, 2)
        x.xlogy(2)
        """,
        x=rand(4, dtype="float16", low=0.5),
    ),
    Case("ops.trapz(x)", x=rand(4, dtype="float64")),
    Case("ops.trapz(x)", x=rand(4, dtype="bfloat16")),
    Case("ops.xlogy(x, 2)", x=rand(4, dtype="bfloat16", low=0.5)),
    *each(
        """
        mnp.true_divide(2**31, x.astype(ms.uint16))
        mnp.true_divide(x.astype(ms.uint32), y)
        mnp.true_divide(x.astype(ms.uint64), -129)
        mint.fmod(x > 2, 0)
        mint.fmod(x > 2, 2)
        ops.fmod(x > 2, 0)
        """,
        x=ints(4, low=0, high=6, dtype="int64"),
        y=ints(4, dtype="int16"),
    ),
    *each(
        """
        mnp.abs(u)
        mnp.absolute(u)
        ops.masked_select(u, u.astype(ms.int32) > 2)
        u.fliplr()
        ops.diff_ext(u)
        ops.combinations(u[0])
        ops.cartesian_prod(u[0])
        ops.repeat_interleave(u, 2, 1)
        """,
        u=ints(2, 3, low=0, high=6, dtype="uint16"),
    ),
    Case("mnp.polyder(x)", x=ints(3, dtype="int8")),
    *each(
        """
        mnp.cbrt(x)
        mnp.cbrt(x.astype(ms.float64))
        mnp.cbrt(x.astype(ms.int32))
        """,
        x=values(0, 8, -8, 1),
    ),
    *each(
        """
        mnp.cbrt(ENDS)
        ops.hardswish(ENDS)
        mint.nn.functional.hardswish(ENDS)
        nn.HSwish()(ENDS)
        ops.HSwish()(ENDS.astype(ms.float16))
        ms.grad(lambda t: ops.hardswish(t).sum())(ENDS)
        ops.gelu(ENDS)
        ops.gelu(ENDS[1:])
        ops.gelu(ENDS.reshape(2, 2))
        ops.gelu(ENDS.reshape(4, 1))
        ops.gelu(ENDS[1:2])
        ms.grad(lambda t: ops.gelu(t).sum())(ENDS[1:])
        LOWEST.copy().div_(Tensor([-1, 2], ms.int32), rounding_mode="trunc")
        R.dtype
        """.replace("R.dtype", "EmbeddingLookupThor(4, 3)(Tensor([0, 1], ms.int32)).dtype")
    ),
    *each(
        """
        x.std(dim=0)
        x.std(dim=1, keepdim=True)
        x.std(dim=(0, 1))
        x.std(dim=0, correction=1)
        x.std(0, 1)
        """,
        x=rand(3, 4),
    ),
    *each(
        """
        ms.grad(lambda t: (t / 2).sum())(x)
        ms.grad(lambda t: (2 / t).sum())(x)
        ms.grad(lambda t: ops.norm(t))(x)
        ms.grad(lambda t: ops.sqrt(t).sum())(x)
        ms.grad(lambda t: (t.reshape(2, 1) / 4).sum())(x)
        ms.grad(lambda t: (t * 2.5).sum())(x)
        ms.grad(lambda t: (t.astype(ms.float32) / 2).sum())(x)
        ms.grad(lambda t: (t * 2 / 3).sum())(x)
        ms.value_and_grad(lambda t: (t / 2).sum())(x)
        """,
        x=values(3, 4, dtype="int64"),
    ),
    *each(
        """
        assigned(x, slice(1, 1), [9, 8])
        assigned(x, slice(1, 1), [[9, 8]])
        assigned(x, slice(5, None), Tensor([9.0, 8.0]))
        assigned(x, (0, slice(1, 1)), [9, 8])
        assigned(x, (slice(None), slice(2, 1)), (9, 8))
        """,
        x=rand(3, 4),
    ),
    *(
        Case(f"assigned(x, {index}, {value})", x=rand(3, 4), raises=IndexError)
        for index in ("0", "slice(0, 2)", "Tensor([0])", "x > 0", "(0, 1)")
        for value in ("'a'", "1j", "{}", "set()", "np.float32(1)", "range(4)", "b'a'", "len")
    ),
    *(
        Case(f"assigned(x, 0, {value})", x=rand(3, 4), raises=TypeError)
        for value in ("None", "slice(1)", "...", "['a']")
    ),
    Case("assigned(x, x[0] > 9, 5)", x=rand(3, 4), raises=ValueError),
    Case("mnp.histogram2d(x, x[:3])", x=rand(4), raises=ValueError),
    Case("mnp.histogram2d(x.reshape(2, 2), x.reshape(2, 2))", x=rand(4), raises=ValueError),
    Case("mnp.histogramdd(x)", x=rand(4), raises=ValueError),
    Case("ops.lstsq(x * float('nan'), x[:, :1])", x=rand(3, 2)),
]
