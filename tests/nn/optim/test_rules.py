"""Update rules on plain torch tensors, without a Cell; the judge is the formula in numpy."""

import numpy as np
import torch

from msbridge.nn.optim import rules


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
    rules.ftrl(p, pair(*G), acc, linear, 0.5, -0.5, 0.25, 0.1)
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
    rules.momentum(p, pair(*G), v, 0.1, 0.0, 0.5, True)
    same(v, G + 0.5 * P)
    same(p, P - 0.1 * (G + 0.5 * P))


def test_adagrad_without_eps_divides_by_the_root() -> None:
    p, acc = pair(*P), pair(0.5, 0.5, 0.5)
    rules.adagrad(p, pair(*G), acc, 0.1, update_slots=False)
    same(acc, np.full(3, 0.5))
    same(p, P - 0.1 * G / np.sqrt(0.5))
