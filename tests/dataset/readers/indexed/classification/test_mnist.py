"""MnistDataset, and the pipeline that scripts put after it. Judge: what MindSpore 2.10 answered."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core.runtime import path_mapping
from msbridge.core.types.dtype import int32
from msbridge.dataset import transforms, vision
from tests.dataset.pipelines import column, write_mnist


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_mnist(tmp_path, "train", 12)
    write_mnist(tmp_path, "t10k", 4, seed=1)
    return tmp_path


def test_columns(folder: Path) -> None:
    data = ds.MnistDataset(str(folder), "train", shuffle=False)
    row = next(data.create_dict_iterator(output_numpy=True))
    assert {name: (str(value.dtype), value.shape) for name, value in row.items()} == {
        "image": ("uint8", (28, 28, 1)),
        "label": ("uint32", ()),
    }
    assert data.get_col_names() == ["image", "label"]
    np.testing.assert_array_equal(row["image"][..., 0], write_mnist(folder, "train", 12)[0])


@pytest.mark.parametrize(("usage", "size"), [("train", 12), ("test", 4), ("all", 16), (None, 16)])
def test_usage(folder: Path, usage: str | None, size: int) -> None:
    data = ds.MnistDataset(folder, usage, shuffle=False)
    assert data.get_dataset_size() == len(column(data, "label")) == size


def test_it_is_shuffled_unless_told_otherwise(folder: Path) -> None:
    write_mnist(folder, "train", 64)
    in_order = column(ds.MnistDataset(folder, "train", shuffle=False), "label")
    shuffled = column(ds.MnistDataset(folder, "train"), "label")
    assert in_order == [value % 10 for value in range(64)] != shuffled
    assert Counter(in_order) == Counter(shuffled)


def test_some_per_class(folder: Path) -> None:
    chosen = column(ds.MnistDataset(folder, "train", sampler=ds.PKSampler(2)), "label")
    assert Counter(chosen) == dict.fromkeys(range(10), 2)


def test_paths_are_mapped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(path_mapping.VARIABLE, f"/no/such/data={folder.parent}")
    assert ds.MnistDataset(f"/no/such/data/{folder.name}", "test").get_dataset_size() == 4


def test_a_missing_folder_raises_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"The folder .*nope does not exist"):
        ds.MnistDataset(str(tmp_path / "nope"))
    with pytest.raises(TypeError, match="dataset_dir"):
        ds.MnistDataset(5)
    with pytest.raises(ValueError, match="usage"):
        ds.MnistDataset(str(tmp_path), usage="foo")


def test_a_folder_without_files_is_empty_until_read(tmp_path: Path) -> None:
    data = ds.MnistDataset(str(tmp_path), "test")
    assert data.get_dataset_size() == 0
    with pytest.raises(RuntimeError, match=r"(?s)no data found.*t10k-images-idx3-ubyte"):
        column(data, "label")


def _cut(folder: Path) -> None:
    path = folder / "train-images-idx3-ubyte"
    path.write_bytes(path.read_bytes()[:1000])


def _stretch(folder: Path) -> None:
    path = folder / "train-labels-idx1-ubyte"
    path.write_bytes(path.read_bytes() + b"1")


def _empty(folder: Path) -> None:
    (folder / "train-images-idx3-ubyte").write_bytes(b"\0\0")


def _other(folder: Path) -> None:
    path = folder / "train-images-idx3-ubyte"
    path.write_bytes(b"abcd" + path.read_bytes()[4:])


def _mixed(folder: Path) -> None:
    labels = (folder / "t10k-labels-idx1-ubyte").read_bytes()
    (folder / "train-labels-idx1-ubyte").write_bytes(labels)


def _alone(folder: Path) -> None:
    (folder / "train-labels-idx1-ubyte").unlink()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (_cut, "train-images-idx3-ubyte should have 9424 bytes by its header, but has 1000"),
        (_stretch, "train-labels-idx1-ubyte should have 20 bytes by its header, but has 21"),
        (_empty, "train-images-idx3-ubyte has 2 bytes"),
        (_other, "the magic number of .*train-images-idx3-ubyte should be 2051, but got 1633837924"),
        (_mixed, "should be equal to the labels number of .*train-labels-idx1-ubyte, got 12 and 4"),
        (_alone, "train-labels-idx1-ubyte, but"),
    ],
)
def test_a_damaged_file_is_named(folder: Path, damage: object, says: str) -> None:
    damage(folder)
    with pytest.raises(RuntimeError, match=says if damage is not _alone else "train-labels-idx1-ubyte is not"):
        column(ds.MnistDataset(folder, "train"), "label")


def pipeline(folder: Path, size: object = (32, 32)) -> ds.Dataset:
    data = ds.MnistDataset(folder, "train", shuffle=False)
    data = data.map(operations=transforms.TypeCast(int32), input_columns="label", num_parallel_workers=1)
    for operation in (
        vision.Resize(size, interpolation=vision.Inter.LINEAR),
        vision.Rescale(1.0 / 255.0, 0.0),
        vision.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081),
        vision.HWC2CHW(),
    ):
        data = data.map(operations=operation, input_columns="image", num_parallel_workers=1)
    return data


def test_the_tutorials_pipeline_equals_its_steps_one_by_one(folder: Path) -> None:
    images = write_mnist(folder, "train", 12)
    batches = list(pipeline(folder).batch(5).create_dict_iterator(output_numpy=True))
    assert [batch["image"].shape for batch in batches] == [(5, 1, 32, 32), (5, 1, 32, 32), (2, 1, 32, 32)]
    assert {str(batch["image"].dtype) for batch in batches} == {"float32"}
    assert {str(batch["label"].dtype) for batch in batches} == {"int32"}
    resize, first = vision.Resize((32, 32)), vision.Rescale(1.0 / 255.0, 0.0)
    second, turn = vision.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081), vision.HWC2CHW()
    single = np.stack([turn(second(first(resize(image[..., None])))) for image in images])
    np.testing.assert_array_equal(np.concatenate([batch["image"] for batch in batches]), single)


def test_it_does_not_depend_on_where_the_operations_stand(folder: Path) -> None:
    def images(data: ds.Dataset) -> np.ndarray:
        return np.concatenate([row["image"] for row in data.create_dict_iterator(output_numpy=True)])

    before = images(pipeline(folder, 32).batch(4))
    moved = ds.MnistDataset(folder, "train", shuffle=False).batch(4)
    moved = moved.map([vision.Resize(32), vision.Rescale(1 / 255.0, 0.0)], "image")
    moved = moved.map([vision.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081), lambda x: x.transpose(0, 3, 1, 2)], "image")
    np.testing.assert_array_equal(before, images(moved))


def test_it_needs_no_opencv(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from msbridge.dataset.transforms import lookup_tables
    from msbridge.dataset.vision.geometry import interpolation

    expected = next(pipeline(folder).batch(12).create_tuple_iterator(output_numpy=True))[0]
    for module in (interpolation, lookup_tables):
        monkeypatch.setattr(module, "opencv", lambda: None)
    np.testing.assert_array_equal(
        next(pipeline(folder).batch(12).create_tuple_iterator(output_numpy=True))[0], expected
    )
