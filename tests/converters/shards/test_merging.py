"""Judge: the whole tensor, of which pieces are cut with torch."""

import random

import pytest
import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.shards.layout import SliceLayout, uncut
from msbridge.converters.shards.merging import assemble_piece
from msbridge.converters.tensors import lazy_bytes
from msbridge.converters.tensors.entry import entry

LAYOUTS = [
    uncut(2),
    SliceLayout((4,), ((0,), ())),
    SliceLayout((2, 2), ((1,), (0,))),
    SliceLayout((2, 2), ((0,), (1,))),
    SliceLayout((2, 4), ((), (0,)), 4, 2),
    SliceLayout((2, 2, 2), ((2, 1), (0,))),
    SliceLayout((8,), ((), ()), 1, -1),
    SliceLayout((16,), ((), (0,))),
]
WHOLE = torch.arange(16 * 32).reshape(16, 32)


def pieces(layout, whole=WHOLE):
    return {
        rank: entry("w", whole[tuple(slice(*edge) for edge in layout.box(rank, whole.shape))].clone())
        for rank in range(layout.device_count)
    }


@pytest.mark.parametrize("source", LAYOUTS, ids=range(len(LAYOUTS)))
@pytest.mark.parametrize("target", LAYOUTS, ids=range(len(LAYOUTS)))
def test_pieces_are_cut_again_bit_for_bit(source, target):
    held, wanted = pieces(source), pieces(target)
    for rank in range(target.device_count):
        made = assemble_piece("w", held, source, target, rank)
        assert torch.equal(made.tensor(), wanted[rank].tensor())


def test_one_copy_of_each_piece_is_enough():
    source = LAYOUTS[4]
    held = pieces(SliceLayout((2, 2), ((0,), ())))
    del held[0], held[3]
    whole = assemble_piece("w", held, SliceLayout((2, 2), ((0,), ())), uncut(2), 0)
    assert torch.equal(whole.tensor(), WHOLE)
    assert source.device_count == 8


def test_a_piece_that_stays_is_the_same_entry():
    held = pieces(LAYOUTS[2])
    assert assemble_piece("w", held, LAYOUTS[2], LAYOUTS[2], 3) is held[3]


def test_nothing_is_read_before_it_is_written(monkeypatch):
    held = pieces(LAYOUTS[1])
    monkeypatch.setattr(lazy_bytes.InMemory, "tensor", lambda *_: pytest.fail("read too early"))
    assert assemble_piece("w", held, LAYOUTS[1], uncut(2), 0).shape == WHOLE.shape


def test_missing_pieces_are_named():
    held = pieces(LAYOUTS[1])
    del held[2]
    with pytest.raises(CheckpointError, match=r"rank \[2\] is missing"):
        assemble_piece("w", held, LAYOUTS[1], uncut(2), 0)


def test_unequal_pieces_are_refused():
    held = pieces(LAYOUTS[1]) | {1: entry("w", torch.zeros(3, 3))}
    with pytest.raises(CheckpointError, match="pieces of 'w' differ"):
        assemble_piece("w", held, LAYOUTS[1], uncut(2), 0)


def test_a_layout_of_another_tensor_is_refused():
    with pytest.raises(CheckpointError, match="'w' cannot be resharded"):
        assemble_piece("w", pieces(LAYOUTS[1]), uncut(3), uncut(3), 0)
    with pytest.raises(CheckpointError, match="equal pieces"):
        assemble_piece("w", pieces(LAYOUTS[1]), LAYOUTS[1], SliceLayout((64,), ((0,), ())), 0)


def test_empty_tensors_stay_empty():
    made = assemble_piece("w", pieces(LAYOUTS[1], torch.zeros(0, 4)), LAYOUTS[1], uncut(2), 0)
    assert made.tensor().shape == (0, 4)


def test_random_layouts_come_back():
    rng = random.Random(0)
    for _ in range(50):
        one, other = rng.choice(LAYOUTS), rng.choice(LAYOUTS)
        held = {rank: assemble_piece("w", pieces(one), one, other, rank) for rank in range(other.device_count)}
        back = {rank: assemble_piece("w", held, other, one, rank) for rank in range(one.device_count)}
        assert all(torch.equal(back[rank].tensor(), piece.tensor()) for rank, piece in pieces(one).items())
