"""Whether two tensors hold the same numbers, perhaps in another layout."""

import pytest
import torch

from msbridge.verify.record.equality import arrange_like, is_close

DATA = torch.randn(4, 5, 6, generator=torch.Generator().manual_seed(0))


def test_close_allows_the_rounding_of_the_coarser_dtype():
    assert is_close(DATA.bfloat16(), DATA)
    assert not is_close(DATA * 1.001, DATA)


@pytest.mark.parametrize(
    ("shape", "other"),
    [((2, 3, 1, 1), (2, 3)), ((2, 3, 4, 5), (2, 4, 5, 3)), ((2, 3, 3, 4), (2, 3, 4, 3)), ((6,), (2, 3))],
)
def test_values_are_laid_as_the_other_tensor(shape, other):
    data = torch.randn(shape)
    moves = {(2, 4, 5, 3): (0, 2, 3, 1), (2, 3, 4, 3): (0, 1, 3, 2)}
    wanted = data.permute(moves[other]) if other in moves else data.reshape(other)
    assert torch.equal(arrange_like(data, wanted), wanted)


def test_tensors_of_another_size_are_left_alone():
    data = torch.randn(2, 3)
    assert arrange_like(data, torch.randn(2, 4)) is data
