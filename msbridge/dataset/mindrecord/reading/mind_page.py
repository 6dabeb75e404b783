"""MindPage: rows by the value of an indexed field, some at a time."""

import json
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import is_int
from msbridge.dataset.mindrecord.arguments import check_consumers
from msbridge.dataset.mindrecord.errors import MRMDefineCategoryError, ParamTypeError, ParamValueError
from msbridge.dataset.mindrecord.format.index import column
from msbridge.dataset.mindrecord.format.schema import FieldValue
from msbridge.dataset.mindrecord.reading.file_reader import open_files

__all__ = ["MindPage"]


class MindPage:
    """Looks rows up by the categories of one indexed field: its distinct values, in ascending order.

    Args:
        file_name: one of the files that were written together, or a list of the files to read.
        num_consumer: accepted; rows are read by this thread.

    Raises:
        ParamValueError: an argument is of another type or not allowed.
        RuntimeError: a file is missing or damaged.

    Follows: mindspore.mindrecord.MindPage (2.10).
    """

    def __init__(self, file_name: str | list[str], num_consumer: int = 4) -> None:
        check_consumers(num_consumer)
        self._files = open_files(file_name)
        self._category_field: str | None = None
        self._values: dict[str, tuple[dict[Any, int], np.ndarray]] = {}

    @property
    def candidate_fields(self) -> list[str]:
        """The fields that rows can be looked up by."""
        return list(self._files.files[0].header.index_fields)

    @property
    def category_field(self) -> str | None:
        """The field that rows are looked up by.

        Raises:
            ParamTypeError: on setting: it is not a string.
            MRMDefineCategoryError: on setting: it has no index.
        """
        return self._category_field

    @category_field.setter
    def category_field(self, category_field: str) -> None:
        if not isinstance(category_field, str) or not category_field:
            raise ParamTypeError("category_fields", "str")
        if category_field not in self.candidate_fields:
            raise MRMDefineCategoryError(
                f"Field '{category_field}' is not a candidate category field; these are {self.candidate_fields}."
            )
        self._category_field = category_field

    def read_category_info(self) -> str:
        """Return the categories as JSON: {"categories": [{"count": …, "id": …, "name": …}, …], "key": …}.

        Follows: mindspore.mindrecord.MindPage.read_category_info (2.10).
        """
        entries = [
            {"count": count, "id": number, "name": str(value)}
            for number, (value, count) in enumerate(self._categories().items())
        ]
        content = {"categories": entries, "key": column(self._field())}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    def read_at_page_by_id(self, category_id: int, page: int, num_row: int) -> list[dict[str, FieldValue]]:
        """Return one page of a category's rows.

        Args:
            category_id: its id in `read_category_info`.
            page: which portion, from 0.
            num_row: rows of a portion.

        Raises:
            ParamValueError: an argument is not allowed.
            RuntimeError: there is no such category or portion, or no category field.

        Follows: mindspore.mindrecord.MindPage.read_at_page_by_id (2.10).
        """
        if not (is_int(category_id) and category_id >= 0):
            raise ParamValueError(f"Category id should be int and greater than or equal to 0, got {category_id!r}.")
        _check_portion(page, num_row)
        values = list(self._categories())
        if category_id >= len(values):
            raise RuntimeError(f"Invalid data, category_id: {category_id} must be in the range [0, {len(values)}).")
        return self._portion(values[category_id], page, num_row)

    def read_at_page_by_name(self, category_name: str, page: int, num_row: int) -> list[dict[str, FieldValue]]:
        """Return one page of a category's rows; arguments and errors are those of `read_at_page_by_id`.

        Follows: mindspore.mindrecord.MindPage.read_at_page_by_name (2.10).
        """
        if not isinstance(category_name, str):
            raise ParamValueError(f"Category name should be str, got {category_name!r}.")
        _check_portion(page, num_row)
        for value in self._categories():
            if str(value) == category_name:
                return self._portion(value, page, num_row)
        raise RuntimeError(f"category_name: {category_name} could not found.")

    def _field(self) -> str:
        if self._category_field is None:
            raise RuntimeError(f"No category field: set category_field first, to one of {self.candidate_fields}.")
        return self._category_field

    def _categories(self) -> dict[Any, int]:
        """Count how many rows have each value."""
        numbers, rows = self._rows_by_value()
        counts = np.bincount(rows, minlength=len(numbers)).tolist()
        found = {value: counts[number] for value, number in numbers.items()}
        return dict(sorted(found.items(), key=lambda entry: (entry[0] is not None, entry[0])))  # NaN is NULL

    def _portion(self, value: Any, page: int, num_row: int) -> list[dict[str, FieldValue]]:
        numbers, rows = self._rows_by_value()
        places = np.flatnonzero(rows == (-1 if value is None else numbers[value]))
        if page * num_row >= len(places):
            raise RuntimeError(f"Invalid data, page no: {page} or page size: {num_row} is invalid: {len(places)} rows.")
        names = list(self._files.schema.fields)
        return [self._files.read(row, names) for row in places[page * num_row : (page + 1) * num_row].tolist()]

    def _rows_by_value(self) -> tuple[dict[Any, int], np.ndarray]:
        """Return the distinct values of the field, numbered, and the number of each row's value."""
        field = self._field()
        if field not in self._values:
            numbers: dict[Any, int] = {}
            rows = np.empty(len(self._files), np.int64)
            before = 0
            for file, size in zip(self._files.files, self._files.sizes, strict=True):
                for row, value in file.iterate_indexed_values(field):
                    rows[before + row] = numbers.setdefault(value, len(numbers))
                before += size
            self._values = {field: (numbers, rows)}
        return self._values[field]


def _check_portion(page: Any, num_row: Any) -> None:
    if not (is_int(page) and page >= 0):
        raise ParamValueError(f"Page should be int and greater than or equal to 0, got {page!r}.")
    if not (is_int(num_row) and num_row >= 1):
        raise ParamValueError(f"num_row should be int and greater than 0, got {num_row!r}.")
