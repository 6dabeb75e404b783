"""Compose.reduce as adapters of MindSpore 1.x call it."""

from msbridge.dataset import transforms, vision
from msbridge.dataset.transforms import py_transforms


def _twice(row: object) -> object:
    return row


def test_neighbours_in_python_are_composed() -> None:
    """Judge: MindSpore 1.8.1 and 1.10.0, which wrap functions beside."""
    flipped, moved = vision.RandomHorizontalFlip(), vision.HWC2CHW()
    reduced = py_transforms.Compose.reduce([_twice, vision.ToPIL(), moved, flipped, _twice])
    assert reduced[1:3] == [moved, flipped]
    assert [len(each.transforms) for each in (reduced[0], reduced[3])] == [2, 1]
    assert py_transforms.Compose.reduce([_twice]) == transforms.Compose.reduce((_twice,)) == [_twice]
