"""The rows of a comparison as a table, one line for each layer or operator, for spreadsheets and scripts."""

import csv
import io
from dataclasses import asdict
from pathlib import Path

from msbridge.converters.files.atomic_write import write_text
from msbridge.core.runtime.printable import printable
from msbridge.verify.judge.status import Row
from msbridge.verify.measure.difference import Difference
from msbridge.verify.report.result import Result
from msbridge.verify.report.sentences import problem, setting_of

PLACE = ("number", "status", "torch", "cell", "torch kind", "cell kind", "matched by", "shape", "cell dtype",
         "torch dtype")  # fmt: skip
METRICS = ("max_abs", "index", "actual", "expected", "max_rel", "p50", "p99", "p999", "cosine", "norm_ratio", "nans",
           "infs", "noise_ratio", "peak_ratio", "is_equal", "problem")  # fmt: skip
MODES = ("fed", "free")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how what a spreadsheet computes begins
HEADINGS = (*PLACE, *(f"{mode} {metric.replace('_', ' ')}" for mode in MODES for metric in METRICS), "settings")


def write(result: Result, path: Path) -> None:
    """Write the rows; `nans` and `infs` are the Cell's and torch's, with a slash between."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(HEADINGS)
    table.writerows(map(_cell, _line(number, row)) for number, row in enumerate(result.rows, 1))
    write_text(path, text.getvalue())


def _cell(value: object) -> object:
    """Return the content of a cell: a spreadsheet takes a text that begins like a formula for one."""
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if value.startswith(FORMULA) else printable(value)


def _line(number: int, row: Row) -> list[object]:
    shown = row.fed or row.free
    place = [number, row.status, row.torch, row.cell, row.torch_kind, row.cell_kind, row.by]
    place += ["x".join(map(str, shown.shape)), shown.dtype, shown.expected_dtype] if shown else ["", "", ""]
    metrics = [value for one in (row.fed, row.free) for value in _metrics(one)]
    return [*place, *metrics, "; ".join(map(setting_of, row.settings))]


def _metrics(difference: Difference | None) -> list[object]:
    if difference is None:
        return [""] * len(METRICS)
    values = {**asdict(difference), "problem": problem(difference)}
    values |= {name: "/".join(map(str, values[name])) for name in ("nans", "infs")}
    values["index"] = " ".join(map(str, difference.index))
    return [values[name] for name in METRICS]
