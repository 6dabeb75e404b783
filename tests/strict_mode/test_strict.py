"""`msbridge.strict()`: what MindSpore 2.10.0 refuses is refused while it is on, and nothing is asked otherwise."""

import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.core.runtime.call_wrappers import CELL_CALLS
from msbridge.dataset import vision

WHOLE = Tensor([1, 2])
ALONE = "Only msbridge would compute it"


@pytest.fixture
def strict() -> Iterator[ms.strict]:
    with ms.strict() as mode:
        yield mode


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.sigmoid(WHOLE),
        lambda: WHOLE.sigmoid(),
        lambda: nn.Sigmoid()(WHOLE),
        lambda: ops.Sigmoid()(WHOLE),
        lambda: Tensor([1.0j], ms.complex64) * Tensor([1.0]),
        lambda: nn.SequentialCell([nn.Sigmoid()])(WHOLE),
        lambda: ms.grad(lambda x: (x * WHOLE.sigmoid()).sum())(Tensor([1.0, 2.0])),
    ],
    ids=["function", "method", "layer", "primitive", "operator", "in a container", "in a gradient"],
)
def test_a_call_that_mindspore_refuses_is_refused(call: Callable[[], object]) -> None:
    call()
    with ms.strict(), pytest.raises(TypeError, match=ALONE):
        call()
    call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.sigmoid(Tensor([1.0, 2.0])),
        lambda: nn.Dense(3, 2)(Tensor(np.ones((2, 3), np.float32))),
        lambda: ops.cross_entropy(Tensor(np.ones((2, 3), np.float32)), Tensor([0, 1], ms.int32)),
        lambda: ms.value_and_grad(nn.LayerNorm((3,)))(Tensor(np.ones((2, 3), np.float32))),
        lambda: vision.Resize((2, 2))(np.zeros((4, 4, 3), np.uint8)),
        lambda: Tensor(np.ones((2, 3), np.float32))[0, 1:] * 2,
    ],
    ids=["function", "layer", "loss", "gradient", "dataset", "operators"],
)
def test_a_call_that_mindspore_computes_is_computed(call: Callable[[], object], strict: ms.strict) -> None:
    call()


def test_the_message_says_what_is_refused(strict: ms.strict) -> None:
    with pytest.raises(TypeError, match=r"For 'ops.sigmoid', MindSpore 2.10.0 on a CPU refuses input of Int64"):
        ops.sigmoid(WHOLE)


def test_it_leaves_nothing_behind() -> None:
    names = ("sigmoid", "add", "Sigmoid")
    before = [getattr(ops, name) for name in names]
    methods = dict(vars(Tensor)), dict(vars(ops.Sigmoid)), dict(vars(nn.Dense)), nn.Cell.__call__
    layers = CELL_CALLS.layers()
    with ms.strict():
        assert ops.sigmoid is not before[0]
    assert [getattr(ops, name) for name in names] == before
    assert (dict(vars(Tensor)), dict(vars(ops.Sigmoid)), dict(vars(nn.Dense)), nn.Cell.__call__) == methods
    assert CELL_CALLS.layers() == layers


def test_a_function_that_a_module_has_imported_is_strict_too(monkeypatch: pytest.MonkeyPatch) -> None:
    script = ModuleType("script")
    script.sigmoid = before = ops.sigmoid  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "script", script)
    with ms.strict(), pytest.raises(TypeError, match=ALONE):
        script.sigmoid(WHOLE)
    assert script.sigmoid is before


def test_it_holds_from_a_call_on_until_it_is_closed() -> None:
    mode = ms.strict()
    try:
        with pytest.raises(TypeError, match=ALONE):
            ops.sigmoid(WHOLE)
    finally:
        mode.close()
    ops.sigmoid(WHOLE)


def test_it_decorates_a_function() -> None:
    mode = ms.strict()
    mode.close()
    refused = mode(lambda: ops.sigmoid(WHOLE))
    ops.sigmoid(WHOLE)
    with pytest.raises(TypeError, match=ALONE):
        refused()
    ops.sigmoid(WHOLE)


def test_other_threads_are_asked(strict: ms.strict) -> None:
    errors: list[Exception] = []

    def run() -> None:
        try:
            ops.sigmoid(WHOLE)
        except TypeError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(errors) == 1


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(ValueError, match="backend must be one of"):
        ms.strict("gpu")


def test_an_ascend_lacks_operators_and_dtypes() -> None:
    with ms.strict("ascend"):
        ops.sigmoid(WHOLE)
        with pytest.raises(TypeError, match=r"an Ascend, by the API pages of MindSpore 2.10.0, refuses every call"):
            ops.cholesky(Tensor(np.eye(2, dtype=np.float32)))
        with pytest.raises(TypeError, match="Float64"):
            ops.mm(Tensor(np.eye(2)), Tensor(np.eye(2)))
        with pytest.raises(TypeError, match="Float64"):
            ops.MatMul()(Tensor(np.eye(2)), Tensor(np.eye(2)))
        with pytest.raises(TypeError, match="every call"):
            nn.LRN()
