"""Writes, dependencies, questions: recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, ops
from msbridge.ops.framework.control.primitives import DERIVED
from tests.tensors import f, v

IDENTITY_N = next(kind for kind in DERIVED if kind.__name__ == "IdentityN")()
WRITES = [
    (lambda p: ops.assign(p, v([5, 6])), [5, 6]),
    (lambda p: ops.Assign()(p, Tensor([5, 6])), [5, 6]),
    (lambda p: ops.assign_add(p, v([5, 6])), [5, 7]),
    (lambda p: ops.AssignAdd()(p, Tensor([1, 1])), [1, 2]),
    (lambda p: ops.assign_sub(p, v([5, 6])), [-5, -5]),
    (lambda p: ops.AssignSub()(p, v([1, 1])), [-1, 0]),
]


@pytest.mark.parametrize(("write", "values"), WRITES)
def test_write(write: Callable, values: list) -> None:
    parameter = Parameter(f(2), name="p")
    result = write(parameter)
    assert type(result) is Tensor
    assert result.asnumpy().tolist() == parameter.asnumpy().tolist() == values


def test_a_number_is_written_into_a_scalar() -> None:
    step = Parameter(Tensor(2, ms.int32), name="step")
    ops.AssignAdd()(step, 1)
    assert (int(step), str(step.dtype)) == (3, "Int32")


def test_assign_keeps_the_memory_of_the_parameter() -> None:
    parameter = Parameter(f(2), name="p")
    shared = parameter.data
    ops.assign(parameter, v([5, 6]))
    assert shared.asnumpy().tolist() == [5, 6]


MISTAKES = [
    (lambda: ops.assign(Parameter(f(2)), Tensor(np.ones(2))), TypeError, "it is wider"),
    (lambda: ops.assign(Parameter(f(2)), f(3)), ValueError, "same shape"),
    (lambda: ops.assign_add(Parameter(f(2)), 1), ValueError, "same shape"),
    (lambda: ops.assign_add(Parameter(Tensor([1, 2])), f(2)), TypeError, "it is wider"),
    (lambda: ops.shape(np.ones(2)), TypeError, "must be a Tensor"),
    (lambda: ops.dtype(3), TypeError, "must be a Tensor"),
    (lambda: ops.CheckNumerics()(v([1, np.inf])), RuntimeError, "infinite or NaN"),
    (lambda: ops.Assert()(False, [f(2)]), RuntimeError, "condition is false"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


QUESTIONS = [
    (lambda: ops.shape(f(2, 3)), (2, 3)),
    (lambda: ops.Shape()(Tensor(1)), ()),
    (lambda: ops.dtype(f(2)), ms.float32),
    (lambda: ops.DType()(Tensor([1])), ms.int64),
    (lambda: ops.rank(f(2, 3)), 2),
    (lambda: ops.Size()(f(2, 3)), 6),
    (lambda: ops.numel(f(2, 3)), 6),
    (lambda: ops.Partial()(lambda a, b: a - b, 5)(3), 2),
    (lambda: ops.InvertPermutation()((2, 0, 1)), (1, 2, 0)),
    (lambda: ops.ForiLoop()(0, 3, lambda i, x: x + i, 1), 4),
    (lambda: ops.WhileLoop()(lambda x: x < 5, lambda x: x + 1, 0), 5),
    (lambda: ops.Scan()(lambda c, x: (c + x, c * x), 1, [1, 2, 3]), (7, [1, 4, 12])),
]


@pytest.mark.parametrize(("call", "answer"), QUESTIONS)
def test_answer(call: Callable[[], object], answer: object) -> None:
    assert call() == answer


def test_dynamic_shape_is_a_tensor() -> None:
    assert ops.TensorShape()(f(2, 3)).asnumpy().tolist() == [2, 3]
    assert str(ops.dyn_shape(f(2, 3)).dtype) == "Int64"


@pytest.mark.parametrize("same", [lambda x: ops.depend(x, 1), ops.Depend(), ops.identity, ops.Load()])
def test_the_value_itself_comes_back(same: Callable) -> None:
    x = f(2)
    assert same(x, None) is x if isinstance(same, ops.Depend) else same(x) is x


@pytest.mark.parametrize("copy", [ops.Identity(), lambda x: IDENTITY_N((x, x))[0]])
def test_the_primitives_of_the_identity_copy(copy: Callable) -> None:
    x = f(2, 3).T
    y = copy(x)
    y[0] = 9
    assert y.is_contiguous()
    assert x.asnumpy().tolist() == f(2, 3).T.asnumpy().tolist()


def test_gradients_flow_through_the_primitive_of_the_identity() -> None:
    def written(x: Tensor) -> Tensor:
        doubled = x * 2
        copy = ops.Identity()(doubled)
        copy[0] = x[1] * 5
        return (doubled * copy).sum()

    assert ms.grad(written)(v([1, 1, 1])).asnumpy().tolist() == [10, 18, 8]


def test_the_primitive_of_the_identity_takes_tensors_only() -> None:
    with pytest.raises(TypeError, match="Identity"):
        ops.Identity()(3)


def test_stop_gradient_stops_the_gradient() -> None:
    gradient = ops.grad(lambda x: (ops.stop_gradient(x) * x).sum())(v([3, 4]))
    assert gradient.asnumpy().tolist() == [3, 4]


def test_hook_backward_replaces_the_gradient() -> None:
    seen = []

    def hook(gradients: tuple) -> Tensor:
        seen.append(gradients)
        return gradients[0] * 10

    hooked = ops.HookBackward(hook)
    gradient = ops.grad(lambda x: (hooked(x) * 3).sum())(f(2))
    assert gradient.asnumpy().tolist() == [30, 30]
    assert [part.asnumpy().tolist() for part in seen[0]] == [[3, 3]]


def test_insert_gradient_of_passes_the_gradient_through() -> None:
    """Judge: the documentation; the recorded release does not take a function here."""
    scaled = ops.InsertGradientOf(lambda gradient: gradient * 5)
    assert ops.grad(lambda x: (scaled(x) * 3).sum())(f(2)).asnumpy().tolist() == [15, 15]


def test_print_gives_a_line_for_each_value(capsys: pytest.CaptureFixture) -> None:
    ops.Print()("v", f(2), 3, (1, 2), Tensor(True), Parameter(f(1), name="p"))
    assert capsys.readouterr().out == (
        "v\n"
        "Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+00])\n"
        "3\n"
        "(1, 2)\n"
        "Tensor(shape=[], dtype=Bool, value= True)\n"
        "Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])\n"
    )


def test_a_tensor_is_cut_in_place_from_what_it_was_computed_from() -> None:
    """MindSpore has a kernel on Ascend only; the judge is its documentation."""

    def cut(x: Tensor) -> Tensor:
        doubled = x * 2
        assert ops.stop_gradient_(doubled) is None
        return (doubled * x).sum()

    np.testing.assert_array_equal(ms.grad(cut)(v([3, 4])).asnumpy(), [6, 8])
    with pytest.raises(TypeError, match="input"):
        ops.stop_gradient_(3)
