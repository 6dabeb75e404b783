"""What moves between a device and elsewhere: files, other devices, torch, comparisons."""

from pathlib import Path

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.verify import compare
from msbridge.verify.against_recording import compare_recorded
from msbridge.verify.record.archive import read_recorded, write_recorded

X = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)


def network() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(6, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Dense(5, 3))


def devices(cell: nn.Cell) -> set[str]:
    return {item.device for item in cell.get_parameters()}


@pytest.mark.parametrize("reader", ["GPU", "CPU"])
@pytest.mark.parametrize("writer", ["GPU", "CPU"])
def test_checkpoints_load_on_the_device_of_the_context(writer: str, reader: str, tmp_path: Path) -> None:
    ms.set_context(device_target=writer)
    net = network()
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    ms.set_context(device_target=reader)
    other = network()
    assert ms.load_param_into_net(other, ms.load_checkpoint(str(tmp_path / "net.ckpt"))) == ([], [])
    assert devices(other) == {"GPU:0" if reader == "GPU" else "CPU"}
    for mine, theirs in zip(net.get_parameters(), other.get_parameters(), strict=True):
        np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())


def test_cell_becomes_a_module_on_the_device_and_back() -> None:
    net = network().set_train(False)
    module = ms.to_torch(net)
    data = torch.from_numpy(X).cuda()
    assert {item.device.type for item in module.parameters()} == {"cuda"}
    np.testing.assert_allclose(module(data).detach().cpu().numpy(), net(Tensor(X)).asnumpy(), rtol=1e-4, atol=1e-5)
    cell = ms.from_torch(module)
    assert devices(cell) == {"GPU:0"}
    np.testing.assert_allclose(cell(Tensor(X)).asnumpy(), net(Tensor(X)).asnumpy(), rtol=1e-4, atol=1e-5)


def test_tensor_shares_memory_with_torch_on_the_device() -> None:
    data = torch.ones(3, device="cuda")
    tensor = Tensor(data)
    data.fill_(2)
    assert tensor.device == "GPU:0"
    assert tensor.asnumpy().tolist() == [2.0, 2.0, 2.0]
    assert ms.to_torch(tensor).data_ptr() == data.data_ptr()


def test_transformed_rows_arrive_on_the_device() -> None:
    rows = ms.dataset.NumpySlicesDataset({"x": X, "y": np.arange(4)}, shuffle=False)
    rows = rows.map(lambda x: x * 2, "x", num_parallel_workers=2).batch(2)
    for step, (x, y) in enumerate(rows.create_tuple_iterator(num_epochs=1)):
        assert (x.device, y.device) == ("GPU:0", "GPU:0")
        np.testing.assert_array_equal(x.asnumpy(), X[2 * step : 2 * step + 2] * 2)


def test_evaluation_and_prediction_run_on_the_device() -> None:
    labels = np.array([0, 1, 2, 0], np.int32)
    model = ms.train.Model(network(), nn.SoftmaxCrossEntropyWithLogits(sparse=True), metrics={"accuracy", "loss"})
    rows = ms.dataset.NumpySlicesDataset((X, labels), ["x", "y"], shuffle=False).batch(2)
    for sink in (True, False):
        assert 0 <= model.eval(rows, dataset_sink_mode=sink)["accuracy"] <= 1
    assert model.predict(Tensor(X)).device == "GPU:0"


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("target", ["GPU", "CPU"])
def test_networks_on_any_devices_are_compared(device: str, target: str) -> None:
    ms.set_context(device_target=target)
    module = torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.ReLU(), torch.nn.Linear(5, 3)).to(device)
    net = nn.SequentialCell(nn.Dense(6, 5), nn.ReLU(), nn.Dense(5, 3))
    report = compare(module, net, X, grad=True, train_steps=2)
    assert report.is_same, report.verdict
    report = compare(module, nn.SequentialCell(nn.Dense(6, 5), nn.Tanh(), nn.Dense(5, 3)), torch.from_numpy(X))
    assert not report.is_same


def test_recorded_layers_are_compared_with_a_network_on_a_device(tmp_path: Path) -> None:
    module = torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.ReLU())
    write_recorded(tmp_path / "layers.npz", module, X)
    report = compare_recorded(module.cuda(), read_recorded(tmp_path / "layers.npz"), X)
    assert report.is_same, report.verdict
