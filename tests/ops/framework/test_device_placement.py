"""What the oracle has not recorded of where tensors lie."""

from typing import Any

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.core.context import context


def test_a_tensor_that_is_there_shares_its_memory_unless_a_copy_is_asked_for() -> None:
    x = Tensor([1.0])
    assert x.to("CPU")._data is x._data
    assert x.to(x)._data is x._data
    assert x.to(ms.float32, copy=True)._data is not x._data


def test_several_gpus_are_told_apart(devices: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    devices(cuda=2)
    context.set_device("GPU", 1)
    moves = []
    x = Tensor(torch.ones(2))
    monkeypatch.setattr(torch.Tensor, "to", lambda data, *where, **how: moves.append((where, how)) or data)
    x.to("GPU")
    x.to("GPU:0", ms.float16)
    x.move_to("GPU", blocking=False)
    assert moves == [
        ((torch.device("cuda", 1), torch.float32, False, False), {}),
        ((torch.device("cuda", 0), torch.float16, False, False), {}),
        ((torch.device("cuda", 1),), {"non_blocking": True}),
    ]


def test_keywords_beside_a_dtype_count() -> None:
    x = Tensor([1.0, 2.0])
    assert x.to(ms.float32, copy=True) is not x
    assert x.to(ms.float16, device="meta").device == "meta"
    assert x.to(ms.float16, other=Tensor([1, 2])).dtype == ms.float16


def test_to_in_place_keeps_the_tensor() -> None:
    x = Tensor([1.0, 2.0])
    assert x.to_("CPU") is x
    assert x.tolist() == [1.0, 2.0]


def test_deleted_memory_leaves_shape_and_dtype() -> None:
    x = Tensor(np.ones((2, 3), np.float16))
    assert x.delete_() is x
    assert (x.shape, x.dtype, x.untyped_storage().nbytes()) == ((2, 3), ms.float16, 2)


@pytest.mark.skipif(torch.accelerator.is_available(), reason="there is a device that reads page-locked memory")
def test_without_a_device_no_memory_is_page_locked() -> None:
    """The oracle's class."""
    with pytest.raises(RuntimeError, match="page-locked for a GPU or NPU; this runs on cpu"):
        Tensor([1.0]).pin_memory()


def test_storages_are_equal_where_memory_is_shared() -> None:
    x = Tensor([1.0, 2.0])
    assert x[1:].untyped_storage() == x.storage()
    assert len({x[1:].untyped_storage(), x.storage()}) == 1
    assert x.copy().storage() != x.storage()


def test_bytes_are_copied_between_storages() -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    x.storage().copy_(y.storage())
    assert x.tolist() == [3.0, 4.0]


def test_a_block_on_meta_makes_shapes_alone_and_then_the_device_is_the_one_before() -> None:
    with ms.DeviceCtx("meta"):
        net = ms.nn.Dense(2, 3)
        assert net.weight.device == "meta"
    assert ms.ops.ones((2,)).device == Tensor([1.0]).device
    with pytest.raises(RuntimeError, match=r"use Cell\.to_empty"):
        net.to("CPU")
    net.to_empty(device="CPU")
    assert (net.weight.device, net.weight.asnumpy().shape) == ("CPU", (3, 2))


def test_a_list_becomes_a_tensor_where_it_is_moved_to() -> None:
    moved = ops.move_to([1, 2], "CPU")
    assert (moved.dtype, moved.asnumpy().tolist()) == (ms.int64, [1, 2])
    with pytest.raises(ValueError, match="XX"):
        ops.move_to(Tensor([1.0]), "XX")
