"""Conv1d layers of a MindSpore checkpoint: theirs are there with four axes, as Conv2d of height one."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from msbridge.converters.names.by_guess.groups import Shape

NAME = re.compile(r"conv_?1d", re.IGNORECASE)
WITNESSES = 2  # wide convolutions of height one that make a part of a network one-dimensional, if none there is higher


def conv1d(kernels: Mapping[str, Shape]) -> dict[str, str]:
    """Return the layers that are taken for Conv1d, with the evidence.

    Args:
        kernels: path of a layer → its weight's shape (out, in, height, width).
    """
    higher, wide = Counter[str](), Counter[str]()
    for path, (_, _, height, width) in kernels.items():
        for part in _above(path):
            higher[part] += height > 1
            wide[part] += height == 1 < width
    upright = {height for _, _, height, width in kernels.values() if height > width == 1}
    evidence = {}
    for path, shape in kernels.items():
        paired = shape[3] in upright  # 1×7 beside 7×1: one square kernel in two steps
        if shape[2] == 1 and (why := _evidence(path, shape, higher, wide)) and (not paired or NAME.search(path)):
            evidence[path] = why
    return evidence


def doubtful(kernels: Mapping[str, Shape]) -> dict[str, str]:
    """Return the layers that could be Conv1d though there is no evidence, with what there is."""
    flat = bool(kernels) and all(shape[2:] == (1, 1) for shape in kernels.values())
    doubts = {}
    for path, (_, _, height, width) in kernels.items():
        if height == 1 < width:
            doubts[path] = f"a kernel of 1×{width} beside higher ones"
        elif flat:
            doubts[path] = "all kernels of the file are 1×1"
    return doubts


def _evidence(path: str, shape: Shape, higher: Mapping[str, int], wide: Mapping[str, int]) -> str:
    if NAME.search(path):
        return "its name says so"
    if shape[:2] == (1, 1) and shape[3] > 1:
        return "one channel and a wide kernel"
    for part in _above(path):
        if not higher[part] and wide[part] >= (WITNESSES if part else 1):
            return f"all kernels {f'of {part!r}' if part else 'of the file'} have height one, some are wider"
    return ""


def _above(path: str) -> Iterator[str]:
    """Yield the parts of a network that a layer belongs to, the whole one ("") first."""
    yield ""
    for dot in re.finditer(r"\.", path):
        yield path[: dot.start()]
