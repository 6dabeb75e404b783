"""Cifar10Dataset, Cifar100Dataset. Judge: what MindSpore 2.10 answered."""

from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from tests.dataset.pipelines import column


def write_cifar(path: Path, count: int, labels: int, seed: int = 0) -> np.ndarray:
    rows = np.random.RandomState(seed).randint(0, 256, (count, labels + 3072)).astype(np.uint8)
    rows[:, :labels] = np.arange(count)[:, None] % 10 + 10 * np.arange(labels)
    path.write_bytes(rows.tobytes())
    return rows[:, labels:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)


@pytest.fixture
def cifar(tmp_path: Path) -> Path:
    for number in range(1, 6):
        write_cifar(tmp_path / f"data_batch_{number}.bin", 4, 1, number)
    write_cifar(tmp_path / "test_batch.bin", 3, 1)
    return tmp_path


def test_cifar10(cifar: Path) -> None:
    sizes = [ds.Cifar10Dataset(cifar, usage).get_dataset_size() for usage in ("train", "test", "all", None)]
    assert sizes == [20, 3, 23, 23]
    data = ds.Cifar10Dataset(cifar, "test", shuffle=False)
    row = next(data.create_dict_iterator(output_numpy=True))
    assert [(name, str(value.dtype), value.shape) for name, value in row.items()] == [
        ("image", "uint8", (32, 32, 3)),
        ("label", "uint32", ()),
    ]
    np.testing.assert_array_equal(row["image"], write_cifar(cifar / "test_batch.bin", 3, 1)[0])
    assert column(data, "label") == [0, 1, 2]


def test_cifar100(tmp_path: Path) -> None:
    write_cifar(tmp_path / "train.bin", 3, 2)
    data = ds.Cifar100Dataset(tmp_path, shuffle=False)
    assert data.get_col_names() == ["image", "coarse_label", "fine_label"]
    assert (column(data, "coarse_label"), column(data, "fine_label")) == ([0, 1, 2], [10, 11, 12])


def test_cifar_files_that_are_missing_or_damaged(cifar: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(RuntimeError, match=r"files are missing under .*data_batch"):
        ds.Cifar10Dataset(tmp_path_factory.mktemp("empty"), "train").get_dataset_size()
    with pytest.raises(ValueError, match="does not exist"):
        ds.Cifar10Dataset(cifar / "nope")
    with pytest.raises(ValueError, match="usage"):
        ds.Cifar10Dataset(cifar, usage="x")
    (cifar / "test_batch.bin").write_bytes(b"abc")
    with pytest.raises(RuntimeError, match=r"test_batch\.bin has 3 bytes"):
        column(ds.Cifar10Dataset(cifar, "test"), "label")
