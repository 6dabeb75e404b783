"""What one tensor is of another is told in words."""

import pytest
import torch

from msbridge.verify.explain.relations import relation
from msbridge.verify.report.sentences import sentence

DATA = torch.randn(4, 5, 6, generator=torch.Generator().manual_seed(0))
IDS = torch.tensor([[3, 1, 4, 1, 5]])
SEEN = torch.tensor([True, True, False])


@pytest.mark.parametrize(
    ("own", "wanted", "kind", "says"),
    [
        (DATA.permute(2, 0, 1), DATA, "layout", "axes in the order (2, 0, 1)"),
        (DATA.flip(1), DATA, "layout", "reversed along axis 1"),
        (DATA.roll(2, 0), DATA, "layout", "rolled by 2 along axis 0"),
        (DATA[:, 1:4], DATA, "layout", "from 1 to 4 along axis 1"),
        (DATA.flatten()[torch.randperm(120)].view(4, 5, 6), DATA, "layout", "in another order"),
        (2.5 * DATA, DATA, "scale", "times 2.5"),
        (DATA + 0.25, DATA, "constant", "plus 0.25"),
        (torch.zeros(4, 5, 6), DATA, "constant", "0 everywhere"),
        (IDS + 1, IDS, "indices", "plus 1"),
        (IDS.flip(1), IDS, "indices", "reversed"),
        (~SEEN, SEEN, "mask", "inverted"),
        (torch.tensor([True, False, False]), SEEN, "mask", "2 of 3 places, the Cell's in 1 of 3"),
    ],
)
def test_relation_is_named(own, wanted, kind, says):
    found = relation(own, wanted)
    assert found is not None
    assert (found.kind, says in sentence(found.fact)) == (kind, True)


def test_no_relation_between_unlike_tensors():
    assert relation(torch.randn(4, 5, 6, generator=torch.Generator().manual_seed(1)), DATA) is None
