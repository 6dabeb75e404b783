"""The observer of quantisation-aware training. Judge: the numbers of MindSpore 1.9's documentation, and numpy."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.nn.quantization.dtypes import QuantDtype

X = Tensor(np.array([[1, 2, 1], [-2, 0, -1]], np.float32))


def close(result: Tensor, expected) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_the_documented_result() -> None:
    expected = [[0.9882355, 1.9764705, 0.9882355], [-1.9764705, 0, -0.9882355]]
    close(nn.FakeQuantWithMinMaxObserver()(X), expected)
    close(nn.FakeQuantWithMinMax(num_bits=8)(X), expected)


def test_training_follows_the_range() -> None:
    observer = nn.FakeQuantWithMinMaxObserver(ema=True, ema_decay=0.5).set_train()
    observer(X)
    close(observer.minq, [-4])
    close(observer.maxq, [4])
    assert [parameter.name for parameter in observer.get_parameters()] == ["quant_min", "quant_max"]
    assert not observer.trainable_params()


def test_a_learned_range_is_trained() -> None:
    observer = nn.FakeQuantWithMinMaxObserver(-2, 2, symmetric=True, narrow_range=True, mode="LEARNED_SCALE")
    observer.set_train()
    close(observer(X), np.floor(np.clip(X.asnumpy() / 2, -1, 1) * 127 + 0.5) / 127 * 2)
    observer.maxq.set_data(Tensor([3.0]))
    observer(X)
    close(observer.minq, [-3])
    observer.reset(QuantDtype.INT4, -1, 1)
    close(observer.quant_max, [7])


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"min_init": 6, "max_init": -6}, ValueError),
        ({"min_init": "0"}, TypeError),
        ({"min_init": [-1.0, -2.0]}, ValueError),
        ({"quant_delay": -1}, ValueError),
        ({"mode": "OTHER"}, ValueError),
        ({"mode": "LEARNED_SCALE"}, ValueError),
        ({"mode": "LEARNED_SCALE", "symmetric": True}, ValueError),
    ],
)
def test_what_is_refused(settings: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        nn.FakeQuantWithMinMaxObserver(**settings)


def test_reset_is_for_learned_ranges() -> None:
    with pytest.raises(ValueError, match="LEARNED_SCALE"):
        nn.FakeQuantWithMinMaxObserver().reset()


def test_types_of_bits() -> None:
    assert QuantDtype.INT4.num_bits == 4
    assert QuantDtype.switch_signed(QuantDtype.UINT7) is QuantDtype.INT7
    assert QuantDtype.is_signed(QuantDtype.INT2)
    assert str(QuantDtype.UINT8) == "UINT8"
