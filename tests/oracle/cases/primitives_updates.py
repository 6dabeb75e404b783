"""Primitives that change a part of a tensor or a Parameter: what they give, and what is in the Parameter then."""

import mindspore as ms
from mindspore import Tensor
from mindspore.ops import operations as P  # noqa: F401  used by the expressions

from tests.oracle.case import Case, each, rand, values, words

ROWS = {"x": rand(4, 2), "i": values(2, 0, dtype="int32"), "u": rand(2, 2, low=1, high=3)}
POINTS = {"x": rand(4, 2), "i": values([2], [0], dtype="int32"), "u": rand(2, 2, low=1, high=3)}
CELLS = {"x": rand(3, 2), "i": values([0, 1], [2, 0], [0, 1], dtype="int32"), "u": rand(3, low=1, high=3)}


def changed(primitive: object, x: Tensor, *arguments: object) -> tuple:
    """Return what a primitive returns, and what it leaves in its Parameter."""
    parameter = ms.Parameter(x.copy(), name="p")
    result = primitive(parameter, *arguments)
    return result, parameter.value()


SCATTER = words("ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterSub ScatterUpdate")
SCATTER_ND = words("ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub ScatterNdUpdate")
TENSOR_SCATTER = words("Add Div Max Min Mul Sub Update")

CASES = [
    *[Case(f"changed(P.{name}(), x, i, u)", **ROWS) for name in SCATTER],
    *[Case(f"changed(P.{name}(True), x, i, u)", **ROWS) for name in SCATTER],
    *[Case(f"changed(P.{name}(), x, i, u[:1])", raises=ValueError, **ROWS) for name in SCATTER],
    *[Case(f"changed(P.{name}(), x, i, u)", **POINTS) for name in SCATTER_ND],
    *[Case(f"changed(P.{name}(use_locking=True), x, i, u)", **CELLS) for name in SCATTER_ND],
    *[
        Case(f"changed(P.{name}(), x, i, u)", raises=TypeError, x=rand(2), i=rand(1, 1), u=rand(1))
        for name in SCATTER_ND
    ],
    *[Case(f"P.TensorScatter{name}()(x, i, u)", **POINTS) for name in TENSOR_SCATTER],
    *[
        Case(f"P.TensorScatter{name}()(x, i, u)", grad=name in ("Add", "Sub", "Update"), **CELLS)
        for name in TENSOR_SCATTER
    ],
    *[Case(f"P.TensorScatter{name}()(x, i, u[:1])", raises=ValueError, **POINTS) for name in TENSOR_SCATTER],
    *each(
        """
        P.TensorScatterElements(0, 'none')(x, i, u)
        P.TensorScatterElements(1, 'add')(x, i, u)
        """,
        x=rand(3, 3),
        i=values([1, 0, 2], [0, 2, 1], dtype="int32"),
        u=rand(2, 3),
    ),
    Case(
        "P.TensorScatterElements(0, 'other')(x, x.astype(ms.int32), x)", x=rand(2, 2, low=0, high=1), raises=ValueError
    ),
    *each(
        """
        P.ScatterAddWithAxis(0)(x, Tensor([[0, 1], [2, 0]], ms.int32), u)
        P.ScatterAddWithAxis(1)(x, Tensor([[0, 1], [1, 0]], ms.int32), u)
        """,
        **POINTS,
    ),
    *each(
        """
        P.InplaceAdd((1, 0))(x, u)
        P.InplaceSub((1, 0))(x, u)
        P.InplaceUpdate((1, 0))(x, u)
        P.InplaceSub(2)(x, u[:1])
        P.InplaceUpdate(2)(x, u[:1])
        P.InplaceUpdateV2()(x, (1, 0), u)
        P.InplaceUpdateV2()(x, 3, u[:1])
        changed(P.InplaceIndexAdd(0), x, i, u)
        changed(P.InplaceIndexAdd(axis=1), x, Tensor([1], ms.int32), x[:, :1])
        changed(P.IndexAdd(axis=0), x, i, u)
        changed(P.IndexAdd(1, True, False), x, Tensor([1], ms.int32), x[:, :1])
        P.IndexFill()(x, 0, i, Tensor(9.0))
        P.IndexFill()(x, 1, Tensor([0], ms.int32), Tensor(-1.0))
        P.IndexPut()(x, u[0], (Tensor([0, 3]), Tensor([1, 0])))
        P.IndexPut(1)(x, u[0], (Tensor([0, 0]), Tensor([1, 1])))
        changed(P.AssignSub(), x, x + 1)
        changed(P.AssignAdd(), x, x + 1)
        changed(P.Assign(), x, x + 1)
        changed(P.AssignSub(), x, -x)
        """,
        **ROWS,
    ),
    Case("P.InplaceUpdate((9,))(x, u[:1])", raises=ValueError, **ROWS),
    Case("P.SparseApplyFtrlV2(-0.1, 0.0, 0.0, 0.0, -0.5)", raises=ValueError),
]
