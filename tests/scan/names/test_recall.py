"""What the scan says of names is what Python says when it runs: names of the census, absent ones, misspelt ones."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage_page import attribute_of

from msbridge.dropin.importing.missing_names import Member
from msbridge.dropin.stand_ins import stands_in
from msbridge.mappings import columns
from msbridge.scan import scan
from msbridge.scan.names.checking import serve_mindspore


def fails(path: str) -> bool:
    """Whether Python ends with an error at a dotted path, or where what it leads to is used."""
    names = path.split(".")
    try:
        found = importlib.import_module("mindspore")
        for name in names[1:]:
            found = attribute_of(found, name)
            if stands_in(found):
                return True
    except (AttributeError, ImportError):
        return True
    return False


@pytest.fixture(scope="module")
def paths() -> Iterator[list[str]]:
    text = (Path(__file__).parents[3] / "mappings" / "names.tsv").read_text(encoding="utf-8")
    used = [line.split("\t")[0] for line in text.splitlines()[3:]]
    absent = [row.name for row in columns("absent_names.tsv", Member)]
    invented = [f"{path}x" for path in used[::4]]
    with serve_mindspore():
        yield [path for path in dict.fromkeys([*used, *absent, *invented]) if path.isascii()]


def test_recall_and_precision(paths: list[str], tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text("import mindspore\n" + "\n".join(paths))
    found = {paths[one.line - 2] for one in scan([tmp_path], ["names"]).findings if one.rule.id == "absent"}
    failing = {path for path in paths if fails(path)}
    print(f"recall {len(found & failing)} of {len(failing)}, wrong {len(found - failing)}")
    assert len(failing) > 900
    assert len(found & failing) >= 0.98 * len(failing), sorted(failing - found)[:40]
    assert not found - failing
