"""What jit_level "O2" does: one graph where that can be, pieces or Python where not, and it says which. Traced only."""

import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import CompileWarning, Tensor, nn, ops
from msbridge.core import torch_private
from msbridge.core.jit import compiler
from msbridge.core.jit.compiler import Compiled, prepare
from msbridge.core.runtime import profiler_ranges
from tests.processes import python

pytestmark = pytest.mark.compiles

X = Tensor(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3))
graphs: list[torch.fx.GraphModule] = []


@pytest.fixture(autouse=True)
def traced_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let "O2" trace, and run what was traced as it is: no C++ is compiled."""
    monkeypatch.setitem(compiler.BACKENDS, "O2", "eager")
    torch._dynamo.reset()
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


def test_the_context_alone_compiles_nothing_and_says_so_once() -> None:
    marked, net = ms.jit(gelu_sum), Net()
    before = frames()
    with pytest.warns(CompileWarning, match="MSBRIDGE_COMPILE=1"):
        ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O2"})
    marked(X)  # a second warning would be an error
    net(X)
    assert frames() == before


def test_the_context_decides_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSBRIDGE_COMPILE", "1")
    marked = ms.jit(gelu_sum)
    before = frames()
    ms.set_context(jit_level="O2")
    assert same(marked(X), gelu_sum(X))
    assert frames() == before + 1
    ms.set_context(jit_level="O0")
    torch._dynamo.reset()
    marked(X)
    assert frames() == before + 1


@pytest.fixture
def compiling_context(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(compiler.VARIABLE, "1")
    yield
    ms.set_context(jit_level="O0")


def test_an_optimizer_that_was_called_in_a_compiling_context_runs_as_it_is_after_it(compiling_context: None) -> None:
    net = nn.Dense(3, 2)
    optimizer = nn.Adam(net.trainable_params())
    ms.set_context(mode=ms.GRAPH_MODE, jit_level="O2")
    net(X)
    ms.set_context(jit_level="O0")
    optimizer([Tensor(np.ones(p.shape, np.float32)) for p in optimizer.parameters])
    settings = optimizer.__dict__.get("_special")
    assert settings is None or settings.in_graph is None


def test_layers_are_named_in_a_compiling_context_and_it_goes_on_after_that(compiling_context: None) -> None:
    own = nn.Cell.__call__
    ms.set_context(mode=ms.GRAPH_MODE, jit_level="O2")
    compiled = nn.Cell.__call__
    profiler_ranges.begin()
    with torch.profiler.profile() as profile:
        nn.Dense(3, 2)(X)
    ms.set_context(jit_level="O1")  # nothing on a CPU
    ms.set_context(jit_level="O2")
    profiler_ranges.end()
    assert "Default/network-Dense" in {event.key for event in profile.key_averages()}
    assert nn.Cell.__call__ is not own
    assert nn.Cell.__call__.__qualname__ == compiled.__qualname__
    net = nn.Dense(3, 2)
    net(X)
    assert net._special.in_graph is not None
    ms.set_context(mode=ms.PYNATIVE_MODE, jit_level="O0")
    assert nn.Cell.__call__ is own


def test_gradients_go_through_a_compiled_function() -> None:
    compiled = ms.jit(gelu_sum, jit_level="O2")
    assert same(ms.grad(compiled)(X), ms.grad(gelu_sum)(X))


def test_a_compiled_function_may_take_gradients() -> None:
    whole = ms.jit(ms.value_and_grad(gelu_sum), jit_level="O2")
    (value, gradient), (expected, wanted) = whole(X), ms.value_and_grad(gelu_sum)(X)
    assert same(value, expected)
    assert same(gradient, wanted)


def test_pieces_are_said_with_the_line() -> None:
    with pytest.warns(CompileWarning, match=r"prints is compiled in pieces: .*test_compiler\.py:\d+: print\(end"):
        result = ms.jit(prints, jit_level="O2")(X)
    assert same(result, prints(X))


def test_what_has_no_graph_runs_as_it_is() -> None:
    compiled = ms.jit(branches, jit_level="O2")
    with pytest.warns(CompileWarning, match=r"runs as it is.*test_compiler\.py:\d+: if y\.sum\(\) > 100"):
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

    monkeypatch.setattr(torch_private, "lookup_backend", lambda name: fail)
    with pytest.warns(CompileWarning, match="runs in part as it is: the compiler is broken"):
        assert same(ms.jit(gelu_sum, jit_level="O2")(X), gelu_sum(X))


def test_without_a_compiler_it_says_so_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiler, "_missing_compiler", lambda: "no C++ compiler is found")
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


@pytest.mark.parametrize("position", [None, 0])
def test_a_lstm_trains_outside_of_the_graph(position: int | None) -> None:
    """torch's compiler breaks it where its input needs no gradient."""
    layer = nn.LSTM(3, 4)
    compiled = Compiled(lambda x: ops.relu(layer(x)[0]).sum(), "eager")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileWarning)
        gradients = ms.grad(compiled, position, layer.trainable_params())(ops.ones((2, 1, 3), ms.float32))
    assert (compiled._graphs > 1) is (position is None)
    assert all(gradient.abs().max() > 0 for gradient in (gradients if position is None else gradients[1]))


