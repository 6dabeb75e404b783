"""THOR against its formulas in numpy; it runs on no CPU of the real MindSpore."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.contrib.thor.layers import Conv2dThor, DenseThor, EmbeddingThor

DAMPING, BATCH, SCALE = 0.3, 4, 8.0


class Net(nn.Cell):
    """A convolution, a norm and a dense layer."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3)
        self.flatten = nn.Flatten()
        self.body = nn.SequentialCell([nn.LayerNorm((48,)), nn.Dense(48, 2, activation="relu")])

    def construct(self, x: Tensor) -> Tensor:
        return self.body(self.flatten(self.conv(x)))


class Table(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(5, 3)
        self.dense = nn.Dense(3, 2)

    def construct(self, x: Tensor) -> Tensor:
        return self.dense(self.table(x)).sum(1)


def stepped(net: nn.Cell, x: Tensor, **options: object) -> tuple[dict, dict, dict]:
    """One step of THOR with a momentum of 0 and a rate of 1: the gradients, the changes, and all Parameters."""
    optimizer = nn.thor(
        net, Tensor([1.0]), Tensor([DAMPING]), 0.0, loss_scale=SCALE, batch_size=BATCH, frequency=2, **options
    )
    weights = optimizer.parameters
    before = [weight.asnumpy().copy() for weight in weights]
    loss = ms.value_and_grad(lambda x: (net(x) ** 2).sum() / BATCH * SCALE, None, weights)
    _, gradients = loss(x)
    optimizer(gradients)
    changes = {w.name: old - w.asnumpy() for w, old in zip(weights, before, strict=True)}
    grads = {w.name: g.asnumpy() / SCALE for w, g in zip(weights, gradients, strict=True)}
    return grads, changes, {p.name: p.asnumpy() for p in net.get_parameters()}


def between(gradient: np.ndarray, a: np.ndarray, g: np.ndarray, share_a: float = 1, share_g: float = 1) -> np.ndarray:
    """The gradient of a layer between the inverses of its second moments."""
    left = np.linalg.inv(g * BATCH**2 / SCALE**2 + np.sqrt(DAMPING * share_g) * np.eye(len(g)))
    right = np.linalg.inv(a + np.sqrt(DAMPING * share_a) * np.eye(len(a)))
    return (left @ gradient.reshape(len(g), -1) @ right * share_a).reshape(gradient.shape)


@pytest.fixture
def images() -> Tensor:
    return Tensor(np.random.default_rng(2).normal(size=(BATCH, 2, 4, 4)).astype(np.float32))


def test_a_step_is_that_of_the_formulas(images: Tensor) -> None:
    grads, changes, held = stepped(Net(), images)
    conv = between(grads["conv.weight"], held["conv.matrix_a"], held["conv.matrix_g"], 1 / 16, 1 / 16)
    np.testing.assert_allclose(changes["conv.weight"], conv, rtol=1e-3, atol=1e-6)
    dense = between(grads["body.1.weight"], held["body.1.matrix_a"], held["body.1.matrix_g"])
    np.testing.assert_allclose(changes["body.1.weight"], dense, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(changes["body.1.bias"], grads["body.1.bias"], rtol=1e-4, atol=1e-6)
    norm = grads["body.0.gamma"]
    np.testing.assert_allclose(changes["body.0.gamma"], norm / (norm**2 / BATCH + DAMPING**0.5), rtol=1e-3, atol=1e-6)


def test_a_table_has_a_diagonal() -> None:
    ids = np.array([[0, 1], [1, 1], [4, 2], [1, 0]])
    grads, changes, held = stepped(Table(), Tensor(ids))
    assert held["table.matrix_a"].tolist() == [2, 4, 1, 0, 1]
    right = 1 / (held["table.matrix_a"] / BATCH + DAMPING**0.5)
    left = np.linalg.inv(held["table.matrix_g"] * BATCH**2 / SCALE**2 + DAMPING**0.5 * np.eye(3))
    wanted = right[:, None] * grads["table.embedding_table"] @ left
    np.testing.assert_allclose(changes["table.embedding_table"], wanted, rtol=1e-3, atol=1e-6)


def test_the_second_moments_of_a_convolution_are_those_of_its_mean_patches(images: Tensor) -> None:
    layer = Conv2dThor(2, 3, 1)
    layer(images)
    rows = images.asnumpy().mean(0).reshape(2, 16)
    np.testing.assert_allclose(layer.matrix_a_cov.asnumpy(), rows @ rows.T / 16, rtol=1e-5)
    assert layer.a_normalizer.asnumpy().tolist() == [16.0]
    names = ["weight", "a_normalizer", "g_normalizer", "matrix_a", "matrix_g"]
    assert [parameter.name for parameter in layer.get_parameters()] == names


def test_wide_layers_are_inverted_in_blocks() -> None:
    net = nn.SequentialCell(nn.Dense(130, 3, has_bias=False))
    grads, changes, held = stepped(net, Tensor(np.random.default_rng(1).normal(size=(BATCH, 130)).astype(np.float32)))
    a = held["0.matrix_a"].copy()
    a[:128, 128:] = a[128:, :128] = 0
    np.testing.assert_allclose(changes["0.weight"], between(grads["0.weight"], a, held["0.matrix_g"]), rtol=2e-3)


def test_the_converted_network_computes_the_same_and_has_its_parameters(images: Tensor) -> None:
    net = Net()
    wanted, weights = net(images).asnumpy(), net.trainable_params()
    optimizer = nn.thor(net, Tensor([0.1]), Tensor([DAMPING]), 0.9)
    np.testing.assert_allclose(net(images).asnumpy(), wanted, rtol=1e-5)
    assert isinstance(net.conv, Conv2dThor)
    assert isinstance(net.body[1], DenseThor)
    assert all(mine is theirs for mine, theirs in zip(weights, optimizer.parameters, strict=True))
    assert [p.name for p in optimizer.matrix_a] == ["matrix_a_inv_0", "matrix_a_inv_1"]
    assert isinstance(Table().table, nn.Embedding)
    assert type(EmbeddingThor(5, 3)) is not nn.Embedding


def test_decay_and_clipping_come_after_the_second_moments(images: Tensor) -> None:
    ms.set_seed(3)
    _, plain, _ = stepped(Net(), images)
    ms.set_seed(3)
    net = Net()
    weight = net.conv.weight.asnumpy().copy()
    _, decayed, _ = stepped(net, images, weight_decay=0.5, decay_filter=lambda p: p.name == "conv.weight")
    np.testing.assert_allclose(decayed["conv.weight"], plain["conv.weight"] + 0.5 * weight, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(decayed["body.1.weight"], plain["body.1.weight"], rtol=1e-3, atol=1e-6)
    ms.set_seed(3)
    _, clipped, _ = stepped(Net(), images, enable_clip_grad=True)
    assert all(np.linalg.norm(change) < 1.001 for change in clipped.values())


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"learning_rate": 0.1}, TypeError),
        ({"momentum": 1}, TypeError),
        ({"frequency": 1.5}, TypeError),
        ({"momentum": -0.5}, ValueError),
        ({"frequency": 1}, ValueError),
    ],
)
def test_bad_settings_are_refused(arguments: dict, kind: type) -> None:
    settings = {"learning_rate": Tensor([0.1]), "damping": Tensor([0.1]), "momentum": 0.9} | arguments
    with pytest.raises(kind):
        nn.thor(Net(), **settings)
