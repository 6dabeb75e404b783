"""What the tests of the device report share: a little network, and reports of values made for them."""

import numpy as np

from msbridge import nn
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.report.facts import (
    Communication,
    Finding,
    Layer,
    Memory,
    Operator,
    Place,
    Read,
    Seen,
    Shapes,
    Span,
)
from msbridge.device.report.judging import findings
from msbridge.device.report.outcome import Report

HOSTILE = "</td><script>alert('x')</script>\"'&<b>"


class Net(nn.Cell):
    """A convolution and a layer behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, pad_mode="same")
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(32, 3)

    def construct(self, x: Tensor) -> Tensor:
        return self.fc(self.flatten(self.conv(x)))


def batch(size: int = 4, scale: float = 1.0) -> Tensor:
    return Tensor(np.full((size, 1, 4, 4), scale, np.float32))


def found(seen: Seen, kind: str) -> Finding:
    return next(finding for finding in findings(seen) if finding.kind == kind)


def kinds(seen: Seen) -> set[str]:
    return {finding.kind for finding in findings(seen)}


def hostile() -> Report:
    place = Place(HOSTILE, 3, HOSTILE)
    seen = Seen(
        *("Ascend", HOSTILE, "graph"),
        seconds=3.0,
        steps=100,
        spans=(Span(0, 1, 1, 50, 0.2, 0.1, 1, 0), Span(1, 3, 0, 50, 0.5, 0, 0, 50)),
        reads=(Read(place, "", 50, 50, 3, 200, 0), Read(place, HOSTILE, 50, 50, 0, 200, 0)),
        memory=Memory(2**33, 0, 1, 1, 2**20, 2**20, 4, (Layer(HOSTILE, HOSTILE, 2**20),)),
        operators=(Operator(HOSTILE, "MatMul", HOSTILE, ("float32",), 1, 1e9), Operator("relu", "", "", (), 1)),
        shapes=(Shapes(0, ((3, 4), ()), 9, 0), Shapes(0, ((5, 4), ()), 9, 0)),
        capture=HOSTILE,
        communications=(Communication(HOSTILE, 3, 2**31, 2**30, 2**30, 2.0),),
        under_way=2**31,
    )
    values = {"reader": "", "waits": 1, "steps": 1, "every": 1.0}
    return Report(seen, (*findings(seen), Finding("unplanned read", "note", place, values)))
