"""What is the Tensor itself, what follows it to new memory, and what is a copy where nothing has to change."""

import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore import numpy as mnp

from tests.oracle.case import Case

MAKERS = {
    **{f"astype({kind!r})": (lambda p, kind=kind: p.astype(kind)) for kind in ("float32", np.float32)},
    "float": lambda p: p.float(),
    "float twice": lambda p: p.float().float(),
    "mint dropout": lambda p: mint.nn.functional.dropout(p, 0.0),
    "mint Flatten": lambda p: mint.nn.Flatten()(p),
    "asfarray": mnp.asfarray,
    "to": lambda p: p.to(p.dtype),
    "type": lambda p: p.type(p.dtype),
    "cast": lambda p: ops.cast(p, p.dtype),
    "swapaxes": lambda p: p.swapaxes(0, 0),
    "mint swapaxes": lambda p: mint.swapaxes(p, 0, 0),
    "rollaxis": lambda p: mnp.rollaxis(p, 0, 0),
    "addn": lambda p: ops.addn([p]),
    "atleast_2d": ops.atleast_2d,
    "concatenate": lambda p: mnp.concatenate((p,)),
    "flatten 0 0": lambda p: p.flatten(start_dim=0, end_dim=0),
    "flatten": ops.flatten,
    "Flatten": lambda p: nn.Flatten()(p),
    "Flatten 0": lambda p: nn.Flatten(0)(p),
    "dropout": lambda p: ops.dropout(p, 0.0),
    "resize": lambda p: p.resize(2, 2),
    "broadcast_to": lambda p: mnp.broadcast_to(p, (2, 2)),
    "deepcopy": ops.deepcopy,
}


def new() -> Tensor:
    return Tensor([[9.0, 8.0], [7.0, 6.0]])


def set_item(index: object, value: float) -> object:
    return lambda tensor: tensor.__setitem__(index, value)


WAYS = {
    "all": set_item(..., 3.0),
    "row": set_item(0, 7.0),
    "mask": lambda tensor: tensor.__setitem__(tensor > 2, 0.0),
    "assign_value": lambda tensor: tensor.assign_value(new()),
    "set_data": lambda tensor: tensor.set_data(new()),
    "assign": lambda tensor: ops.assign(tensor, new()),
}


def followed(kind: type, maker: str, way: str, of_result: bool = False) -> tuple:
    """Change the Tensor, or what was made of it: both, and the class of what was made."""
    tensor = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p") if kind is Parameter else Tensor([[1.0, 2], [3, 4]])
    made = MAKERS[maker](tensor)
    WAYS[way](made if of_result else tensor)
    name = type(made).__name__.replace("StubTensor", "Tensor")  # of 2.0, a Tensor whose value comes later
    return made.asnumpy().copy(), tensor.asnumpy().copy(), name


CASES = [
    Case(f"followed({kind}, {maker!r}, {way!r}, {of_result})")
    for kind in ("Tensor", "Parameter")
    for maker in MAKERS
    for way in WAYS
    for of_result in (False, True)
    if not (way in ("set_data", "assign") and (kind == "Tensor" or of_result))
]
