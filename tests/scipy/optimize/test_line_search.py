"""A search along a line as a Cell; the numbers are MindSpore 2.10's."""

import importlib

import numpy as np
import pytest

from msbridge import Tensor, set_release
from msbridge.core.autograd.grad import grad
from msbridge.scipy.optimize.line_search import LineSearch


def test_what_was_found_is_a_dict_of_tensors() -> None:
    def f(x: Tensor) -> Tensor:
        return (x**4).sum() + ((x - 1) ** 2).sum()

    slope, place = grad(f), Tensor(np.array([1.5, -0.5], np.float32))
    found = LineSearch(f, slope)(place, -slope(place))
    assert (bool(found["done"]), bool(found["failed"])) == (True, False)
    assert [int(found[name]) for name in ("i", "nfev", "ngev", "status")] == [2, 5, 5, 0]
    assert np.allclose(
        [float(found[name]) for name in ("a_star", "phi_star", "dphi_star")], [0.15357934, 4.18773, 65.62033]
    )
    assert np.allclose(found["g_star"].asnumpy(), [-4.990131, -1.9247333], atol=1e-5)


@pytest.mark.usefixtures("dropin")
def test_gradients_of_its_own_do_not_follow_a_release() -> None:
    """`ops.grad` of 1.5 returns a tuple; it replaces the function wherever scripts import it from."""
    served = importlib.import_module("mindspore.scipy.optimize.line_search")
    set_release("1.5")
    ones = Tensor(np.ones(3, np.float32))
    found = served.line_search(lambda x: (x**2).sum(), ones, -ones)
    assert (bool(found.failed), float(found.a_k)) == (False, 1.0)
