"""The loader of mappings/: what it makes of rows, and what it refuses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import pytest

from msbridge.mappings import TableError, columns, table, tables
from msbridge.mappings.tables import read_columns, read_table, read_tables


@dataclass(frozen=True, slots=True)
class Change:
    since: str
    default: object = None


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    now: str = ""
    count: int | None = None
    drop: tuple[str, ...] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Needy:
    name: str
    since: str


@pytest.fixture
def file(tmp_path):
    def write(text: str):
        (tmp_path / "t.toml").write_text(text)
        return tmp_path / "t.toml"

    return write


def test_rows_become_frozen_dataclasses(file):
    text = (
        '["a.B"]\nrename = {x = "y"}\ndrop = ["z"]\ncount = 3\nchanged = [{since = "1.5", default = false}]\n["a.C"]\n'
    )
    found = read_table(file(text), Row)
    assert found["a.B"] == Row("a.B", "", 3, ("z",), {"x": "y"}, (Change("1.5", False),))
    assert found["a.C"] == Row("a.C")
    with pytest.raises(TypeError):
        found["a.B"].rename["x"] = "w"
    with pytest.raises(TypeError):
        found["a.D"] = Row("a.D")


def test_repeated_rows(file):
    found = read_tables(file('[["a"]]\nsince = "1.0"\n[["a"]]\nsince = "2.0"\n'), Needy)
    assert found == {"a": (Needy("a", "1.0"), Needy("a", "2.0"))}


BAD = [
    ('["a"]\nnew = "x"\n', "t.toml: 'a': unknown column 'new'; the columns are now, count"),
    ('["a"]\nname = "x"\n', "unknown column 'name'"),
    ('["b"]\n["a"]\n', "'a' must come before 'b'"),
    ('["a"]\n["a"]\n', "t.toml: "),
    ('["a"]\nnow = 3\n', "t.toml: 'a', now must be str, got 3"),
    ('["a"]\ncount = true\n', "'a', count must be"),
    ('["a"]\ndrop = "x"\n', "'a', drop must be"),
    ('["a"]\ndrop = [1]\n', "'a', drop must be str, got 1"),
    ('["a"]\nchanged = [{until = "x"}]\n', "unknown column 'until'"),
    ('["a"]\nchanged = [{default = 1}]\n', "column 'since' is missing"),
    ('[["a"]]\n', "must be one row"),
    ("not toml", "t.toml: "),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_what_is_not_in_order_is_refused_with_file_and_row(file, text, says):
    with pytest.raises(TableError) as caught:
        read_table(file(text), Row)
    assert says in str(caught.value)


def test_missing_columns_and_equal_rows_are_refused(file):
    with pytest.raises(TableError, match="column 'since' is missing"):
        read_table(file('["a"]\n'), Needy)
    with pytest.raises(TableError, match="#2 is a duplicate of #1"):
        read_tables(file('[["a"]]\nsince = "1.0"\n[["a"]]\nsince = "1.0"\n'), Needy)
    with pytest.raises(TableError, match="must be repeated rows"):
        read_tables(file('["a"]\nsince = "1.0"\n'), Needy)


def test_columns(file):
    found = read_columns(file("# comment\nname\tnow\tcount\tdrop\na\tx\t3\tp q\nb\t\t\n"), Row)
    assert found == (Row("a", "x", 3, ("p", "q")), Row("b"))


BAD_COLUMNS = [
    ("", "no header"),
    ("name\tnew\n", "unknown column 'new'"),
    ("name\tname\n", "named twice"),
    ("name\nb\na\n", "line 3: 'a' must come before 'b'"),
    ("name\tnow\na\tx\na\ty\n", "line 3: 'a' is there already"),
    ("name\na\tx\n", "line 2 has 2 cells"),
    ("name\tcount\na\tx\n", "count must be"),
    ("now\nx\n", "column 'name' is missing"),
]


@pytest.mark.parametrize(("text", "says"), BAD_COLUMNS)
def test_wrong_columns_are_refused(file, text, says):
    with pytest.raises(TableError, match=says):
        read_columns(file(text), Row)


def test_columns_may_repeat_where_that_is_said(file):
    assert len(read_columns(file("name\tnow\na\tx\na\ty\n"), Row, repeated=True)) == 2
    with pytest.raises(TableError, match="already"):
        read_columns(file("name\tnow\na\tx\na\tx\n"), Row, repeated=True)


def test_tables_of_the_package_are_read_once():
    from msbridge.converters.names.parameter_table import Layer

    assert table("parameters.toml", Layer) is table("parameters.toml", Layer)
    assert callable(tables)
    assert callable(columns)


def test_no_table_tells_of_the_machine_on_which_it_was_written():
    """Values that a tool read in a running MindSpore may be paths of that run."""
    folders = re.compile(r"/(root|home|Users|opt|work|usr/lib)/|site-packages")
    found = [
        f"{path.name}:{number}"
        for path in sorted(Path(str(files("msbridge.mappings"))).glob("*.tsv"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if folders.search(line)
    ]
    assert not found
