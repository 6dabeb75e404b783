"""Objects show after construction what MindSpore 2.10's show: public attributes, which can be set, `repr` and `str`.

What differs is in attributes_differing.txt. A line that fits again fails the test, as a new difference does:

    python -m tests.oracle.test_attributes

writes the file again. It is to get shorter.
"""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import msbridge
from tests.oracle.recorded import answers

DIFFERING = Path(__file__).parent / "attributes_differing.txt"


def differences() -> list[str]:
    """Return what differs, a line each: the construction; the attribute, `repr()`, `str()`, `raises` or `set …`."""
    from tests.oracle.cases import attribute_refusals, attributes

    recorded, refusals = answers("attributes"), answers("attribute_refusals")
    rows: list[str] = []
    for case in attributes.CASES:
        wanted = recorded[case.name]
        parts = sorted(differing_parts(attributes, case.name, wanted))
        refused = refused_parts(attribute_refusals, case.name, wanted.get("attributes", {}), refusals[case.name])
        rows += [f"{case.name}\t{part}" for part in [*parts, *refused]]
    return rows


def refused_parts(module: ModuleType, line: str, wanted: dict[str, Any], refused: Any) -> list[str]:
    """Return the attributes of the real one that cannot be set here, and can there."""
    if not isinstance(refused, list):  # it could not be constructed
        return []
    try:
        value = eval(line, vars(module.attributes))
    except Exception:
        return []
    shown = [name for name, answer in wanted.items() if not isinstance(answer, list) or answer[:1] != ["raises"]]
    return [f"set {name}" for name in module.refusals(value, shown) if name not in refused]


def differing_parts(attributes: ModuleType, line: str, wanted: dict[str, Any]) -> list[str]:
    """Return what an object of ours shows otherwise; only attributes that the real one has are asked for."""
    try:
        value = eval(line, vars(attributes))
    except Exception as error:
        return [] if wanted.get("raises") == type(error).__name__ else ["raises"]
    if "raises" in wanted:
        return ["raises"]
    parts = [name for name, shown in wanted["attributes"].items() if attributes.attribute(value, name) != shown]
    texts = {make.__name__: attributes.form(value, make) for make in (repr, str)}
    return parts + [f"{name}()" for name, text in texts.items() if text != wanted[name]]


@pytest.mark.filterwarnings("ignore")
def test_objects_show_what_mindspores_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    known, found = set(DIFFERING.read_text().splitlines()), set(differences())
    assert found - known == set(), "new differences"
    assert known - found == set(), "these fit again: write the file again"


if __name__ == "__main__":
    msbridge.install()
    DIFFERING.write_text("".join(f"{line}\n" for line in differences()))
