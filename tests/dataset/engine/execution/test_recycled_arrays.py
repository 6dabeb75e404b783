"""Recycled arrays: memory is used again once nothing refers to it, and not before."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import msbridge.dataset as ds
from msbridge import Tensor
from msbridge.dataset import vision
from msbridge.dataset.engine.execution import recycled_arrays
from msbridge.dataset.engine.execution.recycled_arrays import MIN_BYTES, RecycledArrays

SHAPE, FLOAT32 = (MIN_BYTES // 4, 2), np.dtype(np.float32)


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_memory_is_used_again_when_nothing_refers_to_it() -> None:
    arrays = RecycledArrays()
    place = address(arrays.empty(SHAPE, FLOAT32))
    again = arrays.empty(SHAPE[::-1], FLOAT32)
    assert (address(again), again.shape, again.flags.c_contiguous, again.flags.writeable) == (
        place,
        SHAPE[::-1],
        True,
        True,
    )


@pytest.mark.compiles
def test_it_does_not_matter_who_evaluates_the_frames() -> None:
    arrays = RecycledArrays()

    def next_address() -> int:
        return address(arrays.empty(SHAPE, FLOAT32))

    by_dynamo = torch._dynamo.run(next_address)  # its evaluator of frames is in place meanwhile
    assert len({next_address(), by_dynamo(), next_address()}) == 1
    held = arrays.empty(SHAPE, FLOAT32)
    assert address(held) not in {next_address(), by_dynamo()}


@pytest.mark.parametrize(
    "hold",
    [
        lambda array: array,
        lambda array: array[3:],
        lambda array: array.T[0],
        lambda array: array.view(np.uint8).reshape(-1)[5:],
        memoryview,
        lambda array: torch.from_numpy(array)[5:],
        lambda array: Tensor(torch.from_numpy(array))[5:],
    ],
    ids=["array", "rows", "transposed", "bytes", "memoryview", "torch", "Tensor"],
)
def test_memory_to_which_anything_refers_is_left(hold: Callable[[np.ndarray], Any]) -> None:
    arrays = RecycledArrays()
    array = arrays.empty(SHAPE, FLOAT32)
    place, holder = address(array), hold(array)
    del array
    assert address(arrays.empty(SHAPE, FLOAT32)) != place
    del holder
    gc.collect()
    assert place in {address(array) for array in (arrays.empty(SHAPE, FLOAT32), arrays.empty(SHAPE, FLOAT32))}


def test_small_arrays_and_objects_are_numpys_own() -> None:
    arrays = RecycledArrays()
    assert arrays.empty((4,), FLOAT32).base is None
    assert arrays.empty(SHAPE, np.dtype(object)).base is None


def test_no_more_is_kept_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recycled_arrays, "MAX_KEPT_BYTES", 2 * MIN_BYTES * 2)
    arrays = RecycledArrays()
    taken = [arrays.empty(SHAPE, FLOAT32) for _ in range(4)]
    assert len({address(array) for array in taken}) == 4
    assert len(arrays._kept) == 2
    del taken
    arrays.empty((MIN_BYTES,), np.dtype(np.uint8))
    assert len(arrays._kept) == 1  # pieces of another size are given up


def test_batches_that_a_script_keeps_do_not_change() -> None:
    images = np.random.default_rng(0).integers(0, 256, (48, 128, 128, 3), np.uint8)
    data = ds.NumpySlicesDataset(images, ["x"], shuffle=False).map(vision.Invert(), "x").map(vision.HWC2CHW(), "x")
    held, places = [], set()
    for number, (batch,) in enumerate(data.map(vision.Rescale(1.0, 0.0), "x").batch(8).create_tuple_iterator()):
        places.add(batch.data_ptr())
        if number % 2:
            held.append((number, batch[2:4]))
    gc.collect()
    for number, part in held:
        rows = images[number * 8 + 2 : number * 8 + 4]
        assert (part.asnumpy() == 255.0 - rows.transpose(0, 3, 1, 2)).all()
