"""Prepared inference returns the results of `construct`, is not used where it may not be, and follows what changes."""

import copy
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.nn.inference import preparations, prepared

X = Tensor(np.random.default_rng(0).standard_normal((2, 3, 8, 8)), ms.float32)


class Net(nn.Cell):
    """A convolution with normalization, an addition, two activations and a Dense."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, has_bias=True)
        self.norm = nn.BatchNorm2d(4)
        self.again = nn.Conv2d(4, 4, 3)
        self.relu, self.gelu, self.flat = nn.ReLU(), nn.GELU(), nn.Flatten()
        self.drop = nn.Dropout(p=0.5)
        self.head = nn.Dense(256, 5)
        self.scale = 1.0
        draw = np.random.default_rng(1)
        for parameter in self.get_parameters():
            parameter.set_data(Tensor(draw.uniform(-0.1, 0.1, parameter.shape) + 0.11, ms.float32))

    def construct(self, x: Tensor) -> Tensor:
        y = self.relu(self.norm(self.conv(x)))
        y = self.relu(self.again(y) + y)
        return self.gelu(self.head(self.drop(self.flat(y)))) * self.scale


@pytest.fixture(autouse=True)
def any_plan_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use plans that are slower, too: the networks of these tests are tiny."""
    monkeypatch.setattr(prepared, "MIN_SPEEDUP", 0.0)


def is_near(one: Tensor, other: Tensor) -> bool:
    return np.allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-5 * np.abs(other.asnumpy()).max())


def test_layers_are_folded_and_fused() -> None:
    net = Net()
    right = net(X)
    assert ms.optimize(net, X) is net
    assert is_near(net(X), right)
    (found,) = preparations(net)
    assert (found.shapes, found.is_used) == (((2, 3, 8, 8),), True)
    assert {name: count for name, count in found.counts.items() if name != "weights packed"} == {
        "normalizations folded": 1,
        "activations fused": 3,
        "additions fused": 1,
        "attentions fused": 0,
        "products": 3,
    }


@pytest.mark.parametrize(
    "layer",
    [nn.ReLU, nn.ReLU6, nn.Sigmoid, nn.Tanh, nn.SiLU, nn.HSwish, nn.LeakyReLU, nn.GELU, lambda: nn.GELU(False), nn.ELU],
)
def test_activations_after_convolutions_and_dense(layer: Callable[[], nn.Cell]) -> None:
    for net, x in (
        (nn.SequentialCell(nn.Conv2d(3, 4, 3), layer()), X),
        (nn.SequentialCell(nn.Dense(8, 6), layer()), X),
        (nn.SequentialCell(nn.Dense(8, 6), layer()), X[0, 0]),
    ):
        right = net(x)
        ms.optimize(net, x)
        assert is_near(net(x), right)
        assert preparations(net)[0].counts["products"] == 1


