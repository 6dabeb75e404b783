"""What jit_level "O2" does: one graph where that can be, pieces or Python where not, and it says which. Traced only."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import CompileWarning, Tensor, nn, ops
from msbridge.core import context
from msbridge.core.jit import compiling
from msbridge.core.jit.compiling import Compiled

X = Tensor(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3))
graphs: list[torch.fx.GraphModule] = []


@pytest.fixture(autouse=True)
def traced_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let "O2" trace, and run what was traced as it is: no C++ is compiled."""
    monkeypatch.setitem(compiling.BACKENDS, "O2", "eager")
    torch._dynamo.reset()
    with context.preserved():
        yield
    graphs.clear()


def gelu_sum(x: Tensor) -> Tensor:
    return ops.gelu(x @ x.T).sum()


def prints(x: Tensor) -> Tensor:
    y = ops.relu(x)
    print(end="")
    return y + 1


def branches(x: Tensor) -> Tensor:
    y = ops.relu(x)
    if y.sum() > 100:
        y = -y
    return y * 2


def fails(x: Tensor) -> Tensor:
    return x + ops.ones((7,), ms.float32)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        weight = Tensor(np.cos(np.arange(12, dtype=np.float32)).reshape(4, 3))
        self.dense = nn.Dense(3, 4, weight_init=weight, bias_init="zeros")
        self.norm = nn.LayerNorm([4])

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(self.norm(self.dense(x)))


def step_of(net: nn.Cell) -> nn.TrainOneStepCell:
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()


def same(left: Tensor, right: Tensor) -> bool:
    return bool(np.allclose(left.asnumpy(), right.asnumpy(), atol=1e-6))


def frames() -> int:
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]


def test_a_function_is_one_graph_and_gives_the_same() -> None:
    before = frames()
    compiled = ms.jit(gelu_sum, jit_level="O2")
    assert same(compiled(X), gelu_sum(X))
    assert same(compiled(X), gelu_sum(X))
    assert frames() == before + 1


def test_it_is_never_the_default() -> None:
    before = frames()
    ms.jit(gelu_sum)(X)
    ms.jit(gelu_sum, jit_level="O0")(X)
    Net()(X)
    assert frames() == before


def test_the_context_decides_where_nothing_is_said() -> None:
    marked = ms.jit(gelu_sum)
    before = frames()
    ms.set_context(jit_level="O2")
    assert same(marked(X), gelu_sum(X))
    assert frames() == before + 1
    ms.set_context(jit_level="O0")
    torch._dynamo.reset()
    marked(X)
    assert frames() == before + 1


def test_gradients_go_through_a_compiled_function() -> None:
    compiled = ms.jit(gelu_sum, jit_level="O2")
    assert same(ms.grad(compiled)(X), ms.grad(gelu_sum)(X))


def test_a_compiled_function_may_take_gradients() -> None:
    whole = ms.jit(ms.value_and_grad(gelu_sum), jit_level="O2")
    (value, gradient), (expected, wanted) = whole(X), ms.value_and_grad(gelu_sum)(X)
    assert same(value, expected)
    assert same(gradient, wanted)


def test_pieces_are_said_with_the_line() -> None:
    with pytest.warns(CompileWarning, match=r"prints is compiled in pieces: .*test_compiling\.py:\d+: print\(end"):
        result = ms.jit(prints, jit_level="O2")(X)
    assert same(result, prints(X))


def test_what_has_no_graph_runs_as_it_is() -> None:
    compiled = ms.jit(branches, jit_level="O2")
    with pytest.warns(CompileWarning, match=r"runs as it is.*test_compiling\.py:\d+: if y\.sum\(\) > 100"):
        compiled(X)
    before = frames()
    assert same(compiled(Tensor(np.ones((4, 4), np.float32))), branches(Tensor(np.ones((4, 4), np.float32))))
    assert frames() == before


def test_mistakes_have_the_class_that_they_have_without_compiling() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileWarning)
        with pytest.raises(ValueError, match="broadcast"):
            ms.jit(fails, jit_level="O2")(X)


def test_fullgraph_refuses_pieces() -> None:
    with pytest.raises(RuntimeError):
        ms.jit(prints, jit_level="O2", fullgraph=True)(X)


def test_a_failing_compiler_leaves_the_function_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the compiler is broken")

    monkeypatch.setattr(torch._dynamo, "lookup_backend", lambda name: fail)
    with pytest.warns(CompileWarning, match="runs in part as it is: the compiler is broken"):
        assert same(ms.jit(gelu_sum, jit_level="O2")(X), gelu_sum(X))


def test_without_a_compiler_it_says_so_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiling, "_missing_compiler", lambda: "no C++ compiler is found")
    compiled = Compiled(gelu_sum, "inductor")
    with pytest.warns(CompileWarning, match="gelu_sum runs as it is: no C"):
        assert same(compiled(X), gelu_sum(X))
    assert same(compiled(X), gelu_sum(X))


def test_a_cell_with_a_configuration_is_compiled() -> None:
    net, plain = Net(), Net()
    net.set_jit_config(ms.JitConfig(jit_level="O2"))
    before = frames()
    assert same(net(X), plain(X))
    assert frames() == before + 1
    assert net.jit_config_dict["jit_level"] == "O2"


@pytest.mark.parametrize("way", ["configuration", "context", "jit"])
def test_a_training_step_is_compiled(way: str) -> None:
    labels = Tensor(np.zeros((2, 4), np.float32))
    net, plain = Net(), Net()
    if way == "configuration":
        net.set_jit_config(ms.JitConfig(jit_level="O2"))
    step, other = step_of(net), step_of(plain)
    expected = [other(X, labels) for _ in range(3)]
    before = frames()
    if way == "context":
        ms.set_context(mode=ms.GRAPH_MODE, jit_level="O2")
    elif way == "jit":
        step = ms.jit(step.construct, jit_level="O2")
    losses = [step(X, labels) for _ in range(3)]
    assert frames() == before + 1
    assert all(map(same, losses, expected))
    for parameter, wanted in zip(net.get_parameters(), plain.get_parameters(), strict=True):
        assert same(parameter, wanted)


def test_graph_breaks_are_listed() -> None:
    assert ms.graph_breaks(gelu_sum, X) == []
    assert ms.graph_breaks(Net(), X) == []
    (found,) = ms.graph_breaks(prints, X)
    assert found.file == __file__
    assert found.source == 'print(end="")'
