import msbridge as ms
from msbridge import numpy as mnp


def test_seed_repeats_the_draws() -> None:
    ms.set_seed(3)
    first = mnp.rand(4).asnumpy()
    assert (mnp.rand(4).asnumpy() != first).any()
    ms.set_seed(3)
    assert (mnp.rand(4).asnumpy() == first).all()


def test_randint_stays_in_its_range() -> None:
    drawn = mnp.randint(2, 5, (200,)).asnumpy()
    assert set(drawn) == {2, 3, 4}
