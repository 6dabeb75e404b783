"""Cifar10Dataset, Cifar100Dataset, ImageFolderDataset. Judge: what MindSpore 2.10 answered."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pipelines import column

import msbridge.dataset as ds
from msbridge.dataset import vision


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
    with pytest.raises(RuntimeError, match=r"files are missing under .*data_batch_1.bin"):
        ds.Cifar10Dataset(tmp_path_factory.mktemp("empty"), "train").get_dataset_size()
    with pytest.raises(ValueError, match="does not exist"):
        ds.Cifar10Dataset(cifar / "nope")
    with pytest.raises(ValueError, match="usage"):
        ds.Cifar10Dataset(cifar, usage="x")
    (cifar / "test_batch.bin").write_bytes(b"abc")
    with pytest.raises(RuntimeError, match=r"test_batch\.bin has 3 bytes"):
        column(ds.Cifar10Dataset(cifar, "test"), "label")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("cv2")
    for number, (kind, name) in enumerate((kind, name) for kind in "ab" for name in ("2.png", "1.png", "10.PNG")):
        (tmp_path / kind).mkdir(exist_ok=True)
        pixels = np.full((5 + number, 6, 3), number, np.uint8)
        image.fromarray(pixels).save(tmp_path / kind / name)
    return tmp_path


def test_folders_are_classes(folder: Path) -> None:
    data = ds.ImageFolderDataset(folder, shuffle=False, decode=True)
    assert (data.get_dataset_size(), data.get_col_names(), data.num_classes()) == (6, ["image", "label"], 2)
    assert data.get_class_indexing() == {"a": 0, "b": 1}
    rows = [(row[0].shape, int(row[1])) for row in data.create_tuple_iterator(output_numpy=True)]
    assert rows == [((6, 6, 3), 0), ((7, 6, 3), 0), ((5, 6, 3), 0), ((9, 6, 3), 1), ((10, 6, 3), 1), ((8, 6, 3), 1)]
    assert str(data.output_types()[1]) == "int32"


def test_files_are_bytes_unless_decoded(folder: Path) -> None:
    data = ds.ImageFolderDataset(folder, shuffle=False)
    encoded = next(data.create_tuple_iterator(output_numpy=True))[0]
    assert encoded.tobytes() == (folder / "a" / "1.png").read_bytes()
    resized = data.map([vision.Decode(), vision.Resize((4, 4))], "image").shuffle(10).batch(6)
    assert next(resized.create_tuple_iterator(output_numpy=True))[0].shape == (6, 4, 4, 3)


def test_classes_and_endings_are_chosen(folder: Path) -> None:
    assert column(ds.ImageFolderDataset(folder, shuffle=False, class_indexing={"b": 7}), "label") == [7, 7, 7]
    assert ds.ImageFolderDataset(folder, extensions=[".jpg"]).get_dataset_size() == 0
    assert ds.ImageFolderDataset(folder, extensions=[".png"]).get_dataset_size() == 6
    assert sorted(column(ds.ImageFolderDataset(folder, sampler=ds.PKSampler(1)), "label")) == [0, 1]


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (lambda folder: ds.ImageFolderDataset(folder / "nope"), ValueError, "does not exist"),
        (lambda folder: ds.ImageFolderDataset(folder, extensions="png"), TypeError, "extensions"),
        (lambda folder: ds.ImageFolderDataset(folder, class_indexing=[1]), TypeError, "class_indexing"),
        (lambda folder: ds.ImageFolderDataset(folder, decode=1), TypeError, "decode"),
        (lambda folder: column(ds.ImageFolderDataset(folder, class_indexing={"zz": 1})), RuntimeError, "no data found"),
    ],
)
def test_wrong_arguments_raise(folder: Path, make: Callable, kind: type, says: str) -> None:
    with pytest.raises(kind, match=says):
        make(folder)


def test_a_damaged_image_is_named(folder: Path) -> None:
    (folder / "a" / "1.png").write_bytes(b"no image")
    with pytest.raises(RuntimeError, match=r"1\.png decode failed"):
        column(ds.ImageFolderDataset(folder, decode=True), "label")