@pytest.mark.parametrize("is_packed", [True, False])
def test_both_forms_of_each_product_agree(is_packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(self: prepared.Prepared, *inputs: torch.Tensor) -> bool:
        self.is_packed = is_packed
        self.refresh()
        return is_packed

    monkeypatch.setattr(prepared.Prepared, "choose", choose)

    class Recurrent(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = nn.LSTM(8, 4, 2, bidirectional=True, batch_first=True)

        def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
            output, (hidden, _) = self.lstm(x)
            return output, hidden

    for net, x in ((Net(), X), (Recurrent(), X[:, 0])):
        right = net(x)
        ms.optimize(net, x)
        assert preparations(net)[0].is_used
        pairs = [(net(x), right)] if isinstance(right, Tensor) else zip(net(x), right, strict=True)
        assert all(is_near(*pair) for pair in pairs)


@pytest.mark.parametrize(
    "change",
    [
        lambda net: net.conv.weight.set_data(net.conv.weight * 2),
        lambda net: net.norm.moving_mean.set_data(net.norm.moving_mean + 1),
        lambda net: ops.assign(net.again.weight, net.again.weight + 1),
        lambda net: ops.assign_add(net.head.bias, ops.ones_like(net.head.bias)),
        lambda net: net.head.weight.__setitem__(0, 3.0),
        lambda net: ms.load_param_into_net(net, {p.name: Parameter(p * 2) for p in net.get_parameters()}),
        lambda net: nn.Momentum(net.trainable_params(), 0.1, 0.9)([ops.ones_like(p) for p in net.trainable_params()]),
        lambda net: setattr(net, "scale", 3.0),
        lambda net: setattr(net, "gelu", nn.Sigmoid()),
        lambda net: net.again.__setattr__("weight", Parameter(ops.ones((4, 4, 3, 3), ms.float32), name="other")),
        lambda net: net.relu.register_forward_hook(lambda cell, inputs, output: output + 1),
        lambda net: net.head.to_float(ms.float16),
    ],
)
def test_what_changes_is_followed(change: Callable[[Net], object]) -> None:
    net = Net()
    ms.optimize(net, X)
    before = net(X)
    change(net)
    mine = [net(X), net(X)]
    ms.optimize(net, enable=False)
    right = net(X)
    assert not is_near(before, right)
    tolerance = 1e-2 if net.head._special is not None else 1e-5
    assert all(np.allclose(one.asnumpy(), right.asnumpy(), rtol=tolerance) for one in mine)


def test_tensors_in_attributes_are_followed() -> None:
    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.kernel, self.more = ops.ones((4, 3, 3, 3), ms.float32), [Tensor([1.0])]

        def construct(self, x: Tensor) -> Tensor:
            return ops.relu(ops.conv2d(x, self.kernel)) * self.more[0] + Tensor([1.0])

    net = Scaled()
    ms.optimize(net, X)
    assert preparations(net)[0].is_used
    net.kernel[0] = 3.0
    net.more[0][0] = 2.0
    assert is_near(net(X), net.construct(X))


def test_training_and_gradients_are_those_of_construct() -> None:
    net, plain = Net(), Net()
    ms.optimize(net, X)
    of_mine, of_plain = (ms.grad(one, 0, one.trainable_params())(X) for one in (net, plain))
    assert all(map(is_near, (of_mine[0], *of_mine[1]), (of_plain[0], *of_plain[1])))
    net.set_train()
    assert not is_near(net(X), net(X))  # dropout
    assert is_near(net.set_train(False)(X), net.construct(X))


def test_inputs_of_other_kinds_have_plans_of_their_own() -> None:
    net = Net()
    ms.optimize(net)
    assert preparations(net) == ()
    for x in (X, X[:1], X, ops.transpose(X, (0, 1, 3, 2))):
        assert is_near(net(x), net.construct(x))
    assert [one.shapes[0][0] for one in preparations(net)] == [2, 1, 2]


class Counting(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.calls, self.state = 0, Parameter(Tensor([0.0]), name="state", requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.calls


class Writing(Counting):
    def construct(self, x: Tensor) -> Tensor:
        ops.assign(self.state, self.state + 1)
        return x + self.state


class Reading(Counting):
    def construct(self, x: Tensor) -> Tensor:
        return x * float(x.sum().asnumpy())


class Branching(Counting):
    def construct(self, x: Tensor) -> Tensor:
        return x * 2 if x.sum() > 0 else x * 3


class Drawing(Counting):
    def construct(self, x: Tensor) -> Tensor:
        return x + ops.uniform(x.shape, Tensor(5.0), Tensor(6.0))


class Returning(Counting):
    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return x, self.state


OUTSIDE = Tensor([2.0])


class Outside(Counting):
    def construct(self, x: Tensor) -> Tensor:
        return x * OUTSIDE


@pytest.mark.parametrize("kind", [Counting, Writing, Reading, Branching, Drawing, Returning, Outside])
def test_what_does_more_than_compute_stays_as_it_is(kind: type[Counting]) -> None:
    net, plain = kind(), kind()
    ms.optimize(net)
    for x in (X, X, -X):
        mine, right = net(x), plain(x)
        if kind is Returning:
            assert mine[0] is x
            assert mine[1].asnumpy() == right[1].asnumpy()
        elif kind is not Drawing:
            assert is_near(mine, right)
    if kind is Drawing:
        assert not is_near(net(X), net(X))
    assert not any(one.is_used or not one.reason for one in preparations(net))


def test_what_is_not_faster_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MIN_SPEEDUP", 1e9)
    net = Net()
    ms.optimize(net, X)
    (found,) = preparations(net)
    assert (found.is_used, found.reason) == (False, "it is not faster")
    assert found.speedup is not None


def test_half_precision_and_outputs_of_several_tensors() -> None:
    class Pair(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(8, 4).to_float(ms.float16)

        def construct(self, x: Tensor, y: Tensor) -> dict[str, object]:
            return {"both": (self.dense(x), x + y), "name": "pair", "count": 2}

    net = Pair()
    right = net(X, X)
    ms.optimize(net, X, X)
    mine = net(X, X)
    assert preparations(net)[0].is_used
    assert (mine["name"], mine["count"], mine["both"][0].dtype) == ("pair", 2, ms.float16)
    assert all(map(is_near, mine["both"], right["both"]))


def test_a_network_around_it_that_computes_in_half_precision() -> None:
    net = nn.SequentialCell(nn.Dense(8, 4), nn.ReLU())
    ms.optimize(net, X)
    outer = nn.SequentialCell(net, nn.Dense(4, 2)).to_float(ms.float16)
    right = outer(X)
    ms.optimize(net, enable=False)
    assert right.dtype == ms.float16
    assert is_near(outer(X), right)


def test_copies_are_not_optimized_and_a_level_of_one_cell_asks_for_it() -> None:
    net = Net()
    ms.optimize(net, X)
    assert preparations(copy.deepcopy(net)) == ()
    other = Net()
    other.set_jit_config(ms.JitConfig(jit_level="O1"))
    assert is_near(other(X), net(X))
    assert preparations(other)[0].is_used
    with pytest.raises(TypeError, match="must be a Cell"):
        ms.optimize(lambda x: x)  # type: ignore[type-var]


class Marked(nn.Cell):
    """A network whose `construct` asks for the level itself."""

    def __init__(self) -> None:
        super().__init__()
        self.net = Net()

    @ms.jit(jit_level="O1")
    def construct(self, x: Tensor) -> Tensor:
        return ops.relu(self.net(x))


def test_functions_of_the_level_prepare_the_outermost_cells() -> None:
    net = Net()
    right = ops.softmax(net(X))
    function = ms.jit(lambda x: ops.softmax(net(x)), jit_level="O1")
    assert is_near(function(X), right)
    assert is_near(function(X), right)
    assert [found.is_used for found in preparations(net)] == [True]
    assert not any(preparations(cell) for _, cell in net.cells_and_names() if cell is not net)
    net.set_train()
    loss, gradients = ms.value_and_grad(function, None, net.trainable_params())(X)
    net.set_train(False)
    assert loss.shape == right.shape
    assert all(gradient.asnumpy().any() for gradient in gradients[:2])


def test_a_construct_of_the_level_is_prepared_as_a_whole() -> None:
    marked = Marked()
    right = ops.relu(marked.net(X))
    assert is_near(marked(X), right)
    assert is_near(marked(X), right)
    assert [found.is_used for found in preparations(marked)] == [True]
    assert preparations(marked.net) == ()


@pytest.fixture
def level_of_context() -> Iterator[None]:
    ms.set_context(mode=ms.GRAPH_MODE, jit_level="O1")
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE, jit_level="")


@pytest.mark.usefixtures("level_of_context")
def test_the_context_prepares_outermost_cells_in_graph_mode() -> None:
    net = Net()
    right = net(X)
    assert is_near(net(X), right)
    assert is_near(ms.train.Model(net).predict(X), right)
    assert [found.is_used for found in preparations(net)] == [True]
    assert not any(preparations(cell) for _, cell in net.cells_and_names() if cell is not net)
    net.set_train()(X)
    ms.set_context(jit_level="O0")
    other = Net()
    other(X)
    assert preparations(other) == ()
