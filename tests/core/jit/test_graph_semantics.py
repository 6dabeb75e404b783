"""What the compiler reads in a function's source: once per definition, for all that the function is bound to."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.core.jit import graph_semantics
from msbridge.core.jit.source_text import source_text


@pytest.fixture
def sources_read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    read: list[object] = []
    monkeypatch.setattr(graph_semantics, "source_text", lambda code: read.append(code) or source_text(code))
    return read


def define(power: int, default: int = 1):
    @ms.jit
    def changed(x, scale=default):
        x[0] = 9
        return x * scale + power**-1

    return changed


def test_a_function_that_is_defined_again_is_read_once(sources_read):
    x = Tensor(np.ones(2, np.float32))
    assert define(2)(x).asnumpy().tolist() == [9, 1]  # a power of integers is an integer there
    first = len(sources_read)
    assert first
    assert define(1, default=3)(x).asnumpy().tolist() == [28, 4]  # its own default and closure
    assert len(sources_read) == first
    assert x.asnumpy().tolist() == [1, 1]
