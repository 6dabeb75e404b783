"""A tape repeats what an expression launched, bit by bit: a sample of the cases, whose gradients are taken, too.

Left out are families whose expressions make Parameters: their first values are written by numpy, which no tape hears.
"""

import pytest
import torch

from msbridge.core.parameter import step_scalars
from msbridge.device.capture.tape import Tape
from msbridge.device.capture.trial import flat, is_same
from tests.oracle.case import load

FAMILIES = [
    *("activation", "comparison", "elementwise", "functional", "gathering", "indexing", "linalg", "losses", "methods"),
    *("mint_functions", "numpylike", "primitives", "promotion", "reduction", "shapes"),
]
STRIDE = 20


@pytest.mark.parametrize("family", FAMILIES)
def test_cases_are_repeated(family):
    module, cases = load(family)
    repeated = 0
    for case in [case for case in cases if not case.raises][::STRIDE]:
        tape = Tape(torch.device("cpu"))
        with step_scalars.on_device(), tape.recording():
            result = case.run(module)
        if tape.obstacle is None:
            tape.keep(result)
            expected = [data.clone() for data in flat(result)]
            torch.manual_seed(1)  # as `Case.run` does
            found = flat(tape.run()[0])
            assert len(found) == len(expected), case.name
            assert all(is_same(now, then) for now, then in zip(found, expected, strict=True)), case.name
            repeated += 1
    assert repeated
