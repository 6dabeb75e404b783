"""Modes that a script's method stands in for operators. The judge is MindSpore 2.10: who is asked."""

from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.ops.dispatch_modes import MsDispatchMode


class Noting(MsDispatchMode):
    def __init__(self) -> None:
        self.names: list[str] = []

    def __ms_dispatch__(self, func: Any, args: Any, kwargs: Any = None) -> Any:
        self.names.append(func.name)
        return func(*args)


@pytest.fixture
def x() -> Tensor:
    return Tensor(np.array([[1, 2, 3], [4, 5, 6]], np.float32))


@pytest.mark.parametrize(
    ("run", "names"),
    [
        (lambda x: x + x, ["Add"]),
        (lambda x: x * 2, ["Mul"]),
        (lambda x: x > 0, ["Greater"]),
        (lambda x: ops.relu(x), ["ReLU"]),
        (lambda x: ops.softmax(x), ["Softmax"]),
        (lambda x: ops.mean(x, 1), ["ReduceMean"]),
        (lambda x: ops.MatMul()(x, x.T), ["Transpose", "MatMul"]),
        (lambda x: x.astype(ms.float16), ["Cast"]),
        (lambda x: x.shape, []),
        (lambda x: x.asnumpy(), []),
    ],
)
def test_operators_have_the_names_of_primitives(x: Tensor, run: Any, names: list[str]) -> None:
    with Noting() as noting:
        run(x)
    assert noting.names == names


def test_a_layer_s_operators_are_told(x: Tensor) -> None:
    dense = nn.Dense(3, 2)
    with Noting() as noting:
        found = dense(x)
    assert noting.names == ["Dense"]
    assert found.shape == (2, 2)


def test_the_innermost_is_asked_alone_and_the_outer_again_afterwards(x: Tensor) -> None:
    with Noting() as outer:
        x + x
        with Noting() as inner:
            x - x
        x * x
    x / x
    assert (outer.names, inner.names) == (["Add", "Mul"], ["Sub"])


def test_it_decorates_functions(x: Tensor) -> None:
    mode = Noting()
    mode(ops.exp)(x)
    ops.exp(x)
    assert mode.names == ["Exp"]


def test_inputs_and_results_may_be_others_and_gradients_follow(x: Tensor) -> None:
    class Doubling(MsDispatchMode):
        def __ms_dispatch__(self, func: Any, args: Any, kwargs: Any = None) -> Any:
            return func(args[0] + 1, *args[1:]) * 2 if func.name == "Exp" else func(*args)

    with Doubling():
        found, slope = ops.exp(x), ms.grad(ops.exp)(x)
    expected = 2 * np.exp(x.asnumpy() + 1)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(slope.asnumpy(), expected, rtol=1e-5)


def test_results_of_several_tensors_and_changes_in_place_pass(x: Tensor) -> None:
    with MsDispatchMode():
        parts = ops.split(x, 1, 1)
        values, indices = ops.topk(x, 2)
        changed = x.copy()
        changed[0] = 0
    assert len(parts) == 3
    assert (values.asnumpy().tolist(), indices.asnumpy().tolist()) == ([[3, 2], [6, 5]], [[2, 1], [2, 1]])
    assert changed.asnumpy().tolist() == [[0, 0, 0], [4, 5, 6]]


@pytest.mark.parametrize("stand_in", [None, 3])
def test_a_result_that_is_no_tensor_is_refused(x: Tensor, stand_in: object) -> None:
    class Other(MsDispatchMode):
        def __ms_dispatch__(self, func: Any, args: Any, kwargs: Any = None) -> Any:
            return stand_in

    with Other(), pytest.raises(RuntimeError, match="result of Add"):
        x + x


def test_a_method_of_other_arguments_is_refused(x: Tensor) -> None:
    class Short(MsDispatchMode):
        def __ms_dispatch__(self, func: Any) -> Any:  # type: ignore[override]
            return func

    with Short(), pytest.raises(TypeError, match="__ms_dispatch__"):
        x + x


def test_the_script_s_own_errors_keep_their_words_and_the_operator_s_are_explained(x: Tensor) -> None:
    class Raising(MsDispatchMode):
        def __ms_dispatch__(self, func: Any, args: Any, kwargs: Any = None) -> Any:
            if func.name == "Exp":
                raise KeyError("no exponents")
            return func(*args)

    with Raising(), pytest.raises(KeyError, match="no exponents"):
        ops.exp(x)
    with Raising(), pytest.raises(RuntimeError, match="For 'matmul'"):
        ops.matmul(x, x)
