"""Objects show after construction what MindSpore 2.10's show: public attributes, `repr` and `str`.

What differs stands in names/attributes_differing.txt. A line that fits again fails the test, as a new difference does:

    python tests/oracle/test_attributes.py

writes the file again. It is to get shorter.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from msbridge.core.random import seeds

NAMES = Path(__file__).parent / "names"
DIFFERING = NAMES / "attributes_differing.txt"
RECORD = json.loads(gzip.decompress((NAMES / "attributes-2.10.0.json.gz").read_bytes()))


def differences() -> list[str]:
    """Return what differs, one line each: the construction and the attribute, `repr()`, `str()` or `raises`."""
    from tests.oracle.names import attributes

    names, found = attributes.namespace(), []
    for line, wanted in RECORD.items():
        try:
            value = eval(line, names)
        except Exception as error:
            here: dict[str, Any] = {"raises": type(error).__name__}
        else:
            here = {
                "attributes": {name: attributes.attribute(value, name) for name in wanted.get("attributes", ())},
                "repr": attributes.text(value),
                "str": attributes.text(value, str),
            }
        here = json.loads(json.dumps(here))
        if "raises" in wanted or "raises" in here:
            parts = ["raises"] if wanted.get("raises") != here.get("raises") else []
        else:
            known = here["attributes"]
            parts = [name for name, shown in wanted["attributes"].items() if shown != known[name]]
            parts += [f"{text}()" for text in ("repr", "str") if wanted[text] != here[text]]
        found += [f"{line}\t{part}" for part in sorted(parts)]
    return found


@pytest.mark.filterwarnings("ignore")
def test_objects_show_what_mindspores_show(dropin: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(seeds._state, "seed", None)  # as in a script that has set none
    known, found = set(DIFFERING.read_text().splitlines()), set(differences())
    assert found - known == set(), "new differences"
    assert known - found == set(), "these fit again: write the file again"


if __name__ == "__main__":
    import msbridge

    msbridge.install()
    sys.path.insert(0, str(NAMES.parents[2]))
    DIFFERING.write_text("".join(f"{line}\n" for line in differences()))
