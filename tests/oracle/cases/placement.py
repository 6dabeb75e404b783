"""Tensor.to, move_to, storage and their like, Cell.to and to_empty, Parameter(device=), on the CPU."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case, each

ROW = np.arange(6, dtype=np.float32).reshape(2, 3)


def moved(**how: object) -> list:
    """Dtypes of a Dense after a move, and whether its Parameters are the same objects."""
    net = nn.Dense(2, 2)
    before = net.weight
    found = net.to(**how)
    return [found is net, net.weight is before, str(net.weight.dtype), str(net.bias.dtype)]


def by_position(*how: object) -> str:
    return str(nn.Dense(2, 2).to(*how).weight.dtype)


def counted() -> list:
    """Dtypes where there is a buffer of integers, too."""
    net = nn.Cell()
    net.weight = ms.Parameter(Tensor([1.0, 2.0]), name="weight")
    net.count = ms.Parameter(Tensor([1, 2], ms.int32), name="count", requires_grad=False)
    net.to(ms.float16)
    return [str(net.weight.dtype), str(net.count.dtype), net.weight.asnumpy().tolist()]


def emptied() -> list:
    net = nn.Dense(2, 3)
    return [net.to_empty(device="CPU") is net, net.weight.shape, str(net.weight.dtype)]


def on_meta() -> list:
    with ms.DeviceCtx("meta"):
        made = ms.mint.empty((2, 3))
    return [made.device, str(made), repr(made), made.shape]


CASES = [
    *each("""
        Tensor(ROW).to(ms.float16), Tensor(ROW).to("CPU"), Tensor(ROW).to("cpu"), Tensor(ROW).to(None), Tensor(ROW).to()
        Tensor(ROW).to("CPU", ms.float16), Tensor(ROW).to("CPU", ms.float16, False, True)
        Tensor(ROW).to(ms.int32, True), Tensor(ROW).to("CPU").device
        Tensor(ROW).to(device="CPU", dtype=ms.float16), Tensor(ROW).to(Tensor([1], ms.int32))
        Tensor(ROW).to(other=Tensor([1], ms.int32)), Tensor(ROW).to(ms.bool_), Tensor(ROW).to(ms.float32, copy=True)
        Tensor(ROW).move_to("CPU"), Tensor(ROW).move_to("CPU", False), Tensor(ROW).move_to(to="CPU", blocking=True)
        Tensor(ROW).is_pinned(), Tensor(ROW).is_shared(), Tensor(ROW).device
        Tensor(ROW).storage().nbytes(), Tensor(ROW).untyped_storage().size(), len(Tensor(ROW).untyped_storage())
        Tensor(ROW).untyped_storage().element_size(), Tensor(ROW).untyped_storage().device
        Tensor(ROW).untyped_storage().dtype, Tensor(ROW).untyped_storage().resize_(0).size()
        Tensor(ROW)[1:].untyped_storage().size(), type(Tensor(ROW).storage()) is ms.UntypedStorage
        moved(dtype=ms.float16), moved(device="CPU"), moved(device="CPU", dtype=ms.float16), moved()
        by_position(ms.float16), by_position("CPU"), by_position("cpu", ms.float16, True)
        by_position(Tensor(1.0, ms.float16)), counted(), emptied()
        nn.Dense(2, 2).offload(), nn.Dense(2, 2).offload(3), nn.Dense(2, 2).to_empty().weight.shape
        ms.Parameter(Tensor([1.0]), device="CPU").device, repr(Tensor([1.0]).to("meta")), on_meta()
    """),
    *each(
        """
        Tensor(ROW).to("TPU")
        Tensor(ROW).move_to("TPU")
        Tensor(ROW).move_to(3)
        Tensor(ROW).move_to("CPU", 1)
        Tensor(ROW).to_()
        Tensor(ROW).to_("TPU")
        nn.Dense(2, 2).to("float16")
        nn.Dense(2, 2).to_empty(device="TPU")
        nn.Dense(2, 2).offload("x")
        ms.Parameter(Tensor([1.0]), device="cpu")
        ms.Parameter(Tensor([1.0]), device=3)
        ms.DeviceCtx("TPU").__enter__()
    """,
        raises=ValueError,
    ),
    *each(
        """
        Tensor(ROW).to(3)
        Tensor(ROW).to(int)
        Tensor(ROW).to(dtype="float16")
        Tensor(ROW).to(ms.float16, "CPU")
        Tensor(ROW).to(foo=1)
        Tensor(ROW).to(non_blocking=1)
        Tensor(ROW).move_to()
        nn.Dense(2, 2).to(ms.int32)
        nn.Dense(2, 2).to(3)
        nn.Dense(2, 2).to(foo=1)
        nn.Dense(2, 2).to_empty("CPU")
    """,
        raises=TypeError,
    ),
    Case('nn.Dense(2, 2).to("meta").to("CPU")', raises=RuntimeError),
]
