"""Rows for which an operation of map fails. Judge: MindSpore 2.10."""

from collections.abc import Iterator
from typing import Any

import pytest

import msbridge.dataset as ds
from msbridge.dataset.config import ErrorSamplesMode
from tests.dataset.pipelines import column, counting


@pytest.fixture(autouse=True)
def _usual_mode() -> Iterator[None]:
    yield
    ds.config.set_error_samples_mode(ErrorSamplesMode.RETURN)


def refusing(value: Any) -> Any:
    if int(value) in (0, 2, 3):
        raise ValueError("mine")
    return value * 10


def test_rows_that_fail_are_left_out() -> None:
    ds.config.set_error_samples_mode(ErrorSamplesMode.SKIP)
    data = counting(6).map(refusing, "a")
    assert column(data) == [10, 40, 50]
    assert data.get_dataset_size() == 6
    assert column(data.batch(2)) == [[10, 40], [50]]


def test_rows_that_fail_are_replaced_at_the_end() -> None:
    ds.config.set_error_samples_mode(ErrorSamplesMode.REPLACE)
    assert column(counting(6).map(refusing, "a")) == [10, 40, 50, 10, 40, 50]
    with pytest.raises(RuntimeError, match="cannot be replaced"):
        column(counting(6).map(lambda a: 1 / 0, "a"))


def test_transforms_fail_likewise() -> None:
    ds.config.set_error_samples_mode(ErrorSamplesMode.SKIP)
    assert column(counting(2).map(ds.transforms.OneHot(3), "b")) == []


def test_the_mode_is_an_enumeration() -> None:
    assert ds.config.get_error_samples_mode() is ErrorSamplesMode.RETURN
    with pytest.raises(TypeError, match="error_samples_mode"):
        ds.config.set_error_samples_mode(2)  # type: ignore[arg-type]
