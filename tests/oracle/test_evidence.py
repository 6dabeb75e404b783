"""What a row of mappings/releases says of its evidence is so: the records have it."""

import gzip
import json
import re
from functools import cache

import pytest

from msbridge.core.releases.arguments import signature_of
from msbridge.core.releases.rows import Row, every
from tests.oracle.families import HERE
from tests.oracle.outcome import folder_of, read

pytestmark = pytest.mark.sources


@cache
def words_of(release: str) -> set[str]:
    """Return the words in the names of all recorded cases of a release."""
    names = (name for file in folder_of(release).glob("*.json.gz") for name in read(file)[1])
    return {word for name in names for word in re.findall(r"\w+", name)}


@cache
def arguments_of(release: str) -> dict[str, list[list[str]] | None]:
    """Return the recorded arguments of a release, by name."""
    names = HERE / "names"
    forms = json.loads(gzip.decompress((names / "signatures-1.json.gz").read_bytes()))
    found = {path: form for path, several in forms.items() for releases, form in several if release in releases}
    used = names / f"arguments-{release}.json.gz"
    return found | (json.loads(gzip.decompress(used.read_bytes())) if used.exists() else {})


def word_of(name: str) -> str:
    """Return the last part of a name that a script writes: special methods and `construct` are called otherwise."""
    parts = [part for part in name.split(".") if not part.startswith("__") and part not in ("construct", "extend_repr")]
    return parts[-1]


def has_evidence(row: Row) -> bool:
    """Whether the records have what a row names."""
    kind, _, release = row.evidence.partition(";")[0].partition(" ")
    if kind == "cases":
        return word_of(row.name) in words_of(release)
    if kind == "arguments":
        places = (row.name, f"ops.operations.{row.name.removeprefix('ops.')}", row.name.removeprefix("train."))
        paths = [f"mindspore.{place}" for place in (*places, row.name.replace("audio.", "audio.transforms."))]
        forms = [arguments_of(release).get(path) for path in paths]
        recorded = [[name.lstrip("*") for name, _ in form] for form in forms if form is not None]
        return bool(recorded) if row.legacy else [*signature_of(row.arguments or "").parameters] in recorded
    return kind == "source" or bool(row.expression)


@pytest.mark.parametrize("kind", ["cases", "arguments", "expression", "source"])
def test_the_records_have_what_rows_name(kind):
    rows = [row for row in every() if row.evidence.startswith(kind)]
    assert rows
    assert not [row.name for row in rows if not has_evidence(row)]


def test_few_rows_were_only_read():
    assert sum(row.evidence.startswith("source") for row in every()) <= 40
