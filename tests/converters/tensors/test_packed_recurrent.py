"""Judge: torch's nn.LSTM on the recorded checkpoint of the real 1.0.0, and the Cell of r1.0, which its record holds."""

from pathlib import Path

import numpy as np
import pytest
import torch

import msbridge
from msbridge import nn
from msbridge.converters import convert
from msbridge.converters.errors import MismatchError
from msbridge.converters.tensors.packed_recurrent import find_packed_lstms
from msbridge.core.tensor.tensor import Tensor
from tests.oracle.recorded import answers

X, STATE = (np.random.default_rng(0).normal(size=shape).astype(np.float32) for shape in ((3, 2, 4), (1, 2, 3)))


class Module(torch.nn.Module):
    def __init__(self, layers: int = 1, **options: bool) -> None:
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 3, layers, **options)
        self.head = torch.nn.Linear(3, 2)

    def forward(self, x: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        return self.head(self.lstm(x, (state, state))[0])


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 3)
        self.head = nn.Dense(3, 2)

    def construct(self, x: Tensor, state: Tensor) -> Tensor:
        return self.head(self.lstm(x, (state, state))[0])


def run(net: nn.Cell) -> np.ndarray:
    return net(Tensor(X), Tensor(STATE)).asnumpy()


def of_release(name: str) -> Net:
    msbridge.set_release(name)
    return Net()


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return the checkpoint that 1.0.0 wrote of its network."""
    path = tmp_path / "written.ckpt"
    path.write_bytes(answers("r1_0.saved_files", "1.0.0")["network()"])
    return path


@pytest.fixture
def expected(written: Path) -> np.ndarray:
    """What the network of r1.0 computes with its own weights."""
    net = of_release("1.0")
    assert net.lstm.weight.shape == (108, 1, 1)
    msbridge.load_checkpoint(str(written), net)
    return run(net)


def test_torch_computes_what_1_0_does(expected: np.ndarray, written: Path, tmp_path: Path) -> None:
    module = Module()
    convert(written, tmp_path / "a.pth", torch_model=module)
    module.load_state_dict(torch.load(tmp_path / "a.pth", weights_only=True))
    found = module(torch.from_numpy(X), torch.from_numpy(STATE))
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-5, atol=1e-7)


def test_a_cell_of_today_gets_them(expected: np.ndarray, written: Path, tmp_path: Path) -> None:
    net = of_release("2.10")
    convert(written, tmp_path / "a.ckpt", cell=net)
    assert msbridge.load_checkpoint(str(tmp_path / "a.ckpt"), net, strict_load=True)
    np.testing.assert_allclose(run(net), expected, rtol=1e-5, atol=1e-7)


def test_it_loads_into_a_cell_of_today(expected: np.ndarray, written: Path) -> None:
    net = of_release("2.10")
    with pytest.warns(UserWarning, match="form of another release"):
        left = msbridge.load_param_into_net(net, msbridge.load_checkpoint(str(written)))
    assert left == ([], [])
    np.testing.assert_allclose(run(net), expected, rtol=1e-5, atol=1e-7)


def test_weights_of_today_load_into_a_cell_of_1_0(tmp_path: Path) -> None:
    net = of_release("2.10")
    msbridge.save_checkpoint(net, str(tmp_path / "a.ckpt"))
    former = of_release("1.0")
    with pytest.warns(UserWarning, match="form of another release"):
        assert msbridge.load_param_into_net(former, msbridge.load_checkpoint(str(tmp_path / "a.ckpt"))) == []
    np.testing.assert_allclose(run(former), run(net), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("options", [{}, {"bias": False}, {"bidirectional": True}])
@pytest.mark.parametrize("device", ["CPU", "GPU"])
def test_there_and_back(device: str, options: dict[str, bool]) -> None:
    module = torch.nn.LSTM(4, 3, 2, **options)
    weights = {name: one.detach() for name, one in module.named_parameters()}
    shapes = {name: tuple(one.shape) for name, one in weights.items()}
    whole = {"weight": (sum(map(torch.numel, weights.values())), 1, 1)}
    (there,), (back,) = (list(find_packed_lstms(*pair, device == "GPU")) for pair in ((whole, shapes), (shapes, whole)))
    assert there.sources == back.targets == tuple(weights)
    flat = there.operation.apply([weights[name] for name in there.sources])
    again = dict(zip(back.targets, back.operation.apply(flat), strict=True))
    x = torch.randn(5, 2, 4)
    other = torch.nn.LSTM(4, 3, 2, **options)
    other.load_state_dict(again)
    torch.testing.assert_close(other(x)[0], module(x)[0])


def test_another_size_is_no_fit(written: Path, tmp_path: Path) -> None:
    with pytest.raises(MismatchError, match=r"'lstm\.weight' is not in the model"):
        convert(written, tmp_path / "a.pth", torch_model=Module(2))
