"""Update rules on plain torch tensors, and the primitives that apply them; the judge is the formula in numpy.

What the CPU of the real MindSpore computes is replayed in tests/oracle/cases/updating.py.
"""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor
from msbridge.core.parameter import step_scalars
from msbridge.ops import operations
from msbridge.ops.training.optimizer_updates import descents, proximal, rules


def pair(*values: float) -> list[torch.Tensor]:
    """Two tensors of different shapes that hold the same numbers."""
    data = torch.tensor(values, dtype=torch.float64)
    return [data.clone(), data.reshape(1, -1).clone()]


def same(tensors: list[torch.Tensor], wanted: np.ndarray) -> None:
    for tensor in tensors:
        np.testing.assert_allclose(tensor.reshape(-1), wanted, rtol=1e-12)


P, G = np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.3, -0.2])


def test_ftrl_solves_for_its_parameters() -> None:
    p, acc, linear = pair(*P), pair(0.1, 0.1, 0.1), pair(0.0, 2.0, -0.3)
    proximal.ftrl(p, pair(*G), acc, linear, 0.5, -0.5, 0.25, 0.1)
    grown = 0.1 + G**2
    line = np.array([0.0, 2.0, -0.3]) + G - (np.sqrt(grown) - np.sqrt(0.1)) / 0.5 * P
    solved = (np.sign(line) * 0.25 - line) / (np.sqrt(grown) / 0.5 + 0.2)
    same(linear, line)
    same(acc, grown)
    same(p, np.where(np.abs(line) > 0.25, solved, 0.0))


def test_lamb_takes_the_norm_of_each_parameter() -> None:
    p, m, v = pair(*P), pair(0.0, 0.0, 0.0), pair(0.0, 0.0, 0.0)
    rules.lamb(p, pair(*G), m, v, 0.1, (0.9, 0.99), 1e-6, 0.01, (0.1, 0.01))
    update = G / (np.abs(G) + 1e-6) + 0.01 * P
    same(p, P - 0.1 * np.linalg.norm(P) / np.linalg.norm(update) * update)


def test_lamb_leaves_zero_norms_out() -> None:
    p, m, v = pair(0.0, 0.0), pair(0.0, 0.0), pair(0.0, 0.0)
    rules.lamb(p, pair(1.0, 1.0), m, v, 0.1, (0.9, 0.99), 0.0, 0.0, (0.1, 0.01))
    same(p, np.array([-0.1, -0.1]))


def test_adam_decoupled_shrinks_by_the_plain_rate() -> None:
    """The fused kernel multiplies decay by its own, corrected rate."""
    p, m, v = pair(*P), pair(0.0, 0.0, 0.0), pair(0.0, 0.0, 0.0)
    rules.adam(p, pair(*G), m, v, None, 0.1, (0.9, 0.99), 1e-3, 0.2, 1, is_decoupled=True)
    same(p, P * (1 - 0.1 * 0.2) - 0.1 * G / (np.abs(G) + 1e-3))


def test_momentum_of_zero_keeps_the_gradient() -> None:
    p, v = pair(*P), pair(7.0, 7.0, 7.0)
    descents.momentum(p, pair(*G), v, 0.1, 0.0, 0.5, True)
    same(v, G + 0.5 * P)
    same(p, P - 0.1 * (G + 0.5 * P))


def test_adagrad_without_eps_divides_by_the_root() -> None:
    p, acc = pair(*P), pair(0.5, 0.5, 0.5)
    rules.adagrad(p, pair(*G), acc, 0.1, update_slots=False)
    same(acc, np.full(3, 0.5))
    same(p, P - 0.1 * G / np.sqrt(0.5))


W, A, B, ROWS = (np.array(x, np.float64) for x in ([1.0, -2.0, 0.5], [0.4, 0.2, 0.9], [0.1, 0.5, 0.3], [0.1, 0.3]))
AT = np.array([2, 0])


def after(op: object, *inputs: object) -> list[np.ndarray]:
    """Call a primitive; arrays that are in W, A and B become Parameters, which are returned."""
    held = [Parameter(Tensor(array), name="p") for array in (W, A, B)]
    known = {id(array): parameter for array, parameter in zip((W, A, B), held, strict=True)}
    op(*(known.get(id(one), Tensor(one) if isinstance(one, np.ndarray) else one) for one in inputs))
    return [parameter.asnumpy() for parameter in held]