@pytest.mark.parametrize("way", ["configuration", "context", "jit"])
def test_a_training_step_is_compiled(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = Tensor(np.zeros((2, 4), np.float32))
    net, plain = Net(), Net()
    if way == "configuration":
        net.set_jit_config(ms.JitConfig(jit_level="O2"))
    step, other = step_of(net), step_of(plain)
    expected = [other(X, labels) for _ in range(3)]
    before = frames()
    if way == "context":
        monkeypatch.setenv("MSBRIDGE_COMPILE", "1")
        ms.set_context(mode=ms.GRAPH_MODE, jit_level="O2")
    elif way == "jit":
        step = ms.jit(step.construct, jit_level="O2")
    losses = [step(X, labels) for _ in range(3)]
    assert frames() == before + 1
    assert all(map(same, losses, expected))
    for parameter, wanted in zip(net.get_parameters(), plain.get_parameters(), strict=True):
        assert same(parameter, wanted)


def test_graph_mode_takes_cells_without_a_hash() -> None:
    class Compared(Net):
        def __eq__(self, other: object) -> bool:
            return self is other

    net = Compared()
    ms.set_context(mode=ms.GRAPH_MODE)
    assert same(net(X), net.construct(X))


def test_graph_breaks_are_listed() -> None:
    assert ms.graph_breaks(gelu_sum, X) == []
    assert ms.graph_breaks(Net(), X) == []
    (found,) = ms.graph_breaks(prints, X)
    assert found.file == __file__
    assert found.source == 'print(end="")'


Y = Tensor(np.linspace(1, 3, 6, dtype=np.float32).reshape(2, 3))
INTS = Tensor(np.arange(6, dtype=np.int32).reshape(2, 3))
BOOLS = Tensor(np.array([[True, False, True], [False, True, True]]))
ROWS = Tensor(np.array([1, 0], np.int32))
TRACED = {  # what a line computes is traced as one graph, and equals the result without
    "operators": lambda x, y, i, b, k: (
        x + y,
        x - y,
        x * y,
        x / y,
        x // y,
        x % y,
        y**x,
        x @ y.T,
        -x,
        +x,
        abs(x),
        ~b,
        ~i,
    ),
    "numbers": lambda x, y, i, b, k: (
        x + 1,
        1 + x,
        1 - x,
        2 * x,
        2 / y,
        x // 2,
        x % 2,
        y**2,
        2**x,
        i & 3,
        i | 1,
        i ^ 2,
    ),
    "comparisons": lambda x, y, i, b, k: (x < y, x <= y, x > y, x >= y, x == y, x != y, x > 1, b & b, b | b, b ^ b),
    "indices": lambda x, y, i, b, k: (x[0], x[:, 1], x[0, 1], x[..., 0], x[None], x[::2], x[k], x[0:2, k], x[[0, 1]]),
    "properties": lambda x, y, i, b, k: (x.T, x.mT, x.shape, x.dtype, x.ndim, x.size, len(x), x.is_floating_point()),
    "reductions": lambda x, y, i, b, k: (
        x.sum(),
        x.mean(1),
        x.max(),
        x.argmax(),
        x.var(),
        x.cumsum(0),
        i.sum(),
        b.all(),
    ),
    "shapes": lambda x, y, i, b, k: (
        x.reshape(-1),
        x.view(3, 2),
        x.transpose(),
        x.permute(1, 0),
        x.tile((2, 1)),
        x.split(1),
    ),
    "axes": lambda x, y, i, b, k: (
        x.expand_dims(0),
        x.unsqueeze(0),
        x.squeeze(),
        x.broadcast_to((2, 2, 3)),
        x.repeat(2, 0),
    ),
    "types": lambda x, y, i, b, k: (x.astype(ms.float16), x.int(), x.bool(), i.float(), x.half()),
    "elementwise": lambda x, y, i, b, k: (
        x.exp(),
        y.log(),
        y.sqrt(),
        x.tanh(),
        x.sigmoid(),
        x.clip(0.5, 1.0),
        x.floor(),
    ),
    "linear algebra": lambda x, y, i, b, k: (
        x.matmul(y.T),
        x.mm(y.T),
        x.inner(y),
        x.norm(),
        ops.bmm(x[None], y.T[None]),
    ),
    "choices": lambda x, y, i, b, k: (x.masked_fill(b, 0.0), x.where(b, y), x.sort(), x.topk(2), ops.gather(x, k, 0)),
    "activations": lambda x, y, i, b, k: (ops.relu(x), ops.gelu(x), ops.softmax(x), ops.silu(x), ops.log_softmax(x)),
    "joining": lambda x, y, i, b, k: (ops.concat((x, y)), ops.stack([x, y]), ops.one_hot(i, 6), ops.zeros_like(x)),
    "creation": lambda x, y, i, b, k: (
        ops.zeros((2, 2)),
        ops.full((2, 2), 1.5),
        ops.arange(3),
        ops.eye(3),
        Tensor([0, 1]),
    ),
    "layers": lambda x, y, i, b, k: (ops.layer_norm(x, (3,), y[0], y[0]), ops.cross_entropy(x, k), ops.mse_loss(x, y)),
    "images": lambda x, y, i, b, k: (ops.max_pool2d(x[None, None], 2), ops.conv2d(x[None, None], y[None, None])),
}
UNTRACED = {  # what ends a graph, and why: to be taken off when torch learns it
    "the values are asked for": lambda x, y, i, b, k: x.asnumpy(),
    "they are asked for one by one": lambda x, y, i, b, k: x.tolist(),
    "the next line depends on a value": lambda x, y, i, b, k: x if x.sum() > 3 else y,
    "torch refuses a mean of integers, and Dynamo does not catch it": lambda x, y, i, b, k: i.mean(),
    "torch refuses negative steps, and Dynamo does not catch it": lambda x, y, i, b, k: x[:, ::-1],
    "Dynamo does not trace questions about an ndarray": lambda x, y, i, b, k: Tensor(np.ones(3, np.float32)) + x,
}
if torch.__version__ >= "2.14":
    del UNTRACED["torch refuses a mean of integers, and Dynamo does not catch it"]


def listed(result: object) -> object:
    if isinstance(result, tuple | list):
        return [listed(item) for item in result]
    return (str(result.dtype), result.asnumpy().tolist()) if isinstance(result, Tensor) else result


@pytest.mark.parametrize("what", TRACED)
def test_operators_and_methods_of_tensors_trace(what: str) -> None:
    prepare()
    inputs = X, Y, INTS, BOOLS, ROWS
    traced = torch.compile(TRACED[what], backend="eager", fullgraph=True)
    assert listed(traced(*inputs)) == listed(TRACED[what](*inputs))


@pytest.mark.parametrize("why", UNTRACED)
def test_what_ends_a_graph_is_known(why: str) -> None:
    compiled = ms.jit(UNTRACED[why], jit_level="O2", fullgraph=True)
    with pytest.raises(RuntimeError):
        compiled(X, Y, INTS, BOOLS, ROWS)


@pytest.mark.process
@pytest.mark.long
@pytest.mark.skipif(shutil.which("g++") is None, reason="Inductor compiles C++")
def test_a_second_start_does_not_compile_again(tmp_path: Path) -> None:
    script = (
        "import torch, numpy as np, msbridge as ms\n"
        "x = ms.Tensor(np.ones((4, 4), np.float32))\n"
        "result = ms.jit(lambda x: ms.ops.tanh(ms.ops.gelu(x) * 2), jit_level='O2')(x)\n"
        "assert np.allclose(result.asnumpy(), ms.ops.tanh(ms.ops.gelu(x) * 2).asnumpy(), atol=1e-6)\n"
        "found = torch._dynamo.utils.counters['inductor']\n"
        "print(found['fxgraph_cache_miss'], found['fxgraph_cache_hit'])\n"
    )
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path)}
    starts = [python("-c", script, env=environment) for _ in range(2)]
    assert [start.stdout.split() for start in starts] == [["1", "0"], ["0", "1"]]


def test_operations_of_compiled_graphs_are_not_told() -> None:
    with pytest.raises(RuntimeError, match="FlopsUtilizationCollector"):
        ms.flops_collection()


def test_a_step_with_an_optimizer_is_traced_in_pieces_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    net = nn.Dense(3, 1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    step.set_jit_config(ms.JitConfig(jit_level="O2"))
    kinds: list[bool] = []
    compile_function = Compiled._compile_function
    monkeypatch.setattr(
        Compiled, "_compile_function", lambda self, is_whole: kinds.append(is_whole) or compile_function(self, is_whole)
    )
    step(X, Tensor(np.ones((2, 1), np.float32)))
    assert kinds == [False]
