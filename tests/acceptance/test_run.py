"""The acceptance run itself, on a made-up repository."""

import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import jobs  # noqa: E402
import page  # noqa: E402
import run  # noqa: E402
import small_module  # noqa: E402

SCRIPT = """
import sys
for loss in (2.5, 2.0, 1.0):
    print("loss is", loss)
open("net.ckpt", "w").close()
print('{"case": "a", "problem": ""}')
print('{"case": "b", "problem": "ValueError: odd"}')
if "fail" in sys.argv:
    raise ValueError("no such data: " + sys.argv[-1])
"""
TABLE = """
[[job]]
at = "made/up"
name = "trains"
data = { maker = "mnist", images = 10, folders = ["train"] }
commands = '''
script.py --data
  {data}/train
script.py {newest:*.ckpt}
'''
falls = 'loss is ([0-9.]+)'
leaves = ["*.ckpt"]

[[job]]
at = "made/up"
name = "fails"
commands = "script.py fail {home}"
falls = 'loss is ([0-9.]+)'
leaves = ["*.ckpt"]

[[job]]
at = "made/up"
name = "lists"
commands = "script.py"
kind = "cases"

[[job]]
at = "absent"
name = "trains"
commands = "script.py"
"""


def started_at_once(words: list[str], work: Path, at: Path, log: Path, limit_s: int, _: list[Path]) -> int:
    """Run a script in this process, as a process of its own takes seconds."""
    assert words[0] == "script.py"
    said = []
    space = {
        "print": lambda *values: said.append(" ".join(map(str, values))),
        "open": lambda *_: (work / "at/net.ckpt").open("w"),
    }
    failed = ""
    before, sys.argv = sys.argv, words
    try:
        exec((work / "at" / words[0]).read_text(), space)
    except ValueError as error:
        failed = f"ValueError: {error}"
    finally:
        sys.argv = before
    log.write_text("\n".join([*said, failed, "msbridge: ended"]))
    return 1 if failed else 0


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    (tmp_path / "made" / "up").mkdir(parents=True)
    (tmp_path / "made" / "up" / "script.py").write_text(SCRIPT)
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path


def test_the_run_tells_what_passed_and_why_not(checkouts: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(run, "run", started_at_once)
    words = [str(checkouts), "--store", "--keep", str(checkouts / "kept")]
    assert run.main(words, jobs.read(checkouts / "table.toml"), checkouts / "results.json") == 1
    said = capsys.readouterr().out
    assert "absent" in said
    assert "skipped: not there" in said
    found = run.stored(checkouts / "results.json")
    assert [(row.name, row.passed, row.total) for row in found.values()] == [
        ("fails", 0, 1),
        ("lists", 1, 2),
        ("trains", 4, 4),
    ]
    failed = found["made/up fails"].failures["1: script.py"]
    assert failed == f"ValueError: no such data: {checkouts / 'kept' / 'made_up_fails' / 'home'}"
    assert found["made/up lists"].failures == {"b": "ValueError: odd"}
    assert (
        checkouts / "kept" / "made_up_trains" / "data" / "train" / "train-images-idx3-ubyte"
    ).stat().st_size == 16 + 7840
    assert not (checkouts / "made" / "up" / "net.ckpt").exists()


def test_a_run_of_some_jobs_keeps_what_is_stored_of_the_others(checkouts: Path, monkeypatch) -> None:
    monkeypatch.setattr(run, "run", started_at_once)
    old = {"at": "other", "name": "x", "total": 3, "failures": {}, "seconds": 1.0}
    (checkouts / "results.json").write_text(json.dumps([old]))
    assert (
        run.main(
            [str(checkouts), "--only", "trains", "--store"],
            jobs.read(checkouts / "table.toml"),
            checkouts / "results.json",
        )
        == 0
    )
    assert list(run.stored(checkouts / "results.json")) == ["made/up trains", "other x"]


@pytest.mark.parametrize(
    ("losses", "expected"),
    [([2.0, 1.0], True), ([1.0, 2.0], False), ([1.0], False), ([], False), ([3, 2, 9, 1, 2, 1], True)],
)
def test_losses_fall_from_the_first_third_to_the_last(losses: list[float], expected: bool) -> None:
    assert run.falls(losses) is expected


def test_every_job_has_what_it_names() -> None:
    names = [f"{job.at} {job.name}" for job in jobs.JOBS]
    assert len(names) == len(set(names))
    assert all(job.commands and "\n" not in job.commands[0] for job in jobs.JOBS)
    assert {job.kind for job in jobs.JOBS} <= {"script", "cases", "pytest"}


def test_where_a_copy_lies_is_not_kept() -> None:
    outcome = run.Outcome("made/up", "trains")
    outcome.add("1: a.py", "OSError: /here/made_up/at/data/x is there, but /here/made_up/at/data/y is not.")
    assert outcome.failures == {"1: a.py": "OSError: data/x is there, but data/y is not."}


def test_the_page_tells_why_a_case_failed() -> None:
    outcome = run.Outcome("made/up", "trains", 3, {"1: a.py": "ValueError: odd", "2: b.py": "KeyError: 'x'"}, 2.0)
    text = page.page([outcome], {"b.py: KeyError": "the script reads a file that it does not write"})
    assert "| made/up | trains | 1 | 3 | 2 |" in text
    assert "trains: the script reads a file that it does not write\n  (1: `2: b.py`)" in text
    assert "not looked into yet: `ValueError: odd`" in text


SETTINGS = """
config_cpu = ed({"batch_size": 32, "train": ed({"size": [8, 8]}), "eval": {"size": [9, 9]}})  # größer
config_gpu = ed({"batch_size": 64})
parser.add_argument("--lr", type=float, default=0.1)
class Net:
    def __init__(self):
        self.width = 650000
"""


def test_a_module_of_settings_is_changed_where_the_name_fits(tmp_path: Path) -> None:
    (tmp_path / "config.py").write_text(SETTINGS)
    changes = ("config_cpu.batch_size=2", "train.size=(4, 4)", "lr=0.5", "Net.width=10")
    small_module.main(str(tmp_path / "config.py"), *changes)
    wanted = SETTINGS.replace("32", "2").replace("[8, 8]", "(4, 4)").replace("0.1", "0.5").replace("650000", "10")
    assert (tmp_path / "config.py").read_text() == wanted
    with pytest.raises(SystemExit, match="no setting is called depth"):
        small_module.main(str(tmp_path / "config.py"), "depth=3")
