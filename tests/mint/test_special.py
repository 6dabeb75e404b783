"""mint.special."""

from msbridge import Tensor, mint


def test_values() -> None:
    assert mint.special.expm1(Tensor([0.0])).tolist() == [0.0]
    assert mint.special.round(Tensor([0.5])).tolist() == [0.0]
