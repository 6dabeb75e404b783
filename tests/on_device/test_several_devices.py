"""Two devices: which one a script gets, and processes that have one each."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops

pytestmark = [pytest.mark.needs(gpus=2), pytest.mark.process]
ROOT = Path(__file__).parents[2]
BEGIN = "import msbridge; msbridge.install()\nimport mindspore as ms\nfrom mindspore import Tensor, nn, ops\n"


def printed(code: str, *words: str, **variables: str) -> list[str]:
    """Run a script in a process of its own, with the variables of the stand-in where this one has it."""
    command = [sys.executable, *words, "-c", BEGIN + code] if not words else [sys.executable, *words, code]
    done = subprocess.run(
        command, env=dict(os.environ) | variables, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_context_chooses_the_device() -> None:
    ms.set_context(device_target="GPU", device_id=1)
    made = [Tensor([1.0]), Parameter(Tensor([1.0])), ops.ones(2), ops.add(1, 2), ops.standard_normal((2,))]
    made.append(nn.Dense(2, 2)(Tensor([[1.0, 2.0]])))
    made += next(ms.dataset.NumpySlicesDataset(np.ones((4, 2), np.float32)).batch(2).create_tuple_iterator())
    assert [item.device for item in made] == ["GPU:1"] * len(made)


@pytest.mark.parametrize(
    ("code", "variables", "device"),
    [
        ("ms.set_device('GPU', 1)", {}, "GPU:1"),
        ("ms.set_context(device_target='GPU', device_id=1)", {}, "GPU:1"),
        ("pass", {"DEVICE_ID": "1"}, "GPU:1"),
        ("pass", {"CUDA_VISIBLE_DEVICES": "1"}, "GPU:0"),
        ("pass", {"CUDA_VISIBLE_DEVICES": ""}, "CPU"),
    ],
)
def test_script_and_environment_choose_the_device(code: str, variables: dict[str, str], device: str) -> None:
    lines = printed(f"{code}\nprint(Tensor([1.0]).device, (Tensor([1.0]) + 1).device)", **variables)
    assert lines == [f"{device} {device}"]


TRAINING = """
import numpy as np
import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops, train
from mindspore.communication import get_group_size, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE, device_target="GPU")
init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True{context})
ms.set_seed(1)
x = np.random.default_rng(0).standard_normal((32, 6)).astype(np.float32)
y = (np.arange(32) % 3).astype(np.int32)
sampler = ds.DistributedSampler(get_group_size(), get_rank(), shuffle=False)
rows = ds.NumpySlicesDataset((x, y), ["x", "y"], sampler=sampler).batch(4)
weight = Tensor(np.cos(np.arange(18)).reshape(3, 6).astype(np.float32))
net = nn.Dense(6, 3, weight_init=weight, bias_init="zeros")
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
train.Model(net, loss, nn.Momentum(net.trainable_params(), 0.05, 0.9)).train(2, rows, dataset_sink_mode={sink})
total = ops.AllReduce()(Tensor([1.0 + get_rank()]))
print("RANK", get_rank(), net.weight.device, total.device, total.asnumpy().tolist(), net.weight.asnumpy().tolist())
"""


def outcomes(tmp_path: Path, context: str, sink: bool) -> list[list]:
    script = tmp_path / "train.py"
    script.write_text(TRAINING.format(context=context, sink=sink))
    lines = printed(str(script), "-m", "msbridge", "run", "--nproc", "2")
    found = sorted(line[line.index("RANK") :].split(maxsplit=4) for line in lines if "RANK" in line)
    return [[rank, weights, device, eval(rest.replace("] [[", "], [["))] for _, rank, weights, device, rest in found]


def alone() -> np.ndarray:
    """The weights after the same steps of one process on the CPU, with the rows of both in a batch."""
    ms.set_context(device_target="CPU")
    x = np.random.default_rng(0).standard_normal((32, 6)).astype(np.float32)
    y = (np.arange(32) % 3).astype(np.int32)
    order = np.concatenate([[*range(2 * i, 2 * i + 8, 2), *range(2 * i + 1, 2 * i + 9, 2)] for i in range(0, 16, 4)])
    rows = ms.dataset.NumpySlicesDataset((x[order], y[order]), ["x", "y"], shuffle=False).batch(8)
    weight = Tensor(np.cos(np.arange(18)).reshape(3, 6).astype(np.float32))
    net = nn.Dense(6, 3, weight_init=weight, bias_init="zeros")
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    made = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    ms.train.Model(net, loss, made).train(2, rows, dataset_sink_mode=False)
    return net.weight.asnumpy()


@pytest.mark.parametrize("sink", [True, False], ids=["sink", "steps"])
@pytest.mark.parametrize("context", ["", ", enable_parallel_optimizer=True"], ids=["replicas", "divided state"])
def test_two_processes_train_on_a_device_each(context: str, sink: bool, tmp_path: Path) -> None:
    first, second = outcomes(tmp_path, context, sink)
    assert first[:3] == ["0", "GPU:0", "GPU:0"]
    assert second[:3] == ["1", "GPU:1", "GPU:1"]
    assert first[3][0] == second[3][0] == [3.0]
    np.testing.assert_array_equal(first[3][1], second[3][1])
    np.testing.assert_allclose(first[3][1], alone(), rtol=1e-4, atol=1e-5)