def close(got: list[np.ndarray], *wanted: np.ndarray) -> None:
    for mine, theirs in zip(got, wanted, strict=False):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_momentum_scales_gradients_and_looks_ahead() -> None:
    grown = 0.9 * A + 0.5 * G
    op = operations.ApplyMomentum(use_nesterov=True, gradient_scale=0.5)
    close(after(op, W, A, 0.1, G, 0.9), W - 0.1 * (0.5 * G + 0.9 * grown), grown)


def test_fused_momentum_takes_decay_and_scale() -> None:
    grown = 0.9 * A + 0.5 * G + 0.2 * W
    close(after(operations.FusedWeightScaleApplyMomentum(), 0.2, 0.5, W, A, 0.1, G, 0.9), W - 0.1 * grown, grown)


def test_keras_momentum_holds_steps() -> None:
    step = 0.9 * A - 0.1 * G
    close(after(operations.ApplyKerasMomentum(), W, A, 0.1, G, 0.9), W + step, step)
    close(after(operations.ApplyKerasMomentum(use_nesterov=True), W, A, 0.1, G, 0.9), W + 0.9 * step - 0.1 * G, step)


def test_lars_update_takes_sums_of_squares() -> None:
    ratio = 0.1 * 2 / (3 + 0.5 * 2 + 0.01)
    op = operations.LARSUpdate(epsilon=0.01, hyperpara=0.1)
    got = op(Tensor(W), Tensor(G), Tensor(4.0), Tensor(9.0), 0.5, 0.1)
    np.testing.assert_allclose(got.asnumpy(), ratio * (G + 0.5 * W), rtol=1e-6)
    op = operations.LARSUpdate(epsilon=0.01, hyperpara=0.1, use_clip=True)
    got = op(Tensor(W), Tensor(G), Tensor(4.0), Tensor(9.0), 0.5, 0.01)
    np.testing.assert_allclose(got.asnumpy(), G + 0.5 * W, rtol=1e-6)


def test_steps_of_lamb_in_two_parts() -> None:
    m, v = 0.9 * B + 0.1 * G, 0.99 * A + 0.01 * G**2
    direction = m / (1 - 0.81) / (np.sqrt(v / (1 - 0.99**2)) + 1e-6) + 0.5 * W
    got = operations.LambApplyOptimizerAssign()(*map(Tensor, (G, A, B, W)), 0.9, 0.1, 0.99, 0.01, 1e-6, 2.0, 1.0, 0.5)
    close([one.asnumpy() for one in got], direction, v, m)
    close(after(operations.LambApplyWeightAssign(), 3.0, 2.0, 0.1, G, W), W - 0.1 * 1.5 * G)
    close(after(operations.LambApplyWeightAssign(), 0.0, 2.0, 0.1, G, W), W - 0.1 * G)


def in_rows(array: np.ndarray, rows: np.ndarray) -> np.ndarray:
    changed = array.copy()
    changed[AT] = rows
    return changed


def test_sparse_adadelta_changes_rows() -> None:
    acc = 0.9 * A[AT] + 0.1 * ROWS**2
    step = np.sqrt(B[AT] + 0.01) / np.sqrt(acc + 0.01) * ROWS
    wanted = in_rows(W, W[AT] - 0.1 * step), in_rows(A, acc), in_rows(B, 0.9 * B[AT] + 0.1 * step**2)
    close(after(operations.SparseApplyAdadelta(0.01), W, A, B, 0.1, 0.9, ROWS, AT), *wanted)


def test_sparse_proximal_adagrad_changes_rows() -> None:
    acc = A[AT] + ROWS**2
    rate = 0.1 / np.sqrt(acc)
    moved = W[AT] - rate * ROWS
    solved = np.sign(moved) * np.maximum(np.abs(moved) - rate * 0.2, 0) / (1 + rate * 0.3)
    close(
        after(operations.SparseApplyProximalAdagrad(), W, A, 0.1, 0.2, 0.3, ROWS, AT),
        in_rows(W, solved),
        in_rows(A, acc),
    )


