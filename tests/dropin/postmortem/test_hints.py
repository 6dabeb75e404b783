"""What a script is told that took the result of a call for something else."""

from collections.abc import Callable

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge import ops as P
from msbridge.dropin.postmortem.hints import Hint, hint_for
from msbridge.mappings import table

ROWS = table("hints.toml", Hint)
x = Tensor(np.array([[1.0, 2.0], [3.0, 3.0]], np.float32))
CALLS = {
    "mindspore.Tensor.max": lambda: x.max(0),
    "mindspore.Tensor.min": lambda: x.min(0),
    "mindspore.load_param_into_net": lambda: ms.load_param_into_net(nn.ReLU(), {"w": ms.Parameter(x)}),
    "mindspore.ops.Dropout": lambda: P.Dropout(0.5)(x),
    "mindspore.ops.max": lambda: ops.max(x),
    "mindspore.ops.min": lambda: ops.min(x),
    "mindspore.ops.unique": lambda: ops.unique(x),
}


def attribute_of_a_call() -> None:
    ops.unique(x).asnumpy()


def operand() -> None:
    highest = x.max(0)
    print(highest - 1)


def argument_of_an_operator() -> None:
    found = ops.max(x)
    ops.exp(found)


def call_of_a_primitive_in_a_cell() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.drop = P.Dropout(0.5)

        def construct(self, x: Tensor) -> Tensor:
            return self.drop(x) * 2.0

    Net()(x)


def method_of_an_intermediate() -> None:
    (x + 1).min(0).asnumpy()


def same_name_in_two_statements() -> None:
    y = ops.unique(x)
    y = ops.max(x)
    y.shape


def caught(action: object) -> Exception:
    with pytest.raises((AttributeError, TypeError)) as error:
        action()
    return error.value


@pytest.mark.parametrize(
    ("action", "path"),
    [
        (attribute_of_a_call, "ops.unique returns (values, indices)"),
        (operand, "Tensor.max returns (values, indices) where"),
        (argument_of_an_operator, "ops.max returns (values, indices)"),
        (call_of_a_primitive_in_a_cell, "ops.Dropout returns (output, mask)"),
        (method_of_an_intermediate, "Tensor.min returns (values, indices) where"),
        (same_name_in_two_statements, "ops.max returns"),
    ],
)
def test_hint_names_the_call(action: object, path: str) -> None:
    assert str(hint_for(caught(action))).startswith(path)


def test_a_change_names_its_release() -> None:
    assert "before MindSpore 2.5 it returned a Tensor. Instead: x.max(axis=0)" in str(hint_for(caught(operand)))


def test_other_failures_have_no_hint() -> None:
    assert hint_for(caught(lambda: (1, 2).asnumpy())) is None
    assert hint_for(caught(lambda: ops.unique(x, 3, 4))) is None
    assert hint_for(ValueError("tuple")) is None
    assert hint_for(TypeError("tuple")) is None


def quotient_as_an_index() -> None:
    half = (Tensor([7, 2], ms.int32) / 2).asnumpy()
    np.arange(9)[half]


def quotient_in_a_package() -> None:
    rows = ops.true_divide(Tensor([8], ms.int32), 2)
    np.eye(rows.asnumpy()[0])


def quotient_in_place() -> None:
    places = Tensor([7, 2], ms.int32)
    places /= 2
    ops.gather(Tensor([1.0, 2.0, 3.0, 4.0]), places, 0)


def size_that_was_a_method() -> None:
    x.size()


def text_that_was_bytes() -> None:
    "a".decode()


@pytest.mark.parametrize(
    ("action", "release", "was"),
    [
        (quotient_as_an_index, "2.2", "Int32 [3, 1]"),
        (quotient_in_a_package, "2.2", "Int32 [3, 1]"),
        (quotient_in_place, "2.2", "Int32 [3, 1]"),
        (size_that_was_a_method, "1.0", "True"),
        (text_that_was_bytes, "1.8", "b'a'"),
    ],
)
def test_a_form_of_an_earlier_release_is_named(action: Callable[[], None], release: str, was: str) -> None:
    import msbridge.dataset  # noqa: F401 its rows are those of its room

    with pytest.raises((AttributeError, IndexError, TypeError, ValueError)) as error:
        action()
    hint = str(hint_for(error.value))
    assert f"returned {was} before. `msbridge run --release {release}` restores that." in hint


def quotient_of_python() -> None:
    half = 7 / 2
    [1, 2, 3][half]


def quotient_of_another_shape() -> None:
    ops.reshape(Tensor([7, 2], ms.int32) / 2, (3,))


@pytest.mark.parametrize("action", [quotient_of_python, quotient_of_another_shape])
def test_a_failure_for_another_reason_names_no_release(action: Callable[[], None]) -> None:
    with pytest.raises((AttributeError, IndexError, TypeError, ValueError)) as error:
        action()
    assert "--release" not in str(hint_for(error.value))


@pytest.mark.parametrize("path", ROWS)
def test_row_names_what_is_there_and_the_type_that_it_gives(path: str) -> None:
    value = ms
    for part in path.split(".")[1:]:
        value = getattr(value, part)
    assert callable(value)
    assert type(CALLS[path]()).__name__ == ROWS[path].result
