"""Judge: a division with numpy; the lists of ranks are MindSpore's (here, and in tests/oracle/cases/sliced.py)."""

import numpy as np
import pytest

from msbridge.converters.shards.layout import SliceLayout, source_ranks, uncut

# source's devices and axes, target's, and what MindSpore 2.10 says for each rank of the target
RECORDED = [
    (([4], [[0], []]), ([2], [[0], []]), [[0, 1, 2, 3]] * 2),
    (([2, 2], [[1], []]), ([2, 2], [[0], []]), [[0, 2], [1, 3], [0, 2], [1, 3]]),
    (([2, 2], [[1], [0]]), ([4], [[0], []]), [[0, 1], [0, 1], [2, 3], [2, 3]]),
    (([2, 4], [[0], [1]]), ([8], [[], [0]]), [[0, 1, 2, 3]] * 4 + [[4, 5, 6, 7]] * 4),
    (([3, 2], [[1]]), ([2, 3], [[0]]), [[0, 2, 4], [1, 3, 5]] * 3),
    (([4, 3], [[], [1]]), ([4], [[], [0]]), [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11], [0, 3, 6, 9]]),
]


def layout(devices: list[int], axes: list[list[int]], step: int = 0, pieces: int = 0) -> SliceLayout:
    return SliceLayout(tuple(devices), tuple(map(tuple, axes)), step, pieces)


@pytest.mark.parametrize(("source", "target", "lists"), RECORDED)
def test_the_ranks_that_are_needed_are_mindspores(source, target, lists):
    assert [source_ranks(layout(*source), layout(*target), rank) for rank in range(len(lists))] == lists


def test_each_rank_has_its_box():
    one = layout([2, 3], [[0], [1]])
    whole = np.arange(6 * 4).reshape(6, 4)
    parts = [whole[tuple(slice(*edge) for edge in one.box(rank, whole.shape))] for rank in range(6)]
    assert [part[0, 0] for part in parts] == [0, 8, 16, 2, 10, 18]
    assert one.pieces() == (3, 2)
    assert one.whole_shape((2, 2)) == (6, 4)


def test_the_optimizer_cuts_what_is_left_along_the_first_axis():
    one = layout([2, 2, 2], [[1], []], 1, 4)
    assert one.pieces() == (8, 1)
    assert [one.box(rank, (8, 1))[0][0] for rank in range(8)] == [0, 1, 4, 5, 2, 3, 6, 7]


def test_a_part_of_the_optimizers_devices_repeats():
    one = layout([8], [[]], 1, 4)
    assert [one.box(rank, (4,))[0][0] for rank in range(8)] == [0, 1, 2, 3] * 2


@pytest.mark.parametrize(
    ("devices", "axes", "says"),
    [
        ([], [[]], "1 to 64 axes"),
        ([0], [[]], "devices"),
        ([1 << 20, 2], [[]], "devices"),
        ([2], [[1]], "cuts one axis"),
        ([2], [[0], [0]], "cuts one axis"),
        ([2], [[-2]], "cuts one axis"),
        ([1] * 65, [[]], "axes"),
    ],
)
def test_impossible_layouts_are_refused(devices, axes, says):
    with pytest.raises(ValueError, match=says):
        layout(devices, axes)


@pytest.mark.parametrize(("step", "pieces", "says"), [(1, 2, "leaves no devices"), (1, 3, "leaves no devices")])
def test_an_optimizer_needs_devices(step, pieces, says):
    with pytest.raises(ValueError, match=says):
        _ = layout([4], [[0]], step, pieces).parts


@pytest.mark.parametrize(
    ("step", "pieces", "says"), [(3, 2, "sharding step 3"), (1, 3, "does not fit"), (1, 8, "does not fit")]
)
def test_an_optimizers_cut_must_fit(step, pieces, says):
    with pytest.raises(ValueError, match=says):
        _ = layout([4], [[]], step, pieces).parts


def test_numbers_of_devices_must_be_multiples():
    with pytest.raises(ValueError, match="from 4 to 3"):
        source_ranks(layout([4], [[0]]), layout([3], [[0]]), 0)


def test_uneven_axes_are_refused():
    with pytest.raises(ValueError, match="cannot be cut"):
        layout([2], [[0]]).box(0, (3,))
    with pytest.raises(ValueError, match="axes of its layout"):
        uncut(1).box(0, (3, 3))
