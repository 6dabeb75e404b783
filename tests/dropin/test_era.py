"""The release that a script's imports give away."""

from pathlib import Path

import pytest

from msbridge.dropin import era
from msbridge.dropin.era import guess, imports
from msbridge.dropin.forwarding import Forward

ROWS = {
    row.path: row
    for row in (
        Forward("mindspore.new", since="2.1"),
        Forward("mindspore.old", until="1.10"),
        Forward("mindspore.older", until="1.0"),
        Forward("mindspore.until_2_4", until="2.4"),
    )
}


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(era, "rows", lambda: ROWS)


def script(folder: Path, source: str) -> Path:
    path = folder / "train.py"
    path.write_text(source)
    return path


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import mindspore.nn", None),
        ("import mindspore.old", ("1.10", "mindspore.old")),
        ("from mindspore import old", ("1.10", "mindspore.old")),
        ("from mindspore.old import X\nimport mindspore.older", ("1.0", "mindspore.older")),
        ("import mindspore.until_2_4", None),  # both eras had it
        ("import mindspore.old, mindspore.new", None),  # no release had both
        ("def f():\n    from mindspore.old import X", ("1.10", "mindspore.old")),
        ("not python (", None),
    ],
)
def test_the_newest_release_that_had_every_path(tmp_path: Path, source: str, expected: object) -> None:
    assert guess(script(tmp_path, source)) == expected


def test_the_scripts_own_modules_are_read(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "__init__.py").write_text("")
    (tmp_path / "src" / "net.py").write_text("import mindspore.old")
    assert guess(script(tmp_path, "from src.net import Net")) == ("1.10", "mindspore.old")


def test_relative_imports_are_followed(tmp_path: Path) -> None:
    (tmp_path / "src" / "nets").mkdir(parents=True)
    (tmp_path / "src" / "top.py").write_text("from . import nets")
    (tmp_path / "src" / "nets" / "__init__.py").write_text("from .lenet import LeNet")
    (tmp_path / "src" / "nets" / "lenet.py").write_text("from ..old import X")
    (tmp_path / "src" / "old.py").write_text("import mindspore.old")
    assert guess(script(tmp_path, "from src import top")) == ("1.10", "mindspore.old")


def test_a_relative_import_that_leaves_the_folder_is_left_alone(tmp_path: Path) -> None:
    assert guess(script(tmp_path, "from ... import x")) is None


def test_modules_that_import_each_other_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import train\nimport mindspore.x")
    assert list(imports(script(tmp_path, "import a"))) == ["mindspore.x"]


def test_a_missing_script_gives_no_guess(tmp_path: Path) -> None:
    assert guess(tmp_path / "nothing.py") is None
