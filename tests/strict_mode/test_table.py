"""The table of refused calls: what it holds, how it is written, and the words for its rows."""

import builtins
import lzma

import pytest

from msbridge.mappings.tables import FOLDER
from msbridge.strict_mode.faces import locate
from msbridge.strict_mode.table import NAME, Refusal, format_rows, read_recorded
from msbridge.strict_mode.words import words_of

MAX_BYTES = 300_000


def test_the_file_is_small_and_written_in_order() -> None:
    data = (FOLDER / NAME).read_bytes()
    assert len(data) < MAX_BYTES
    assert lzma.decompress(format_rows(read_recorded())) == lzma.decompress(data)


def test_every_row_raises_a_class_of_python() -> None:
    errors = {row.error for rows in read_recorded().values() for row in rows}
    assert all(issubclass(getattr(builtins, error), Exception) for error in errors)


def test_every_name_is_here() -> None:
    names = {name.removesuffix("()") for name in read_recorded() if not name.startswith("graph ")}
    assert len(names) > 1000
    assert [name for name in sorted(names) if locate(name) is None] == []


@pytest.mark.parametrize(
    ("features", "words"),
    [
        ([], "every call"),
        (["input:Int64"], "input of Int64"),
        (["x#1"], "x of 1 axis"),
        (["x!empty"], "x without elements"),
        (["x~y:mixed"], "x and y of different dtypes"),
        ([".axis=None", "x:Bool"], "the constructor's axis=None with x of Bool"),
        (["tensors[]:Float16"], "an element of tensors of Float16"),
        (["axis<0"], "axis < 0"),
        (["size[2]"], "size of 2 elements"),
    ],
)
def test_features_have_words(features: list[str], words: str) -> None:
    assert words_of(features) == words


def test_rows_come_back_as_they_were() -> None:
    rows = {"ops.add": (Refusal(frozenset({"input:Bool"}), "TypeError"), Refusal(frozenset(), "ValueError"))}
    assert b"ops.add\tTypeError\tinput:Bool\n" in lzma.decompress(format_rows(rows))
