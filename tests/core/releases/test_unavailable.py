"""A refused class has the arguments of its release, and says why it cannot be made."""

import inspect

import pytest

from msbridge.core.releases.unavailable import refuse


def test_it_can_be_imported_but_not_made():
    kind = refuse("Push", "optim_type='ApplyMomentum', indices=None", "there are no servers.")
    assert str(inspect.signature(kind)) == "(optim_type='ApplyMomentum', indices=None)"
    with pytest.raises(NotImplementedError, match="Push is not available in msbridge: there are no servers"):
        kind()
