"""device_target="Ascend" with an NPU, on the stand-in's second face; the recorded cases run on it in test_areas.py."""

import pytest

from tests.standin.processes import run

pytestmark = [pytest.mark.long, pytest.mark.process]
BEGIN = "import numpy as np\nimport msbridge as ms\nfrom msbridge import Tensor, nn, ops\n"
WHERE = "print(ms.get_context('device_target'), Tensor([1.0]).device, (Tensor([1.0]) + 1)._data.device)"

TRAINING = """
from msbridge import train
from msbridge.device import ascend

def trained(target, sink, **settings):
    ms.set_context(device_target=target)
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(6, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Dense(5, 3))
    rows = np.random.default_rng(0).standard_normal((32, 6)).astype(np.float32)
    rows = ms.dataset.NumpySlicesDataset((rows, (np.arange(32) % 3).astype(np.int32)), ["x", "y"], shuffle=False)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = train.Model(net, loss, nn.Momentum(net.trainable_params(), 0.05, 0.9), **settings)
    model.train(3, rows.batch(4), dataset_sink_mode=sink)
    return net

expected = trained("CPU", False)
for sink in (True, False):
    found = trained("Ascend", sink)
    for mine, other in zip(found.get_parameters(), expected.get_parameters()):
        assert mine._data.device.type == "npu"
        assert np.allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-3, atol=1e-4), mine.name
    scaled = trained("Ascend", sink, amp_level="O2", loss_scale_manager=ms.amp.DynamicLossScaleManager(1024.0, 2, 4))
    for mine, other in zip(scaled.get_parameters(), expected.get_parameters()):
        assert np.allclose(mine.asnumpy(), other.asnumpy(), rtol=0.1, atol=0.05), mine.name
print("done")
"""

SEEDS = """
import torch
from msbridge.verify import compare
ms.set_seed(3)
first = ops.standard_normal((4,)).asnumpy()
ms.set_seed(3)
assert np.array_equal(first, ops.standard_normal((4,)).asnumpy())
expected = ops.standard_normal((4,)).asnumpy()
ms.set_seed(3)
ops.standard_normal((4,))
module = torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.Dropout(0.5), torch.nn.ReLU())
net = nn.SequentialCell(nn.Dense(6, 5), nn.Dropout(p=0.5), nn.ReLU())
report = compare(module, net, np.ones((4, 6), np.float32), grad=True)
assert report.is_same, report.verdict
assert np.array_equal(expected, ops.standard_normal((4,)).asnumpy())  # a comparison leaves the device's numbers alone
print("done")
"""


@pytest.mark.parametrize(
    ("code", "variables", "printed"),
    [
        ("pass", {}, "Ascend Ascend:0 npu:0"),
        ("ms.set_context(device_target='Ascend', device_id=1)", {}, "Ascend Ascend:1 npu:1"),
        ("ms.set_device('Ascend', 1)", {}, "Ascend Ascend:1 npu:1"),
        ("pass", {"DEVICE_ID": "1"}, "Ascend Ascend:1 npu:1"),
        ("pass", {"ASCEND_RT_VISIBLE_DEVICES": "1"}, "Ascend Ascend:0 npu:0"),
        ("pass", {"ASCEND_RT_VISIBLE_DEVICES": ""}, "CPU CPU cpu"),
        ("ms.set_context(device_target='CPU')", {}, "CPU CPU cpu"),
    ],
)
def test_ascend_is_the_npu(code: str, variables: dict[str, str], printed: str) -> None:
    assert run("-c", f"{BEGIN}{code}\n{WHERE}", face="npu", **variables).strip() == printed


@pytest.mark.parametrize("code", [TRAINING, SEEDS], ids=["training", "random numbers"])
def test_script_runs_on_the_npu(code: str) -> None:
    assert run("-c", BEGIN + code, face="npu").strip() == "done"
