"""Models that are named as `package.module:factory`."""

import pytest
from torch import nn

from msbridge.converters import CheckpointError
from msbridge.converters.factories import factory


@pytest.mark.parametrize("target", ["nothing", "torch.nn:", ":x", "torch.nn:Nothing", "no_such_module:x"])
def test_a_wrong_factory_is_named(target):
    with pytest.raises(CheckpointError, match=target):
        factory(target)


def test_factory_makes_the_module():
    assert isinstance(factory("torch.nn:Identity"), nn.Identity)
