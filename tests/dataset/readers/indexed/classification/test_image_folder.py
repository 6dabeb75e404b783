"""ImageFolderDataset. Judge: what MindSpore 2.10 answered."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import vision
from tests.dataset.pipelines import column


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
    assert ds.ImageFolderDataset(folder, extensions=[".png"]).get_dataset_size() == 4
    assert ds.ImageFolderDataset(folder, extensions=[".PNG"]).get_dataset_size() == 2
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
