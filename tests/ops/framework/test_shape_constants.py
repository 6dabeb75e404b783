"""Questions about shapes and constants; tests/oracle/cases/internal_functions.py has most of their answers."""

from msbridge import Tensor, ops


def test_everything_is_known_when_it_is_asked() -> None:
    assert ops.isconstant(Tensor(1.0))
    assert not ops.is_sequence_value_unknown((1, Tensor(2)))


def test_sums_over_broadcast_axes_restore_the_shape() -> None:
    x, y = (3, 1), (2, 1, 4)
    summed, _ = ops.broadcast_gradient_args(x, y)
    whole = ops.ones((2, 3, 4))
    assert whole.sum(summed).reshape(x).shape == x
