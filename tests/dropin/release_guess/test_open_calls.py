"""Calls that the releases which a script leaves open read differently."""

from pathlib import Path

import pytest

from msbridge.core.releases.release import parse
from msbridge.dropin.release_guess import guess
from msbridge.dropin.release_guess.open_calls import MAX_NOTES, find_open_calls, format_notes
from msbridge.dropin.release_guess.sources import sources_of

IMPORTS = "import mindspore as ms\nfrom mindspore import nn, ops, Tensor\nimport numpy as np\n"
READINGS = [
    ("ops.split(x, 1, 3)", "axis=1, output_num=3 before 2.0, split_size_or_sections=1, axis=3 since"),
    ("ms.ops.split(x, 1, 3)", "axis=1, output_num=3 before 2.0, split_size_or_sections=1, axis=3 since"),
    ("ops.norm(x, [0, 1], p=2)", "axis=[0, 1] before 2.0, ord=[0, 1] since"),
    ("ops.std(x, 1, True, False)", "returns the standard deviation and the mean before 2.0"),
    ("ops.argmax(x)", "axis=-1 before 2.0, dim=None since"),
    ("nn.BCELoss()", "reduction='none' before 2.0, reduction='mean' since"),
    ("ops.grad(f, True)", "grad_first_param=True before 1.6, grad_position=True since"),
    ("Tensor(a).norm(1)", "axis=1 before 2.0, ord=1 since"),
    ("ops.relu(x).split(1, 3)", "axis=1, output_num=3 before 2.0, split_size_or_sections=1, axis=3 since"),
    ("unknown().norm(1)", "axis=1 before 2.0, ord=1 since"),
    ("Tensor(a).repeat(2, 1)", "repeats=2, axis=1 before 2.6, repeats=(2, 1) since"),
]
AGREED = [
    "ops.split(x, axis=1, output_num=3)",  # 2.x has no such words
    "ops.split(x, [2, 3], 1)",  # a list is no axis
    "ops.argmax(x, 1)",  # another word for the same
    "ops.matmul(x, y)",
    "ops.linspace(0, 1, 5)",
    "nn.Dense(3, 4)",  # the weights' default is written None today
    "nn.BCELoss(reduction='sum')",
    "'a b'.split(' ', 1)",
    "np.linalg.norm(1)",
    "self.norm(1)",  # may be a layer
    "block.norm(x)",  # may be one, too
    "unknown().split(1, 3)",  # may be a text
    "ops.split(*given)",
    'ms.JitConfig(jit_level="O0", infer_boost="on")',  # `**` takes it
]


def readings(folder: Path, line: str, first: str = "1.0", last: str = "2.10") -> list[str]:
    file = folder / "train.py"
    file.write_text(IMPORTS + line)
    return [note.reading for note in find_open_calls(sources_of([file]), parse(first), parse(last)) if not note.name]


@pytest.mark.parametrize(("line", "expected"), READINGS)
def test_calls_that_two_releases_read_differently(tmp_path: Path, line: str, expected: str) -> None:
    assert readings(tmp_path, line) == [expected]


@pytest.mark.parametrize("line", AGREED)
def test_calls_that_all_releases_read_alike(tmp_path: Path, line: str) -> None:
    assert readings(tmp_path, line) == []


@pytest.mark.parametrize(("first", "last"), [("1.0", "1.10"), ("2.0", "2.10"), ("1.5", "1.5")])
def test_a_change_counts_between_the_releases_that_may_be_meant(tmp_path: Path, first: str, last: str) -> None:
    assert readings(tmp_path, "ops.split(x, 1, 3)", first, last) == []


FUNCTION = "def points():\n    x = np.zeros((4, 2)).astype(np.float32)\n    return {'x': x, 'y': x @ x.T}\n"
AFFECTED = [
    "ds.NumpySlicesDataset([[1, 'a'], [2, 'b']])",
    "ds.NumpySlicesDataset([1, 2.5])",
    "ds.NumpySlicesDataset({'a': [1, 2.5]})",
    "ds.NumpySlicesDataset(rows)",
    "ds.NumpySlicesDataset(read(file))",
    "ds.GeneratorDataset([(b'text',)], 'a')",
    "ds.GeneratorDataset([(open(file, 'rb').read(),)], 'a')",
    "ds.MindDataset(file, num_shards=2, shard_id=0)",
    "ds.vision.RandomCrop(32, [4, 8])",
    "ds.vision.RandomCrop(32, padding)",
    "ops.GradOperation(get_by_list=True)",
    "nn.SGD([{'params': a, 'weight_decay': 0.1}])",
    "nn.SGD(groups)",
    "nn.SGD(net.trainable_params(), 0.1, weight_decay=decay)",
    "ops.range(Tensor(1.0), limit, 1)",
]
NOT_AFFECTED = [
    FUNCTION + "ds.NumpySlicesDataset(points(), shuffle=True)",
    "ds.NumpySlicesDataset(np.zeros(3))",
    "x = np.zeros(3)\nds.NumpySlicesDataset((x, x * 2))",
    "ds.NumpySlicesDataset([1, 2, 3], ['a'])",
    "ds.NumpySlicesDataset(list(range(8)))",
    "ds.GeneratorDataset(rows, ['image', 'label'])",
    "ds.MindDataset(file, columns)",
    "ds.MindDataset(file, num_shards=None)",
    "ds.vision.RandomCrop(32, 4)",
    "ds.vision.RandomCrop(32, [4, 4, 4, 4])",
    "ds.vision.RandomCrop(32)",
    "ops.GradOperation(get_all=True)",
    "nn.SGD(net.trainable_params(), 0.1)",
    "params = [p for p in net.trainable_params() if p.name]\nnn.SGD(params, 0.1)",
    "nn.SGD([{'params': a, 'lr': 0.1}], 0.1)",
    "ops.range(0, x.shape[0], 1)",
    "ops.range(0, len(rows), 2)",
]


