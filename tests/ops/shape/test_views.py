"""Other forms of functions. Judge: torch's log_softmax, numpy."""

import numpy as np

from msbridge import Tensor, int32, ops

X = Tensor(np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 0.5]], np.float32))


def test_logarithm_of_softmax_takes_its_axis_at_the_call() -> None:
    np.testing.assert_allclose(np.exp(ops.LogSoftmaxExt()(X, 1).asnumpy()).sum(1), [1, 1], rtol=1e-6)
    np.testing.assert_allclose(np.exp(ops.LogSoftmaxExt()(X).asnumpy()).sum(1), [1, 1], rtol=1e-6)
    np.testing.assert_allclose(np.exp(ops.LogSoftmaxExt()(X[0]).asnumpy()).sum(), 1, rtol=1e-6)


def test_types_shapes_and_places() -> None:
    assert ops.TypeAs()(X, Tensor([1], int32)).dtype == int32
    assert ops.TransShape()(X, (3, 2)).shape == (3, 2)
    assert ops.MoveTo()([1, 2], "CPU").asnumpy().tolist() == [1, 2]
    assert ops.Reusing()(abs) is abs
    assert ops.UpdateState()(X, X) is X
