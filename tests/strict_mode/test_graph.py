"""Graph mode's refusals hold at the call in strict mode."""

from collections.abc import Iterator

import pytest

import msbridge as ms
from msbridge import Tensor, nn


class Trying(nn.Cell):
    """Has a `try`, which the compiler does not support."""

    def construct(self, x: Tensor) -> Tensor:
        try:
            return x + 1
        except ValueError:
            return x


class Holding(nn.Cell):
    """Has a Cell that is refused."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Trying()

    def construct(self, x: Tensor) -> Tensor:
        return self.inner(x)


class Plain(nn.Cell):
    """Has nothing that is refused."""

    def construct(self, x: Tensor) -> Tensor:
        return x + 1


@ms.jit
def imports(x: Tensor) -> Tensor:
    import math

    return x + math.pi


@pytest.fixture
def graph_mode() -> Iterator[None]:
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.usefixtures("graph_mode")
@pytest.mark.parametrize("kind", [Trying, Holding])
def test_what_the_compiler_refuses_of_a_cell_is_refused(kind: type[nn.Cell]) -> None:
    network = kind()
    network(Tensor(1.0))
    with ms.strict(), pytest.raises(RuntimeError, match=r"test_graph.py:\d+: .* does not compile a try statement"):
        network(Tensor(1.0))
    network(Tensor(1.0))


@pytest.mark.usefixtures("graph_mode")
def test_a_cell_that_compiles_runs() -> None:
    with ms.strict():
        Plain()(Tensor(1.0))


def test_what_jit_marks_is_refused() -> None:
    imports(Tensor(1.0))
    with ms.strict(), pytest.raises(RuntimeError, match="does not compile"):
        imports(Tensor(1.0))


def test_eager_mode_runs_python() -> None:
    with ms.strict():
        Trying()(Tensor(1.0))
