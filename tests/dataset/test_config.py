"""The seed of the pipelines."""

import msbridge.dataset as ds
from msbridge.core.random import seeds as core_random


def test_the_global_seed_is_the_datasets_seed() -> None:
    core_random.set_seed(3)
    assert ds.config.get_seed() == 3
    ds.config.set_seed(9)
    assert ds.config.get_seed() == 9
    core_random.set_seed(4)
    assert ds.config.get_seed() == 4
