"""What `make release` reads and checks."""

import zipfile
from pathlib import Path

import pytest
import release

CHANGELOG = """# Changelog

## Unreleased

### Added
- later

## 1.2.0 (2026-01-02)

### Fixed
- this

## 1.1.0 (2025-01-02)

- that
"""


def test_notes_are_the_section_of_the_version() -> None:
    assert release.notes_of("1.2.0", CHANGELOG) == "### Fixed\n- this\n"
    assert release.notes_of("1.1.0", CHANGELOG) == "- that\n"
    assert release.notes_of("1.3.0", CHANGELOG) == ""


def test_files_name_the_version_of_the_package() -> None:
    assert list(release.outdated(release.version())) == []
    assert len(list(release.outdated("9.9.9"))) == len(release.NAMED)


@pytest.mark.sources
def test_a_wheel_has_all_of_the_checkout_and_nothing_else(tmp_path: Path) -> None:
    whole, wrong = tmp_path / "whole.whl", tmp_path / "wrong.whl"
    names = sorted(release.expected())
    for path, given in ((whole, names), (wrong, [*names[1:], "tests/conftest.py"])):
        with zipfile.ZipFile(path, "w") as archive:
            for name in (*given, "msbridge-1.0.dist-info/METADATA", "mindspore-stubs/py.typed"):
                archive.writestr(name, "")
    assert list(release.wheel_problems(whole)) == []
    assert list(release.wheel_problems(wrong)) == [f"wrong.whl lacks {names[0]}", "wrong.whl has tests/conftest.py"]
