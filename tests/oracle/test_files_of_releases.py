"""Checkpoints that the real 1.0.0, 2.0.0 and 2.10.0 wrote load under the release that wrote them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import msbridge
from msbridge import nn

RECORDS = Path(__file__).parent / "checkpoints" / "records"
SHAPES = {"fc.weight": (3, 2), "fc.bias": (3,), "step": (1,), "flag": (2,), "scalar": ()}
DTYPES = ["Float32", "Float16", "Int32", "Bool", "Float32"]


@pytest.fixture(params=["1.0.0", "2.0.0", "2.10.0"])
def release(request: pytest.FixtureRequest) -> Iterator[str]:
    msbridge.set_release(request.param)
    yield request.param
    msbridge.set_release(None)


def test_names_types_and_values(release: str) -> None:
    found = msbridge.load_checkpoint(str(RECORDS / f"small-{release}.ckpt"))
    assert {name: each.shape for name, each in found.items()} == SHAPES
    assert [str(each.dtype) for each in found.values()] == DTYPES
    assert found["fc.weight"].asnumpy().tolist() == [[1, 2], [3, 4], [5, 6]]


def test_a_recurrent_layer_takes_its_weights(release: str) -> None:
    found = msbridge.load_checkpoint(str(RECORDS / f"recurrent-{release}.ckpt"))
    layer = nn.LSTM(2, 3)
    left_out = msbridge.load_param_into_net(layer, found)
    assert not any(left_out)
    for name, each in found.items():
        assert (layer.parameters_dict()[name].asnumpy() == each.asnumpy()).all()
