"""The work of a scan grows as the file does, not as its square: calls are counted, as time depends on the machine."""

import sys
from types import FrameType

import pytest

from tests.scan.scanned import findings

HEAD = "from mindspore import nn, ops\nclass N(nn.Cell):\n    def construct(self, x):\n"
IF = "        if x.sum() > {0}:\n"
BODIES = {
    "sequence": lambda n: "".join(f"{IF}            x = x + {{0}}\n".format(i) for i in range(n)),
    "names": lambda n: "".join(
        f"{IF}            y{{0}} = x\n        else:\n            y{{0}} = x + 1\n".format(i) for i in range(n)
    ),
    "returns": lambda n: "".join(f"{IF}            return x + {{0}}\n".format(i) for i in range(n)),
    "elif": lambda n: "".join(
        f"        {'elif' if i else 'if'} x.sum() > {i}:\n            x = x + {i}\n" for i in range(n)
    ),
    "nested": lambda n: (
        "".join(f"{' ' * (8 + i)}if x.sum() > {i}:\n" for i in range(n)) + f"{' ' * (8 + n)}x = x + 1\n"
    ),
    "loops": lambda n: "".join(f"        while x.sum() > {i}:\n            x = x + {i}\n" for i in range(n)),
    "views": lambda n: "".join(f"        y = x[{i}]\n        y[0] = 1\n" for i in range(n)),
}


@pytest.mark.parametrize("body", BODIES)
def test_work_grows_as_the_file_does(body):
    _calls(body, 1)  # what is read once
    assert _calls(body, 80) < 2.3 * _calls(body, 40)


def _calls(body: str, size: int) -> int:
    """Return how many functions are called, and generators resumed, to look through one file."""
    text, found = f"{HEAD}{BODIES[body](size)}        return x\n", 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal found
        found += event == "call"

    sys.setprofile(count)
    try:
        findings(text)
    finally:
        sys.setprofile(None)
    return found
