"""Further forms of calls: Tensors known by two names, unsigned numbers, bounds of whole numbers, None for a child."""

from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import each

x = Tensor([1.0, 2.0, 3.0])
y = Tensor([4.0, 5.0, 6.0])
i = Tensor([1, -2, 3])
b = Tensor([True, False, True, True])
h = Tensor([1.0, -2.0, 3.0], ms.float16)
m = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) - 2)
u16 = Tensor([0, 1, 2, 65535], ms.uint16)
u64 = Tensor([0, 1, 2, 2**63], ms.uint64)
places = Tensor([[0, 1], [1, 2]])
parts = Tensor([[5.0, 6.0], [7.0, 8.0]])


class Scaled(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0, 4.0]), name="w")
        self.k = Tensor([1.0, 2.0, 3.0])

    def construct(self, a: Any) -> Any:
        return self.w * a * self.k


class Children(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Dense(2, 2)
        self.b = nn.ReLU()


net = Scaled()


def outside(a: Any) -> Any:
    return (a * x).sum()


def both(a: Any, c: Any) -> Any:
    return (a * x * c * y).sum()


def only_outside(a: Any) -> Any:
    return (x * x).sum()


def within(a: Any) -> Any:
    return ms.grad(outside)(a)


def twice(a: Any) -> Any:
    def inner(c: Any) -> Any:
        return (c * x * a).sum()

    return ms.grad(inner)(x).sum()


def same(a: Any) -> Any:
    return x


def square(a: Any) -> Any:
    return a * a


def with_number(a: Any) -> Any:
    return a * a, 3


def with_none(a: Any) -> Any:
    return a * a, None


def raised(a: Any) -> Any:
    return a + 1, None


def emptied(then: Any) -> Any:
    """What becomes of a network whose child is None now."""
    cell = Children()
    cell.a = None
    return then(cell)


def filled_again(cell: Any) -> Any:
    cell.a = nn.ReLU()
    return list(cell.name_cells()), repr(cell)


def with_number_instead(cell: Any) -> Any:
    cell.a = 3


def by_order(a: Any) -> Any:
    return ops.igamma(a, Tensor([2.0, 3.0])).sum()


def by_order_above(a: Any) -> Any:
    return ops.igammac(a, Tensor([2.0, 3.0])).sum()


CASES = [
    *each(
        """
        ops.add(3, 2)
        ops.add(1.5, 2)
        ops.sub(3, 2)
        ops.sub(1.5, 2)
        ops.mul(3, 2)
        ops.mul(1.5, 2)
        ops.div(3, 2)
        ops.div(1.5, 2)
        ops.true_divide(3, 2)
        ops.true_divide(1.5, 2)
        ops.floor_div(3, 2)
        ops.floor_div(1.5, 2)
        ops.floor_divide(3, 2)
        ops.floor_divide(1.5, 2)
        ops.floor_mod(3, 2)
        ops.floor_mod(1.5, 2)
        ops.remainder(3, 2)
        ops.remainder(1.5, 2)
        ops.pow(3, 2)
        ops.pow(1.5, 2)
        ops.maximum(3, 2)
        ops.maximum(1.5, 2)
        ops.minimum(3, 2)
        ops.minimum(1.5, 2)
        ops.greater(3, 2)
        ops.greater(1.5, 2)
        ops.greater_equal(3, 2)
        ops.greater_equal(1.5, 2)
        ops.less_equal(3, 2)
        ops.less_equal(1.5, 2)
        ops.not_equal(3, 2)
        ops.not_equal(1.5, 2)
        ops.atan2(1.5, 2)
        ops.xlogy(3, 2.5)
        ops.mul(True, False)
        ops.logical_and(True, False)
        ops.logical_or(True, False)
        ops.logical_xor(True, False)
        ops.operations.RealDiv()(3, 2)
        ops.operations.Add()(3, 2)
        ops.operations.Maximum()(3, 2.5)
        ops.pow(2, -1)
        ms.mint.add(3, 2)
        ms.mint.div(3, 2)
        ops.add(2, ops.mul(3, x))
    """
    ),
    *each(
        """
        ops.less(3, 2)
        ops.equal(3, 2)
        ops.bitwise_and(3, 2)
        ops.fmod(3, 2)
        ops.hypot(3, 2)
        ops.logaddexp(3, 2)
        ops.truncate_div(3, 2)
        ops.logical_and(3, 2)
        ops.logical_xor(3, True)
        ops.operations.Mod()(3, 2)
        ops.float_power(3, 2)
        ops.fmax(3, 2)
        ops.add(3, 'a')
        ops.add(3, None)
        ms.mint.eq(3, 2)
        ms.mint.lt(3, 2)
    """,
        raises=TypeError,
    ),
    *each("""
        ms.grad(outside)(x)
        ms.grad(outside)(y)
        ms.grad(both, (0, 1))(x, y)
        ms.grad(both, (0, 1))(y, x)
        ms.grad(both, (0, 1))(x, x)
        ms.grad(only_outside)(x)
        ms.grad(only_outside)(y)
        ms.value_and_grad(outside)(x)
        ms.grad(within)(x)
        ms.grad(twice)(x)
        ms.grad(same)(x)
        ms.grad(net)(net.k)
        ms.grad(net, 0, net.trainable_params())(net.k)
        ms.grad(net, None, x)(x)
        ops.GradOperation(get_all=True)(both)(x, y)
        ops.GradOperation(sens_param=True)(outside)(x, Tensor(2.0))
        ms.vjp(outside, x)[1](Tensor(1.0))
        ms.vjp(net, x, weights=net.w)[1](y)
        ms.vjp(net, x, weights=[net.w])[1](y)
        ms.jvp(outside, x, y)
        ms.jacrev(outside)(x)
        ms.jacfwd(with_number, has_aux=True)(x)
        ms.jacfwd(with_none, has_aux=True)(x)
        ms.jacrev(with_none, has_aux=True)(x)
        ms.vmap(raised, 0, (0, None))(m)
    """),
    *each("ms.jacrev(square)(i)\nms.jacfwd(square)(i)\nms.jacfwd(square)(i.astype(ms.int32))", raises=TypeError),
    *each("""
        u16 >= True
        u16 > True
        u16 <= True
        u16 <= False
        True < u16
        u16 >= b
        u64 >= True
        u64 <= True
        ops.greater(u16, True)
        ops.eye(2, 3, ms.uint16)
        ops.eye(2, 2, ms.uint64)
        ops.hardtanh(i)
        ops.hardtanh(i, -1.5, 2.5)
        ops.hardtanh(i.astype(ms.int32), 0.5, 1.5)
        ops.hardtanh(b)
        nn.Hardtanh(-1.5, 2.5)(i)
        nn.RReLU(0.5, 0.5)(i)
        nn.RReLU(0.5, 0.5)(x - 2)
        ops.tuple_to_array(range(3))
        ops.tuple_to_array((1, 2.5))
        ops.tuple_to_array((2.5, 1))
        ops.tuple_to_array((True, False))
        ops.tuple_to_array(((1, 2), (3, 4)))
        ops.bincount(Tensor([1, 2, 1]), Tensor([0.5, 1, 2], ms.float64))
        ops.bincount(Tensor([1, 2, 1]), h.abs())
        ops.clip_by_norm(x, Tensor(1.0))
        ops.clip_by_norm(x, Tensor([1.0]))
        ops.clip_by_norm(i, 1.0)
        ops.clip_by_norm([i, i * 2], 1.0)
        nn.ClipByNorm()(h, Tensor(1.0))
        nn.ClipByNorm()(h, Tensor(1.0, ms.float16))
        m.max(keepdims=True)
        m.min(axis=None, keepdims=True)
        m.max(axis=(0, 1), keepdims=True)
        m.max(axis=1, keepdims=True)
        ops.bessel_k0(Tensor([-2.5, 0.5]))
        ops.bessel_k1(Tensor([-2.5, 0.0, 0.5], ms.float16))
        ops.bessel_k0e(Tensor([-2.5, 0.0, 0.5], ms.float64))
        ops.bessel_k1e(Tensor([-2.5, 0.0, 0.5]))
        ops.bessel_y0(Tensor([-2.5, 0.0, 0.5]))
        ops.bessel_y1(Tensor([-2.5, 0.5], ms.float16))
        (x * 1).index_add(Tensor([0, 1], ms.int32), Tensor([5.0, 6.0]), 0, use_lock=False)
        (x * 1).index_add(indices=Tensor([0, 1], ms.int32), y=Tensor([5.0, 6.0]), axis=0, check_index_bound=False)
    """),
    *each("""
        ops.l1_loss(i, i * 2)
        ops.l1_loss(i, i * 2, "sum")
        ops.l1_loss(i.astype(ms.int8), (i + 1).astype(ms.int8), "sum")
        nn.L1Loss()(i, i.astype(ms.int32) + 1)
        nn.MAELoss("sum")(i, i * 3)
        nn.MSELoss("sum")(i, i * 3)
        nn.MSELoss()(i.astype(ms.int32), i.astype(ms.int32) * 2)
        ops.mse_loss(i, i * 2)
        nn.L1Loss()(i, x)
        nn.L1Loss()(i > 1, i > 2)
        nn.L1Loss("sum")(i > 1, i > 1)
        nn.L1Loss("none")(i > 1, i < 3)
        ops.hinge_embedding_loss(x, Tensor([1.0, -1.0, 0.0]))
        ops.hinge_embedding_loss(x - 2, Tensor([0.5, -2.0, 0.0]), 0.5, "none")
        nn.HingeEmbeddingLoss(2.5, "sum")(x, Tensor([1.0, -1.0, 0.0]))
        ms.grad(nn.HingeEmbeddingLoss(2.5, "sum"))(x, Tensor([1.0, -1.0, 0.0]))
        nn.L1Regularizer(0.5)(h)
        nn.LeakyReLU(0.5)(i)
        nn.LeakyReLU(2.5)(i)
        ops.leaky_relu(i.astype(ms.int32), 2.0)
        nn.Threshold(0, 1)(b)
        nn.Embedding(3, 2, embedding_table=Tensor(np.arange(6, dtype=np.float32).reshape(3, 2)))(Tensor([-1, -3, 0]))
        nn.Embedding(5, 2, dtype=ms.float16).embedding_table.dtype
    """),
    *each("nn.Embedding(5, 2)(Tensor([-6]))\nnn.Embedding(5, 2)(Tensor([5]))", raises=RuntimeError),
    *each("ops.hinge_embedding_loss(i, x)\nnn.GroupNorm(2, 4.0)\nnn.GroupNorm(2.0, 4)", raises=TypeError),
    *each("nn.Conv3d(3, 4, 3)(ops.ones((1, 2, 4, 4, 4)))", raises=ValueError),
    # The CPU build keeps the kernel of the first `reduce` that it saw: "multiply" is in
    # tests/ops/shape/test_scatter_elements.py.
    *each("""
        m.scatter(1, places, parts, reduce="add")
        m.scatter(1, places, parts, "add")
        m.scatter(dim=1, index=places, src=parts, reduce="add")
        m.scatter(1, places, 2.0, reduce="add")
    """),
    *each("m.scatter(1, places, parts, reduce='power')", raises=ValueError),
    *each("ops.topk(b, 1)", raises=TypeError),
    *each(
        """
        ms.grad(by_order)(Tensor([0.5, 1.0]))
        ms.grad(by_order)(Tensor([2.5, 0.1]))
        ms.grad(by_order_above)(Tensor([0.5, 4.0]))
    """,
        tolerance=1e-4,
    ),  # series that are cut off at their own places
    *each("""
        emptied(repr)
        emptied(lambda cell: (list(cell.name_cells()), cell.a))
        emptied(lambda cell: [type(child).__name__ for child in cell._cells.values()])
        emptied(filled_again)
    """),
    *each("emptied(with_number_instead)", raises=TypeError),
    *each(
        """
        nn.SmoothL1Loss(reduction=None)
        nn.SmoothL1Loss(1.0, 3)
        nn.GaussianNLLLoss(eps=-1.0)
        nn.MultiMarginLoss(p=3)
        nn.DiceLoss(-1.0)
    """,
        raises=ValueError,
    ),
    *each(
        """
        nn.SmoothL1Loss("a")
        nn.GaussianNLLLoss(eps="a")
        nn.HingeEmbeddingLoss("a")
        nn.DiceLoss("a")
        nn.MultiClassDiceLoss(weights=3)
    """,
        raises=TypeError,
    ),
    *each("nn.SmoothL1Loss(0.0)(x, y)\nops.smooth_l1_loss(x, y, 0.0)", raises=RuntimeError),
]
