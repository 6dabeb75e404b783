"""No call asks for the release: what differs was put in place when the release was chosen, and only then loaded."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import msbridge
from msbridge import Parameter, Tensor, dataset, nn, ops, train
from msbridge.core.releases.release import parse
from msbridge.core.releases.rows import ROOMS, rows_of
from msbridge.core.types import dtype as mstype

ROOM = str(Path(msbridge.__file__).parent / "core" / "releases")
X = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
N = Tensor(np.arange(12, dtype=np.int32).reshape(3, 4))
IMAGES = Tensor(np.ones((2, 3, 8, 8), np.float32))
UNARY = "abs exp log sqrt tanh sigmoid relu gelu silu softplus floor ceil round neg sin cos square erf isnan sign"
METHODS = "sum mean max min prod std var argmax argmin abs exp log sqrt tanh flatten ravel T astype"
ALONG = "sum mean max min prod std var argmax argmin cumsum any all"
BINARY = "add sub mul div maximum minimum pow equal not_equal less greater matmul"
SCOPE = {"np": np, "Parameter": Parameter, "Tensor": Tensor, "nn": nn, "ops": ops, "mstype": mstype}
SCOPE |= {"x": X, "n": N, "b": X > 3, "images": IMAGES, "w": Parameter(X, name="w")}
SCOPE |= {"dense": nn.Dense(4, 2), "conv": nn.Conv2d(3, 4, 3), "norm": nn.BatchNorm2d(3), "drop": nn.Dropout(p=0.5)}
CALLS = (
    *(f"ops.{name}(x)" for name in UNARY.split()),
    *("x.astype(mstype.int32)" if name == "astype" else f"x.{name}" + "()" * (name != "T") for name in METHODS.split()),
    *(f"{'b' if name in ('any', 'all') else 'x'}.{name}(axis=1)" for name in ALONG.split() if name != "cumsum"),
    *(f"ops.{name}(x, {'x.T' if name == 'matmul' else 'x'})" for name in BINARY.split()),
    *("x.max(0)", "x.min(1)", "x.max(axis=0, return_indices=True)", "x.repeat(2, 1)", "x.repeat(2, axis=0)"),
    *("Tensor(1.0)", "Tensor([1.0, 2.0])", "Tensor(2)", "Tensor(np.ones(3))", "Tensor([[1, 2]], mstype.float16)"),
    *("x + 1", "2 / n", "n / 2", "x * x", "-x", "x @ x.T", "x > 1", "x[0]", "x[:, 1:]", "x[n > 3]", "x[0, 1] + 1.5"),
    *("ops.zeros((2, 3))", "ops.ones((2, 3), mstype.int32)", "ops.arange(5)", "ops.full((2,), 1.5)", "ops.eye(3)"),
    *("ops.concat((x, x))", "ops.stack([x, x])", "ops.split(x, 2, 1)", "x.reshape(4, 3)", "x.transpose(1, 0)"),
    *("ops.softmax(x)", "ops.one_hot(n, 12)", "ops.topk(x, 2)", "ops.where(b, x, 0.0)", "ops.clamp(x, 0, 1)"),
    *("ops.gather(x, Tensor([0, 1]), 0)", "ops.cast(x, mstype.int32)", "ops.tile(x, (2, 1))", "ops.norm(x)"),
    *("dense(x)", "conv(images)", "norm(images)", "drop(x)", "nn.ReLU()(x)", "nn.Softmax()(x)", "w + x", "w.value()"),
    *("ops.ReduceMax()(x, 1)", "ops.MatMul()(x, x.T)", "str(x)", "x.asnumpy()", "x.shape"),
)


def questions(run):
    """Return what of the room of releases runs in a call, by name."""
    asked = Counter()

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(ROOM):
            asked[frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return asked


@pytest.fixture(params=[None, "1.0", "1.1", "1.5", "1.8", "1.10", "2.0"])
def followed(request):
    msbridge.set_release(request.param)
    return request.param


def test_a_hundred_everyday_calls_ask_nothing(followed):
    assert len(set(CALLS)) >= 100
    asked = {}
    for call in CALLS:
        code = compile(call, call, "eval")
        try:
            eval(code, SCOPE)  # imports what is imported at the first call
        except (TypeError, ValueError, AttributeError):
            assert followed, call  # a release does not have all of them
            continue
        if found := questions(lambda code=code: eval(code, SCOPE)):
            asked[call] = dict(found)
    taken = {name for found in asked.values() for name in found}
    assert taken <= {"<lambda>"}, asked  # earlier arguments, passed on


def test_a_step_of_training_asks_nothing(followed):
    data = dataset.NumpySlicesDataset((np.ones((8, 4), np.float32), np.ones((8, 2), np.float32)), ["x", "y"]).batch(2)
    network = nn.Dense(4, 2)
    model = train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.1, 0.9), {"mae"})

    def asked_of(epochs):
        return questions(lambda: model.train(epochs, data, dataset_sink_mode=False))

    asked_of(1)
    assert asked_of(3) == asked_of(1), "so a step asks"


LOADED = """
import sys
import msbridge
msbridge.set_release({release!r})
import msbridge.nn, msbridge.ops, msbridge.numpy, msbridge.dataset, msbridge.train
network = msbridge.nn.Dense(2, 3)
network(msbridge.ops.ones((1, 2), msbridge.float32))
print(*(name for name in sys.modules if ".legacy." in name))
"""


@pytest.mark.process
@pytest.mark.parametrize("release", [None, "1.8", "1.10", "2.0"])
def test_overrides_are_loaded_under_their_release_alone(release):
    code = LOADED.format(release=release)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    of = {match[1].replace("_", ".") for name in found if (match := re.search(r"\.r(\d+_\d+)", name))}
    pending = (row for room in ROOMS for rows in rows_of(room).values() for row in rows)
    wanted = {row.legacy for row in pending if release and parse(row.since) > parse(release)}
    assert of <= wanted
    assert bool(of) == bool(release)
