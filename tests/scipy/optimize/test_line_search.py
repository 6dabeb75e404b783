"""A search along a line as a Cell; the numbers are MindSpore 2.10's."""

import numpy as np

from msbridge import Tensor
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
