"""The release that a script's imports, and what its project says, give away."""

from pathlib import Path

import name_releases
import pytest

from msbridge.dropin.release_guess import guessing
from msbridge.dropin.release_guess.guessing import Guess, Named
from msbridge.dropin.release_guess.sources import modules_of, names_in

ROWS = {
    row.name: row
    for row in (
        Named("mindspore.new", since="2.1"),
        Named("mindspore.old", until="1.10"),
        Named("mindspore.older", until="1.0"),
        Named("mindspore.until_2_4", until="2.4"),
    )
}


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    today = guessing._rows()
    monkeypatch.setattr(guessing, "_rows", lambda: today | ROWS)


def guess(script: Path) -> Guess | None:
    return guessing.guess(script)[0]


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
        ("import mindspore.until_2_4", None),  # both series had it
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
    assert names_in(modules_of(script(tmp_path, "import a"))) == {"mindspore.x"}


def test_a_missing_script_gives_no_guess(tmp_path: Path) -> None:
    assert guess(tmp_path / "nothing.py") is None


COLUMNS = "input_columns=['a'], output_columns=['b', 'c']"
SAVED = """
from mindspore.{} import CheckpointConfig, ModelCheckpoint
config = CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=1)
ModelCheckpoint(prefix="a", directory="b", config=config)
"""
OF_1 = "from mindspore.dataset.vision import c_transforms as C\nC.Resize(1), C.HWC2CHW()"
PROJECTS = [
    # (the script, other files of the project, the release)
    ("import mindspore.x", {"requirements.txt": "numpy\nmindspore-gpu==1.6.1\n"}, "1.6"),
    ("import mindspore.x", {"README.md": "| MindSpore Version | 1.3.0 |"}, "1.3"),
    ("import mindspore.x", {"README.md": "Needs [MindSpore](https://m.cn/install) 2.2.10."}, "2.2"),
    ("import mindspore.x", {"setup.py": "install_requires=['mindspore==2.0.0']"}, "2.0"),
    ("import mindspore.x", {"README.md": "MindSpore 1.3 and MindSpore 1.5 were tried."}, "1.5"),
    ("import mindspore.x", {"README.md": "MindSpore 1.3", "requirements.txt": "mindspore==1.8.1"}, "1.8"),
    ("import mindspore.x", {"README.md": "mindspore>=1.8.1"}, None),  # the newest, too
    ("import mindspore.x", {"README.md": "MindSpore 1.8+"}, None),
    ("import mindspore.x", {"README.md": "MindSpore 2.5.0"}, None),  # today's series
    ("import mindspore.x", {"README.md": "mindspore-lite and CUDA 1.1"}, None),
    ("import mindspore.x\n# Tested with MindSpore 1.5.0, Python 3.7", {}, None),  # comments are no evidence
    ("import mindspore.x", {"requirements.txt": "# mindspore==1.5.0\nnumpy  # for MindSpore 1.6"}, None),
    ("import mindspore.new", {"README.md": "MindSpore 1.3"}, None),  # carried over from before
    ("from mindspore import nn\nnn.Dense(2, 3, dtype=t)", {"README.md": "MindSpore 1.3"}, None),  # 2.0 lacks it
    ("from mindspore import nn\nnn.Dense(2, 3, has_bias=t)", {"README.md": "MindSpore 1.3"}, "1.3"),
    (SAVED.format("train.callback"), {"README.md": "MindSpore 1.3"}, "1.3"),  # the older path speaks for 1.x
    (SAVED.format("train"), {"README.md": "MindSpore 1.3"}, None),
    ("import mindspore.old", {"README.md": "MindSpore 1.3"}, "1.3"),
    ("import mindspore.old", {"README.md": "MindSpore 2.2"}, None),
    ("from mindspore import context\nfrom mindspore.ops import operations as P", {}, None),  # of 2.x, as often
    (OF_1, {}, "1.10"),
    ("import mindspore.old\nfrom mindspore import nn\nnn.LossBase", {}, "1.10"),  # of 1.2
    ("import mindspore.old\nfrom mindspore import nn\nnn.LSTMCell(1, 2, dropout=0.1)", {}, "1.5"),  # gone in 1.6
    ("import mindspore.old\nimport mindspore\nmindspore.jit", {}, None),  # of 2.0
    (f"{OF_1}\nfrom mindspore.train.callback import ModelCheckpoint\nModelCheckpoint(directory='.')", {}, "1.10"),
    (f"{OF_1}\nfrom mindspore import nn\nnn.Dropout(p=0.5)", {}, None),
    ("import mindspore.ops as ops\nops.MaxPool(ksize=2)", {}, "1.0"),
    ("import mindspore as ms\nms.set_context(mode=0)", {}, None),
    (f"import mindspore.x\nd.map(f, {COLUMNS}, column_order=['c', 'b'])", {"README.md": "MindSpore 1.0"}, "1.0"),
    (
        f"import mindspore.x\ndef f(d):\n    d.map(f, {COLUMNS})",
        {"README.md": "MindSpore 1.0"},
        "1.1",
    ),  # 1.0 refuses it
]


@pytest.mark.parametrize(("source", "files", "release"), PROJECTS)
def test_what_a_project_says_of_itself_and_uses(tmp_path, source, files, release) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / ".git").mkdir()
    found = guess(script(tmp_path, source))
    assert (found and found.release) == release


def test_the_folder_above_speaks_for_a_script_up_to_the_repository(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("MindSpore 1.1")
    (tmp_path / "repository" / "model").mkdir(parents=True)
    file = script(tmp_path / "repository" / "model", "import mindspore.x")
    assert guess(file) == ("1.1", "README.md: MindSpore 1.1")
    (tmp_path / "repository" / ".git").mkdir()
    assert guess(file) is None


@pytest.mark.parametrize(("call", "expected"), [("ops.flatten(x)", "1.10"), ("ops.flatten(x, 'C')", None)])
def test_places_that_a_release_lacks_speak_against_it(tmp_path: Path, call: str, expected: str | None) -> None:
    found = guess(script(tmp_path, f"import mindspore.old\nfrom mindspore import ops\n{call}"))
    assert (found and found.release) == expected


def test_a_form_with_two_stars_takes_every_name() -> None:
    assert guessing._row_of_argument("mindspore.export(mean)") is None


def test_the_table_of_first_releases_is_that_of_the_recorded_names() -> None:
    assert name_releases.TABLE.read_text(encoding="utf-8") == name_releases.table()


def test_the_script_of_the_demo_is_read_with_the_repaired_digits() -> None:
    found, notes = guessing.guess(Path("examples/lenet/lenet_mnist.py"))
    assert found
    assert found.release == "1.10"
    assert [note.partition("): ")[2] for note in notes] == [
        "pixels are 0 or 255 before 1.7; read as in 1.10 (guessed)",
    ]
