"""What `import mindspore` loads: few of our modules, and nothing heavy that torch has not loaded before."""

import json
import subprocess
import sys

import pytest

from tests.processes import python

MAX_MODULES = 300  # of msbridge, after `import mindspore`
MAX_MODULES_OF_A_LAYER = 40  # more, after the first layer was made and called
HEAVY = (
    *("PIL", "cryptography", "cv2", "google.protobuf", "matplotlib", "networkx", "numpy.f2py", "onnx", "pandas"),
    *("rich", "scipy", "sympy", "tensorboard", "torch._dynamo", "torch._inductor", "torch.distributed.tensor"),
    *("torch.onnx", "torch.testing", "torch.utils.tensorboard"),
)
ROOMS = ("contrib", "converters", "dataset", "mindir", "mint", "numpy", "scan", "scipy", "train", "verify")
PROGRAM = """
import json, sys, threading, torch
before = set(sys.modules)
import msbridge
msbridge.install()
import mindspore
after = set(sys.modules)
{then}
print(json.dumps([sorted(after - before), sorted(set(sys.modules) - after), result]))
"""


def loaded(then: str) -> tuple[list[str], list[str], object]:
    """Return what the import loads beside what the fork server has, what `then` loads besides, and its `result`."""
    return tuple(json.loads(python("-c", PROGRAM.format(then=then)).stdout))


def ours(modules: list[str]) -> list[str]:
    return [name for name in modules if name.startswith("msbridge")]


@pytest.mark.process
def test_few_modules_are_loaded_and_none_of_the_rooms_that_few_programs_need() -> None:
    first, then, _ = loaded("layer = mindspore.nn.Dense(2, 2); result = layer(mindspore.ops.ones((1, 2))).shape")
    assert len(ours(first)) <= MAX_MODULES
    assert len(ours(then)) <= MAX_MODULES_OF_A_LAYER
    assert [name for name in first if name.startswith(tuple(f"msbridge.{room}" for room in ROOMS))] == []


@pytest.mark.process
def test_nothing_heavy_is_loaded() -> None:
    command = [sys.executable, "-c", PROGRAM.format(then="result = None")]  # the fork server has some of them
    first, _, _ = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert [name for name in first if name.startswith(HEAVY)] == []


@pytest.mark.process
def test_threads_that_ask_at_once_get_the_same() -> None:
    """Each takes all names of a room, in another order."""
    _, _, result = loaded("""
from mindspore import nn, ops
orders = [sorted(nn.__all__), sorted(nn.__all__, reverse=True), sorted(dir(ops)), sorted(dir(ops), reverse=True)]
rooms, found = [nn, nn, ops, ops], [None] * 4
gate = threading.Barrier(4)
def take(number):
    gate.wait()
    found[number] = {name: id(getattr(rooms[number], name)) for name in orders[number]}
threads = [threading.Thread(target=take, args=(number,)) for number in range(4)]
[each.start() for each in threads]
[each.join() for each in threads]
result = [None not in found and found[0] == found[1] and found[2] == found[3], len(found[0]), len(found[2])]
""")
    agree, layers, operators = result
    assert agree
    assert layers > 200
    assert operators > 400


@pytest.mark.process
def test_a_release_overrides_what_is_loaded_later() -> None:
    _, _, result = loaded("""
msbridge.set_release("1.10")
earlier = mindspore.nn.Dropout, mindspore.ops.Dropout, mindspore.ops.operations.Dropout, mindspore.ops.max
msbridge.set_release(None)
newest = mindspore.nn.Dropout, mindspore.ops.Dropout, mindspore.ops.operations.Dropout, mindspore.ops.max
result = [a is b for a, b in zip(earlier, newest)] + [newest[1] is newest[2], earlier[1] is earlier[2]]
""")
    assert result[-2:] == [True, True]
    assert not result[3]
