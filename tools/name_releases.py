"""Write mappings/name_releases.tsv: the first release that may have a name, of names that 1.0 lacks.

    python tools/name_releases.py

Asked are the names that the real releases have (tests/oracle/names): those of the public modules, and those that public
scripts use. What the last release without a name is, is recorded; the one after it may have been the first with it.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from msbridge.core.releases.release import after, parse  # noqa: E402
from tests.oracle.names.release_signatures import ROOMS  # noqa: E402

TABLE = ROOT / "mappings" / "name_releases.tsv"
NAMES = ROOT / "tests" / "oracle" / "names"
SAME = {"mindspore.train.amp": "mindspore.amp"}  # a module → its other path, which the records of 1.0 to 1.7 lack
HEADER = """\
# name_releases.tsv: names that a module of MindSpore got after 1.0, and the first release that may have them: the one
# after the last recorded release without them. Evidence: the recorded names of 1.0.0 to 2.10.0 (tests/oracle/names);
# written by tools/name_releases.py.
module\tsince\tnames
"""


def names_of(release: str) -> set[str]:
    """Return the dotted names that a recorded release has: modules, what is in them, and methods of classes."""
    record = json.loads(gzip.decompress((NAMES / f"{release}.json.gz").read_bytes()))
    owners = record["modules"] | record["classes"]
    modules = {path.rsplit(".", count)[0] for path in record["modules"] for count in range(path.count("."))}
    owners |= {SAME[owner]: names for owner, names in owners.items() if SAME.get(owner, owner) not in owners}
    return modules | {f"{owner}.{name}" for owner, names in owners.items() for name in names}


def first_releases() -> Iterator[tuple[str, str, str]]:
    """Yield the module, the first release that may have it, and the name, of each name that 1.0 lacks."""
    releases = sorted((file.name.removesuffix(".json.gz") for file in NAMES.glob("[0-9]*.json.gz")), key=parse)
    used = set((NAMES / "used.txt").read_text(encoding="utf-8").split())
    known = names_of(releases[0])
    for last, release in pairwise(releases):
        here = names_of(release)
        for name in here - known:
            module, _, inner = name.rpartition(".")
            if name in used or (ROOMS.fullmatch(module) and not inner.startswith("_")):
                yield module, after(last), inner
        known |= here


def table() -> str:
    """Return the text of the table."""
    rows: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for module, since, name in first_releases():
        rows[module, since].append(name)
    lines = (f"{module}\t{since}\t{' '.join(sorted(names))}\n" for (module, since), names in sorted(rows.items()))
    return HEADER + "".join(lines)


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
