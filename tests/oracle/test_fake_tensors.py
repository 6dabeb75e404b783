"""What the stand-in has no kernels for, on torch's fake tensors of a GPU: where results lie, their shapes and dtypes.

The cases are those of the rows of `on_device.toml` that say so of the stand-in. A fake tensor has no values: a read by
the host is an error. torch indexes fake tensors of a GPU only where it knows of one.
"""

import importlib.util
from collections.abc import Iterator
from types import ModuleType

import pytest
import torch
from mindspore import Tensor, ops
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

from msbridge.core.context import context
from tests.oracle.case import Case
from tests.oracle.test_on_device import TABLE, Row
from tests.oracle.test_replay import LOADED

pytestmark = pytest.mark.needs(gpus=1)
GPU = torch.device("cuda", 0)
CASES = [
    (family, case)
    for family, rows in TABLE.items()
    for row in (Row(**row) for row in rows if row.get("stand_in"))
    for case in LOADED[family][1]
    if row.explains(case, "")
]


@pytest.fixture
def fake_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make new Tensors without values, on a GPU; what would be compiled runs as it is."""
    monkeypatch.setattr(context._state, "device", GPU)
    with torch.compiler.set_stance("force_eager"), FakeTensorMode(allow_non_fake_inputs=True):
        yield


def imported_again(module: ModuleType) -> ModuleType:
    """Return the cases of a family with Tensors that are made now."""
    spec = importlib.util.spec_from_file_location("cases_again", module.__file__)
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    return fresh


def forms(value: object) -> object:
    """Return a result with shapes and dtypes instead of Tensors."""
    if isinstance(value, Tensor):
        return tuple(value.shape), value.dtype
    return type(value)(map(forms, value)) if isinstance(value, tuple | list) else value


def devices(value: object) -> Iterator[torch.device]:
    if isinstance(value, Tensor):
        yield value._data.device
    elif isinstance(value, tuple | list):
        for item in value:
            yield from devices(item)


@pytest.fixture
def expected(family: str, case: Case) -> object:
    context.set_context(device_target="CPU")
    with torch.compiler.set_stance("force_eager"):
        return forms(case.run(imported_again(LOADED[family][0])))


@pytest.mark.parametrize(("family", "case"), CASES, ids=[case.name for _, case in CASES])
def test_results_are_those_of_the_cpu_and_lie_on_the_gpu(
    family: str, case: Case, expected: object, fake_device: None
) -> None:
    result = case.run(imported_again(LOADED[family][0]))
    assert forms(result) == expected
    assert set(devices(result)) <= {GPU}


def test_a_read_by_the_host_is_an_error(fake_device: None) -> None:
    with pytest.raises(DataDependentOutputException):
        bool(ops.standard_normal((1,)) > 0)
