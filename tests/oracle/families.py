"""Families of cases: a file of `cases/` each, `dataset.operators` is `cases/dataset/operators.py`."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
OF_A_RELEASE = re.compile(r"r(\d+)_(\d+)\.")
"""What the names of families begin with that are asked of an earlier release alone, `r1_0.layers`."""
_ALL = sorted(".".join(p.relative_to(HERE / "cases").with_suffix("").parts) for p in HERE.glob("cases/**/[a-z]*.py"))
FAMILIES = [family for family in _ALL if not OF_A_RELEASE.match(family)]
OF_RELEASES = [family for family in _ALL if OF_A_RELEASE.match(family)]
JUDGED_ELSEWHERE = {
    "attributes": "tests/oracle/test_attributes.py",
    "attribute_refusals": "tests/oracle/test_attributes.py",
    "checkpoint_files": "tests/converters/formats",
    "dataset.mindrecord_files": "tests/dataset/mindrecord",
    "graph_snippets": "tests/oracle/test_graph_snippets.py",
    "mindir_files": "tests/mindir",
    "r1_0.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_0.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_1.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_1.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_10.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_10.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_3.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_3.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_5.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_5.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_6.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_6.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_7.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_7.written_files": "tests/oracle/test_files_of_releases.py",
    "r1_8.saved_files": "tests/oracle/test_files_of_releases.py",
    "r1_8.written_files": "tests/oracle/test_files_of_releases.py",
    "r2_0.mindir_files": "tests/mindir",
    "r2_0.saved_files": "tests/oracle/test_files_of_releases.py",
    "r2_0.written_files": "tests/oracle/test_files_of_releases.py",
    "refusals": "tests/oracle/test_refusals.py",
    "saved_files": "tests/oracle/test_files_of_releases.py",
    "written_files": "tests/oracle/test_files_of_releases.py",
}
"""Families whose answers are compared with something else than the value in msbridge of the expression, and where."""


def families_of(release):
    """Return what a release is asked, "2.0": what it can replay of 2.10.0, and its own; 1.0 its own. "" is 2.10.0."""
    own = [family for family in OF_RELEASES if release.split(".")[:2] == list(OF_A_RELEASE.match(family).groups())]
    shared = [family for family in FAMILIES if not release or family not in JUDGED_ELSEWHERE]
    return own if release in ("1.0", "1.0.0") else shared + own
