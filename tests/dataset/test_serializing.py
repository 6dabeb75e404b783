"""Pipelines that are built again from their plans give the same rows."""

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import transforms, vision
from tests.dataset.pipelines import column, counting, write_mnist


@pytest.fixture
def digits(tmp_path: Path) -> Any:
    write_mnist(tmp_path / "digits")
    return ds.MnistDataset(str(tmp_path / "digits"), "train", sampler=ds.SequentialSampler(1, 6))


def operated(data: Any) -> Any:
    chain = [vision.Resize((14, 14), vision.Inter.NEAREST), vision.Rescale(0.5, 0.25), vision.HWC2CHW()]
    data = data.map(chain, "image").map(transforms.OneHot(10), "label").skip(1)
    return data.batch(2, True).rename("label", "target").project(["target", "image"]).repeat(2).take(3)


def test_readers_transforms_and_operators(digits: Any, tmp_path: Path) -> None:
    data = operated(digits)
    again = ds.deserialize(ds.serialize(data, str(tmp_path / "plan.json")))
    for each in (again, ds.deserialize(json_filepath=str(tmp_path / "plan.json"))):
        assert ds.compare(data, each.children[0])
        assert np.array_equal(column(each, "image"), column(data, "image"))
        assert column(each, "target") == column(data, "target")


def test_a_file_of_autotune(digits: Any, tmp_path: Path) -> None:
    data = operated(digits)
    plan = {"remark": "…", "summary": [], "tree": ds.serialize(data)}
    (tmp_path / "tuned_0.json").write_text(json.dumps(plan), encoding="utf-8")
    again = ds.deserialize(json_filepath=str(tmp_path / "tuned_0.json"))
    assert np.array_equal(column(again, "image"), column(data, "image"))


def test_concatenations_and_zips(digits: Any) -> None:
    other = ds.MnistDataset(digits.dataset_dir, "train", sampler=ds.SequentialSampler(1, 6))
    both = digits + other
    assert column(ds.deserialize(ds.serialize(both)), "label") == column(both, "label")
    zipped = ds.zip((digits.project("label"), other.project("image")))
    assert ds.deserialize(ds.serialize(zipped)).get_col_names() == ["label", "image"]


@pytest.mark.parametrize(
    "sampler",
    [
        ds.DistributedSampler(2, 1, False),
        ds.SubsetSampler([3, 1]),
        ds.SequentialSampler(2),
        ds.PKSampler(1),
    ],
)
def test_samplers(tmp_path: Path, sampler: Any) -> None:
    write_mnist(tmp_path)
    data = ds.MnistDataset(str(tmp_path), "train", sampler=sampler)
    again = ds.deserialize(ds.serialize(data))
    assert sorted(column(again, "label")) == sorted(column(data, "label"))


def test_python_code_is_not_written() -> None:
    for data in (counting(3), counting(3).filter(lambda a, b: True)):
        with pytest.raises(RuntimeError, match="unsupported"):
            ds.deserialize(ds.serialize(data))


def test_a_plan_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(logging.getLogger("msbridge"), "info", said.append)
    ds.show(counting(3).batch(2))
    assert '"op_type": "Batch"' in said[0]
