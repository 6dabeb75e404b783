"""What the docstrings of rows say of dtypes is what happens."""

import pytest
import torch

import msbridge.api  # noqa: F401  loads every room that has rows
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.definitions import DOCUMENTED
from msbridge.ops.kernel_calls.families import OF_NUMBERS
from msbridge.ops.kernel_calls.row_sections import TAKEN, parse
from tests.ops.kernel_calls.said_dtypes import KINDS, expected

ROWS = [pytest.param(operator, said, id=operator.__name__) for operator, said in DOCUMENTED.items()]


def inputs(operator, *dtypes):
    """Return as many Tensors of ones as the operator has inputs without a default."""
    count = operator.__code__.co_argcount - len(operator.__defaults__ or ())
    return [wrap(torch.ones(2, dtype=dtype)) for dtype in (dtypes * 2)[:count]]


@pytest.mark.parametrize(("operator", "said"), ROWS)
def test_dtypes_are_taken_and_returned_as_said(operator, said):
    taken = TAKEN[said.takes][1]
    for kind, dtypes in KINDS.items():
        for dtype in dtypes:
            if kind in taken:
                assert operator(*inputs(operator, dtype))._data.dtype is expected(said.returns, dtype), dtype
            else:
                with pytest.raises(TypeError):
                    operator(*inputs(operator, dtype))


@pytest.mark.parametrize(("operator", "said"), [row for row in ROWS if row.values[0].__code__.co_argcount == 2])
def test_inputs_broadcast_and_promote(operator, said):
    small, large = {"integer": (torch.int32, torch.int64), "integer or bool": (torch.bool, torch.int32)}.get(
        said.takes, (torch.float16, torch.float32)
    )
    first, second = wrap(torch.ones(3, 1, dtype=small)), wrap(torch.ones(2, dtype=large))
    result = operator(first, second)._data
    assert (result.shape, result.dtype) == ((3, 2), expected(said.returns, large))
    with pytest.raises(ValueError, match="broadcast"):
        operator(first, wrap(torch.ones(2, 5, dtype=large)))


@pytest.mark.parametrize(("operator", "said"), [row for row in ROWS if row.values[0].__code__.co_argcount == 2])
def test_numbers_are_taken_as_said(operator, said):
    tensor = wrap(torch.ones(2, dtype=torch.int32 if "integer" in said.takes else torch.float32))
    if operator.__annotations__[operator.__code__.co_varnames[0]] is not Tensor:
        assert operator(tensor, 1).shape == operator(1, tensor).shape == (2,)
    if operator.__name__ in OF_NUMBERS:
        assert operator(1, 2).shape == ()
    else:
        with pytest.raises(TypeError):
            operator(1.5, 2.5)


def test_other_words_are_refused():
    with pytest.raises(ValueError, match="TAKES -> RETURNS"):
        parse("reals -> same")
