"""MindRecord files as MindSpore writes them: the bytes of each, and of its index."""

from pathlib import Path

from mindspore.mindrecord import FileWriter

from tests.dataset.mindrecord_cases import WRITTEN, write
from tests.oracle.case import Case
from tests.oracle.cases.dataset._files import case_context  # noqa: F401


def written(name):
    write(FileWriter, name, WRITTEN[name])
    return {path.name: path.read_bytes() for path in sorted(Path().iterdir())}


CASES = [Case(f"written({name!r})") for name in WRITTEN]