def possible_readings(folder: Path, lines: str) -> list[str]:
    file = folder / "train.py"
    file.write_text(IMPORTS + "from mindspore import dataset as ds\n" + lines)
    return [note.name for note in find_open_calls(sources_of([file]), parse("1.0"), parse("2.10")) if note.name]


@pytest.mark.parametrize("lines", AFFECTED)
def test_calls_that_a_change_may_affect_are_counted(tmp_path: Path, lines: str) -> None:
    assert possible_readings(tmp_path, lines)


@pytest.mark.parametrize("lines", NOT_AFFECTED)
def test_calls_that_a_change_cannot_affect_are_not_counted(tmp_path: Path, lines: str) -> None:
    assert possible_readings(tmp_path, lines) == []


def test_calls_that_only_some_values_show_are_counted_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(IMPORTS + "ops.prod(x)\nops.prod(y)\nops.Gather()\nnn.SmoothL1Loss()\n")
    count = (
        "ops.prod at train.py:4, nn.SmoothL1Loss at train.py:7: may return other dtypes or values in another release "
        "that fits; read as in 2.10 (guessed; `msbridge doctor train.py` shows them, --release chooses)."
    )
    assert guess(file)[1] == [count]
    listed = guess(file, lists_all=True)[1]
    assert len(listed) == 3
    assert listed[0] == (
        "train.py:4: ops.prod(x): Multiply along axes; whole numbers keep their dtype before 2.3; "
        "read as in 2.10 (guessed)"
    )


def test_what_comes_into_construct_is_a_tensor(tmp_path: Path) -> None:
    cell = "class Net(nn.Cell):\n  def construct(self, x, name: str):\n    y = self.fc(x)\n    name.split(1, 3)\n    "
    assert (
        len(readings(tmp_path, f"{cell}y = y + 1\n    return y.split(1, 3)")) == 0
    )  # what `self.fc` returns is unknown
    assert len(readings(tmp_path, f"{cell}x = self.fc(x)\n    return x.split(1, 3)")) == 1


def test_the_script_is_told_once_per_line_with_the_release_that_is_read(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("import net\n")
    (tmp_path / "net.py").write_text("from mindspore import ops\nops.split(ops.split(x, 1, 3)[0], 1, 3)\n")
    found, notes = guess(file)
    assert found is None
    assert [note.partition(": ")[0] for note in notes] == ["net.py:2"]
    assert notes[0].endswith("; read as in 2.10 (guessed)")
    (tmp_path / "requirements.txt").write_text("mindspore==1.8.1\n")
    assert guess(file)[1] == []  # the project says it


def test_a_script_without_mindspore_is_told_nothing(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("unknown().norm(1)\n")
    assert guess(tmp_path / "train.py") == (None, [])


def test_many_calls_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    calls = [f"ops.split(x{index}, 1, 3)" for index in range(MAX_NOTES + 5)]
    file.write_text("\n".join(["from mindspore import ops", *calls, "ops.split(x0, 1, 3)"]))
    lines = format_notes(find_open_calls(sources_of([file]), (1, 0), (2, 10)), "2.10", "train.py")
    assert len(lines) == MAX_NOTES + 1
    assert lines[0].endswith("(1 more such)")
    assert lines[-1].startswith("5 more")


@pytest.mark.parametrize(("first", "last"), [((1, 9), (1, 9)), ((2, 0), (2, 10))])
def test_no_form_is_looked_up_where_no_change_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: tuple[int, int], last: tuple[int, int]
) -> None:
    """The forms of earlier releases import half of msbridge; a script whose release is known starts without."""
    script = tmp_path / "train.py"
    script.write_text(IMPORTS + "ops.split(x, 1, 3)")
    monkeypatch.setattr("msbridge.dropin.release_guess.open_calls.changes_of", lambda name: pytest.fail(name))
    assert find_open_calls(sources_of([script]), first, last) == []
