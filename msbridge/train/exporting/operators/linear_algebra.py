"""Distances, inverses and determinants."""

from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value

__all__ = ["RULES"]

aten = torch.ops.aten


def _distances(g: Graph, x: Value, y: Value, p: float, _: Any = None) -> Value:
    return g.call("Cdist", x, y, p=float(p))


def _inverse(g: Graph, x: Value, **_: Any) -> list[Value | None]:
    return [g.call("MatrixInverse", x, meta=x.meta, adjoint=False), _fine(g)]


def _factor(g: Graph, x: Value, *, upper: bool = False, **_: Any) -> list[Value | None]:
    if upper:
        raise Unwritable("of the upper triangle")
    return [g.call("Cholesky", x, meta=x.meta, upper=False), _fine(g)]


def _fine(g: Graph) -> Value:
    """Return torch's error codes of matrices, all fine: the primitives do not return them."""
    return g.constant(torch.zeros([int(length) for length in g.result[1].shape], dtype=torch.int32))


def _determinant(g: Graph, x: Value) -> list[Value | None]:
    return [g.call("MatrixDeterminant", x, meta=g.result[0]), None, None]


def _logarithm(g: Graph, x: Value) -> list[Value | None]:
    pair = g.call("LogMatrixDeterminant", x, meta=list(g.result[:2]))
    return [g.item(pair, 0), g.item(pair, 1), None, None]


RULES: dict[Any, Any] = {
    aten._cdist_forward.default: _distances,
    aten.linalg_inv_ex.default: _inverse,
    aten.linalg_cholesky_ex.default: _factor,
    aten._linalg_det.default: _determinant,
    aten._linalg_slogdet.default: _logarithm,
}
