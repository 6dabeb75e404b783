"""What the user reads when an operator fails: what was called, the argument, what it got, what is allowed."""

import contextlib
import timeit
from collections.abc import Callable

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, mint, nn, ops
from msbridge import numpy as mnp
from msbridge.core.errors.explain import describe, explain

x = Tensor(np.ones((2, 3), np.float32))
P = ops


@pytest.mark.parametrize(
    ("action", "kind", "text"),
    [
        (lambda: ops.softmax(x, 3), ValueError, "For 'softmax', axis must be in [-2, 2), got 3 for shape (2, 3)."),
        (lambda: P.Softmax(3)(x), ValueError, "For 'Softmax', axis must be in [-2, 2), got 3 for shape (2, 3)."),
        (
            lambda: P.Softmax("a")(x),
            TypeError,
            "For 'Softmax', the type of 'axis' should be one of '['bool', 'int', 'tuple']', but got type 'str'.",
        ),
        (lambda: x.sum(3), ValueError, "For 'sum', axis must be in [-2, 2), got 3 for shape (2, 3)."),
        (lambda: mint.sum(x, 3), ValueError, "For 'sum', axis must be in [-2, 2), got dim=3 for shape (2, 3)."),
        (lambda: ops.relu([1.0]), TypeError, "For 'relu', input must be a Tensor, got [1.0] (list)."),
        (
            lambda: ops.exp(x.asnumpy()),
            TypeError,
            "For 'exp', input must be a Tensor, got numpy array of shape (2, 3); wrap it in mindspore.Tensor.",
        ),
        (
            lambda: ops.bitwise_and(x, x),
            TypeError,
            "For 'bitwise_and', the dtypes do not fit: input float32, other float32.",
        ),
        (
            lambda: x.reshape(4, 2),
            ValueError,
            "For 'reshape', the shape must hold as many elements as the Tensor has; "
            "got self=Tensor of shape (2, 3) and dtype float32, sizes=(4, 2).",
        ),
        (
            lambda: ops.einsum("ij,jk", x, x),
            ValueError,
            "For 'einsum', the shapes need to broadcast: each axis equal, or 1 in one of them; got equation='ij,jk', "
            "operands=(Tensor of shape (2, 3) and dtype float32, Tensor of shape (2, 3) and dtype float32).",
        ),
        (lambda: ops.topk(x, 9), ValueError, "For 'topk': k must be in (0, 3], got 9."),
        (
            lambda: nn.Dense(3, 1)(x.astype(ms.float16)),
            TypeError,
            "For 'Dense', the dtypes do not fit: x float16, weight float32.",
        ),
        (
            lambda: mnp.broadcast_to(x, (2, 2)),
            ValueError,
            "For 'broadcast_to', the shapes need to broadcast: each axis equal, or 1 in one of them; "
            "got array=Tensor of shape (2, 3) and dtype float32, shape=(2, 2).",
        ),
    ],
)
def test_message(action: object, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        action()
    assert str(caught.value) == text
    assert type(caught.value) is kind


def test_what_torch_said_is_the_cause() -> None:
    with pytest.raises(ValueError, match="softmax") as caught:
        ops.softmax(x, 3)
    assert "Dimension out of range" in str(caught.value.__cause__)


def test_out_of_memory_and_failures_of_the_device_pass() -> None:
    for error in (torch.OutOfMemoryError("all full"), RuntimeError("CUDA error: an illegal memory access")):
        with pytest.raises(type(error)) as caught:
            explain(error, "relu", input=x)
        assert caught.value is error


def test_an_explained_error_is_not_explained_again() -> None:
    error = explain(RuntimeError("anything"), "relu", input=x)
    with pytest.raises(RuntimeError) as caught:
        explain(error, "gelu", input=x)
    assert caught.value is error


def test_a_text_that_is_not_known_does_not_come_through() -> None:
    assert str(_explained(RuntimeError("at::native said so"))) == (
        "For 'relu', these arguments do not fit; got input=Tensor of shape (2, 3) and dtype float32."
    )


def _explained(error: Exception) -> Exception:
    try:
        exec(compile("raise error", torch.__file__, "exec"))
    except Exception as caught:
        return explain(caught, "relu", input=x)
    raise AssertionError


def test_what_a_function_of_the_users_raises_passes() -> None:
    def broken(x: Tensor) -> Tensor:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ops.derivative(broken, (x,), 1)
    try:
        broken(x)
    except KeyError as error:
        with pytest.raises(KeyError):
            explain(error, "relu", input=x)


def test_a_value_is_shown_by_repr_and_a_long_one_is_cut() -> None:
    assert describe("a") == "'a' (str)"
    assert describe([x, 1]) == "[Tensor of shape (2, 3) and dtype float32, 1] (list)"
    assert len(describe(list(range(1000)))) < 140


def test_a_failing_call_takes_less_than_a_millisecond() -> None:
    def fail() -> None:
        with contextlib.suppress(ValueError):
            ops.softmax(x, 3)

    assert min(timeit.repeat(fail, number=1, repeat=20)) < 1e-3


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: ops.max("abc"), AttributeError),
        (lambda x: ops.conv2d(x, [1.0]), AttributeError),
        (lambda x: nn.MaxPool2d()(-7), AttributeError),
        (lambda x: ops.argmax(x, x), ValueError),
        (lambda x: x.diagonal(x), ValueError),
        (lambda x: ops.MaxPool()(-7), TypeError),
        (lambda x: x.softmax("a"), TypeError),
    ],
)
def test_the_class_for_what_an_argument_cannot_be_is_mindspores(
    call: Callable[[Tensor], object], error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"^For '"):
        call(Tensor(np.ones((2, 3), np.float32)))