def test_ftrl_v2_shrinks_what_it_sums_up() -> None:
    acc = A[AT] + ROWS**2
    line = B[AT] + ROWS + 2 * 0.3 * W[AT] - (np.sqrt(acc) - np.sqrt(A[AT])) / 0.1 * W[AT]
    solved = np.where(np.abs(line) > 0.2, (np.sign(line) * 0.2 - line) / (np.sqrt(acc) / 0.1 + 2 * 0.4), 0)
    op = operations.SparseApplyFtrlV2(0.1, 0.2, 0.4, 0.3, -0.5)
    close(after(op, W, A, B, ROWS, AT), in_rows(W, solved), in_rows(A, acc), in_rows(B, line))


def test_dual_averaging_shrinks_both_signs() -> None:
    total, squares = A + np.array([-2.0, 1.0, 0.5]), B + np.array([4.0, 1.0, 0.25])
    shrunk = np.sign(total) * np.maximum(np.abs(total) - 0.3 * 2, 0)
    wanted = -0.1 * shrunk / (np.sqrt(squares) + 0.2 * 0.1 * 2)
    close(
        after(operations.ApplyAdagradDA(), W, A, B, np.array([-2.0, 1.0, 0.5]), 0.1, 0.3, 0.2, 2),
        wanted,
        total,
        squares,
    )


def test_accumulators_rest_where_slots_are_not_updated() -> None:
    close(after(operations.ApplyAdagrad(update_slots=False), W, A, 0.1, G), W - 0.1 * G / np.sqrt(A), A)


def test_swapped_rows_are_returned() -> None:
    table = Parameter(Tensor(np.arange(8.0).reshape(4, 2)), name="table")
    old = operations.CacheSwapTable()(table, Tensor([2, -1]), Tensor(np.full((2, 2), 9.0)))
    assert old.asnumpy().tolist() == [[4.0, 5.0], [0.0, 0.0]]
    assert table.asnumpy().tolist() == [[0.0, 1.0], [2.0, 3.0], [9.0, 9.0], [6.0, 7.0]]


STEPS = {
    "ApplyMomentum": (W, A, 0.1, G, 0.9),
    "Adam": (W, A, B, 0.9, 0.99, 0.1, 0.9, 0.99, 1e-3, G),
    "AdamWeightDecay": (W, A, B, 0.1, 0.9, 0.99, 1e-3, 0.1, G),
    "ApplyAdaMax": (W, A, B, 0.9, 0.1, 0.9, 0.99, 1e-3, G),
    "ApplyAdadelta": (W, A, B, 0.1, 0.9, 1e-3, G),
    "ApplyFtrl": (W, A, B, G, 0.1, 0.2, 0.3, -0.5),
    "ApplyProximalAdagrad": (W, A, 0.1, 0.2, 0.3, G),
    "ApplyRMSProp": (W, A, B, 0.1, G, 0.9, 0.5, 1e-3),
    "ApplyAddSign": (W, A, 0.1, 1.0, 0.9, 0.9, G),
    "ApplyAdagradDA": (W, A, B, G, 0.1, 0.2, 0.3, 2.0),
    "FusedSparseLazyAdam": (W, A, B, 0.9, 0.99, 0.1, 0.9, 0.99, 1e-3, ROWS, AT),
}


@pytest.mark.parametrize("name", STEPS)
def test_scalars_on_the_device_are_not_read(name: str) -> None:
    """The same step with every rate a Tensor, while tensors represent scalars as on an accelerator."""
    tensors = [np.array(one) if isinstance(one, float) else one for one in STEPS[name]]
    wanted = after(getattr(operations, name)(), *STEPS[name])
    with step_scalars.on_device():
        close(after(getattr(operations, name)(), *tensors), *wanted)


def test_steps_inside_a_gradient_function_change_the_weight() -> None:
    weight, moment = (Parameter(Tensor(array), name="p") for array in (W, A))

    def loss(x: Tensor) -> Tensor:
        operations.ApplyMomentum()(weight, moment, 0.1, Tensor(G), 0.9)
        return (x * x).sum()

    assert np.allclose(ms.grad(loss)(Tensor(W)).asnumpy(), 2 * W)
    assert np.allclose(weight.asnumpy(), W - 0.1 * (0.9 * A + G))
