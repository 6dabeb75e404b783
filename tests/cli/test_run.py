"""`msbridge run` behaves as plain Python does, and `mindspore` is there."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import msbridge
from msbridge.launcher.environment import HOOK, prepare
from msbridge.launcher.options import Options

pytestmark = pytest.mark.process

Outcome = tuple[int, str, str]
HOUSE = str(Path(msbridge.__file__).parent.parent)
Run = Callable[..., Outcome]

# A cheap way to ask a process whether `import mindspore` would give msbridge.
SERVED = "import sys; print(any(getattr(f, 'serves_mindspore', False) for f in sys.meta_path))"

SCRIPTS = {
    "arguments": "import sys; print(sys.argv, __name__, __file__, sys.path, __spec__, __package__)",
    "main is the script": "import sys, pickle\nclass A: pass\nprint(pickle.loads(pickle.dumps(A)).__module__)",
    "traceback": "def f():\n    return 1 / 0\nf()",
    "syntax error": "x = = 1",
    "exit code": "import sys; sys.exit(3)",
    "exit message": "import sys; sys.exit('it broke')",
    "exit true": "raise SystemExit(True)",
    "missing module": "import not_there",
    "modules loaded at the start": "import sys; print('torch' in sys.modules, 'msbridge' in sys.modules)",
    "atexit": "import atexit; atexit.register(print, 'bye'); raise KeyError('k')",
    "stdin": "print(input() + input())",
    # A process in the background of a shell ignores interrupts, and so would this one.
    "interrupted": "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "os.kill(os.getpid(), signal.SIGINT)",
    "interrupt raised": "raise KeyboardInterrupt",
    "own excepthook": "import sys; sys.excepthook = lambda *a: print('mine', a[0]); 1 / 0",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_does_what_it_does_under_python(name: str, tmp_path: Path, python: Run, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(SCRIPTS[name])
    words = ("train.py", "--lr", "0.1", "-m", "--", "x")
    assert hooked(*words, stdin="a\nb\n", starts=True) == python(*words, stdin="a\nb\n")


@pytest.mark.parametrize(
    "words",
    [
        ("-m", "pack.module", "a", "-b"),
        ("-m", "pack"),
        ("-c", "import sys; print(sys.argv, sys.path)", "-x"),
        ("-", "a"),
        ("no_such_file.py",),
        ("-m", "no_such_module"),
        (".",),
    ],
)
def test_a_program_in_another_form_does_too(words: tuple[str, ...], tmp_path: Path, python: Run, hooked: Run) -> None:
    source = "import sys; print(sys.argv, __name__, __package__, sys.path)"
    (tmp_path / "pack").mkdir()
    for name in ("pack/__init__.py", "pack/__main__.py", "pack/module.py", "__main__.py"):
        (tmp_path / name).write_text(source)
    assert hooked(*words, stdin=source, starts=True) == python(*words, stdin=source)


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("train.py --release 9 -m x -- -c", "train.py --release 9 -m x -- -c"),
        ("--release 1.1 --path=/a=/b -- train.py y", "train.py y"),
        ("-m train --path y", "-m train --path y"),
        ("-c import(sys) -m", "-c import(sys) -m"),
        ("- a", "- a"),
    ],
)
def test_the_command_hands_everything_over(words: str, plain: str, tmp_path: Path, python: Run, launched: Run) -> None:
    source = "import sys; print(sys.argv, __name__); sys.exit(5)"
    (tmp_path / "train.py").write_text(source)
    assert launched("run", *words.split(), stdin=source, starts=True) == python(*plain.split(), stdin=source)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run",), "give one of SCRIPT, -m MODULE and -c CODE"),
        (("run", "--release", "3.0", "x.py"), "must be a release between 1.0 and 2.x, such as 1.1, got '3.0'"),
        (("run", "--path", "old", "x.py"), "must be OLD=NEW without ':', got 'old'"),
        (("run", "--lodger", "x.py"), "--lodger"),
    ],
)
def test_a_bad_command_says_so(words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    from msbridge.cli.main import main

    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert says in capsys.readouterr().err


def test_mindspore_is_there(tmp_path: Path, launched: Run) -> None:
    (tmp_path / "train.py").write_text("from mindspore.common.parameter import Parameter; print(Parameter.__module__)")
    assert launched("run", "train.py", starts=True) == (0, "mindspore.common.parameter\n", "")


def test_mindspore_is_the_one_msbridge_with_all_its_modules(hooked: Run) -> None:
    source = "import mindspore, msbridge; print(mindspore is msbridge, mindspore.common.parameter.Parameter.__name__)"
    assert hooked("-c", source, paths=HOUSE) == (0, "True Parameter\n", "")


def test_mindspore_there_is_ours_even_beside_another(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "mindspore.py").write_text("raise SystemExit('the other one')")
    assert hooked("-c", "import mindspore, msbridge; print(mindspore is msbridge)") == (0, "True\n", "")


def test_a_failed_import_fails_in_the_same_way_again(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "mindspore.py").write_text("")
    (tmp_path / "msbridge.py").write_text("raise ImportError('broken')")
    attempt = "try:\n    import mindspore\nexcept ImportError as error:\n    print(error)\n"
    assert hooked("-c", attempt * 2)[1] == "broken\nbroken\n"


def test_an_absent_name_ends_the_script_as_any_import_error(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text("from mindspore.common.parameter import Parametr")
    code, out, err = hooked("train.py", paths=HOUSE)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == (
        "ImportError: cannot import name 'Parametr' from 'mindspore.common.parameter'. Did you mean: 'Parameter'?"
    )


FAILING = (
    "import mindspore as ms, threading, sys\n"
    "from mindspore import ops, Tensor\n"
    "def unfit():\n"
    "    ops.add(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))\n"
)


def test_frames_of_msbridge_are_folded_in_threads_too(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(
        f"{FAILING}"
        "thread = threading.Thread(target=unfit, name='mine'); thread.start(); thread.join()\n"
        "silent = threading.Thread(target=sys.exit); silent.start(); silent.join()\n"
        "raise SystemExit(7)\n"
    )
    code, out, err = hooked("train.py", paths=HOUSE)
    assert (code, out) == (7, "")
    assert err.startswith("Exception in thread mine:\nTraceback")
    assert err.count("Traceback") == 1
    assert "… 4 frames of msbridge" in err


def test_all_frames_are_shown_on_demand(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(f"{FAILING}unfit()")
    code, _, err = hooked("train.py", full_traceback=True, paths=HOUSE)
    assert code == 1
    assert "families.py" in err
    assert "of msbridge (" not in err


def test_an_interrupted_script_ends_in_one_line(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(f"import mindspore\n{SCRIPTS['interrupted']}")
    code, _, err = hooked("train.py", paths=HOUSE)
    assert code == -signal.SIGINT  # a shell calls it 130
    assert err == f"KeyboardInterrupt at {tmp_path / 'train.py'}:3, in <module>\n"


@pytest.mark.parametrize("flag", ["-I", "-E"])
def test_a_python_that_ignores_its_variables_serves_mindspore(tmp_path: Path, python: Run, flag: str) -> None:
    (tmp_path / "train.py").write_text(
        f"{SERVED}; import os; print(sys.flags.safe_path, os.environ.get('PYTHONHASHSEED'))"
    )
    code, out, _ = python(flag, "-m", "msbridge.cli.main", "run", "--release", "2.10", "train.py")
    assert (code, out.splitlines()) == (0, ["True", f"{flag == '-I'} None"])


def test_a_debugger_gets_every_frame(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(
        f"{FAILING}import atexit, traceback\n"
        "atexit.register(lambda: print(len(traceback.extract_tb(sys.last_traceback))))\nunfit()"
    )
    code, out, err = hooked("train.py", paths=HOUSE)
    assert (code, out) == (1, "6\n")
    assert "… 4 frames of msbridge" in err


CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
TARGET = f"import multiprocessing\ndef ask():\n    {SERVED}; sys.stdout.flush()\nif __name__ == '__main__':\n    "
CHILDREN = {
    "subprocess": f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SERVED!r}])",
    "os.system": f'import os, shlex, sys; os.system(shlex.join([sys.executable, "-c", {SERVED!r}]))',
    "grandchild": f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}, {SERVED!r}])",
    "spawn": f"{TARGET}p = multiprocessing.get_context('spawn').Process(target=ask); p.start(); p.join()",
    "fork": f"{TARGET}p = multiprocessing.get_context('fork').Process(target=ask); p.start(); p.join()",
}


@pytest.mark.parametrize("name", CHILDREN)
def test_child_processes_have_it_too(name: str, tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(CHILDREN[name])
    assert hooked("train.py") == (0, "True\n", "")


def test_objects_of_the_script_travel_to_spawned_processes(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(
        "import multiprocessing\n"
        "class Sample:\n"
        "    label = 7\n"
        "def read(sample):\n"
        "    from mindspore.common.dtype import float32\n"
        "    return f'{type(sample).__module__} {sample.label} {float32}'\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(read, [Sample()]))\n"
    )
    assert hooked("train.py") == (0, "['__mp_main__ 7 Float32']\n", "")


def test_the_environments_own_sitecustomize_still_runs(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import sys; sys.theirs = __name__, __file__")
    source = f"import sys, sitecustomize; print(*sys.theirs, sitecustomize.__file__); {SERVED}"
    theirs = tmp_path / "site" / "sitecustomize.py"
    assert hooked("-c", source, paths=str(tmp_path / "site"))[1] == f"sitecustomize {theirs} {theirs}\nTrue\n"


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_the_process_by_signal(tmp_path: Path, launched: Run) -> None:
    (tmp_path / "train.py").write_text(SCRIPTS["interrupted"])
    assert launched("run", "train.py", starts=True)[0] == -signal.SIGINT


def test_the_release_is_followed(tmp_path: Path, launched: Run) -> None:
    (tmp_path / "train.py").write_text(
        "import mindspore; import os, sys, subprocess\n"
        "from msbridge.core.releases.release import release; print(release())\n"
        "print(os.environ['MSBRIDGE_RELEASE'])"
    )
    assert launched("run", "--release", "r1.1", "train.py") == (0, "(1, 1)\n1.1\n", "")


def test_the_release_is_guessed_from_imports_and_told(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(
        "import mindspore; from msbridge.core.releases.release import release; print(release())\n"
        "if 0: from mindspore.dataset.transforms.vision import c_transforms\n"
    )
    code, out, err = hooked("train.py")
    assert (code, out) == (0, "(1, 0)\n")
    assert err.startswith("msbridge: following MindSpore 1.0, because of 'mindspore.dataset.transforms.vision'")


def test_paths_are_mapped(hooked: Run) -> None:
    source = "from msbridge.core.runtime.path_mapping import resolve; print(resolve('/home/ws/MNIST/train'))"
    assert hooked("-c", source, path=["/home/ws=/data"])[1] == "/data/MNIST/train\n"


def test_new_settings_come_before_those_of_an_outer_run() -> None:
    kept = {"MSBRIDGE_ALLOCATOR": "default", "OMP_WAIT_POLICY": "ACTIVE", "OMP_NUM_THREADS": "1"}
    set_already = {"PYTHONPATH": f"/mine{os.pathsep}{HOOK}", "MSBRIDGE_PATHS": "/a=/x", "MSBRIDGE_RELEASE": "1.1"}
    environment = kept | set_already
    prepare(environment, Options(path=["/b=/y"]))
    assert environment == kept | {
        "PYTHONPATH": f"{HOOK}{os.pathsep}/mine",
        "MSBRIDGE_PATHS": f"/b=/y{os.pathsep}/a=/x",
        "MSBRIDGE_RELEASE": "1.1",
        "MSBRIDGE_ENVIRONMENT": environment["MSBRIDGE_ENVIRONMENT"],
    }


def test_a_relative_target_is_taken_from_where_the_command_was_given(tmp_path: Path, launched: Run) -> None:
    source = "import os; print(os.environ['MSBRIDGE_PATHS'])"
    assert launched("run", "--path", "/old=data", "-c", source)[1] == f"/old={tmp_path / 'data'}\n"


def test_interpreter_flags_are_kept(tmp_path: Path, python: Run) -> None:
    words = ("-O", "-m", "msbridge.cli.main", "run", "-c", "import sys; print(sys.flags.optimize)")
    assert python(*words)[1] == "1\n"


def test_the_ledger_variable_is_for_the_first_process_alone(hooked: Run) -> None:
    source = "import os; print(os.environ.get('MSBRIDGE_LEDGER'))"
    assert hooked("-c", source, ledger=True)[1] == "None\n"


def test_the_hook_leaves_the_search_path_alone(hooked: Run) -> None:
    assert str(HOOK) not in hooked("-c", "import sys; print(sys.path)", starts=True)[1]


def test_this_interpreter_is_the_one_that_runs(launched: Run) -> None:
    assert launched("run", "-c", "import sys; print(sys.executable)", starts=True)[1] == f"{sys.executable}\n"


@pytest.mark.parametrize(("words", "outcome"), [(("--strict",), 1), (("--strict=ascend",), 0), ((), 0)])
def test_strict_mode_refuses_what_mindspore_refuses(
    words: tuple[str, ...], outcome: int, launched: Run, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(
        "from mindspore import Tensor\nfrom mindspore.ops import sigmoid\nprint(sigmoid(Tensor([0])))"
    )
    code, out, err = launched("run", *words, "train.py", starts=True)
    assert (code, out) == (outcome, "" if outcome else "[0.5]\n")
    assert ("Only msbridge would compute it" in err) is bool(outcome)


def test_the_ledger_is_printed_at_the_end(hooked: Run) -> None:
    code, out, err = hooked("-c", "import mindspore; print('done')", ledger=True)
    assert (code, out) == (0, "done\n")
    assert err.splitlines()[0].split() == ["steps", "0"]


TRAINING = """
import mindspore as ms
from mindspore import nn
net = nn.Dense(2, 1)
compute = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
for _ in range(9):
    compute(ms.Tensor([[1.0, 2.0]]))[0].asnumpy()
"""


@pytest.mark.parametrize(
    ("end", "code"), [("print('done')", 0), ("raise KeyError('k')", 1), ("raise KeyboardInterrupt", -signal.SIGINT)]
)
def test_the_device_report_is_written_however_the_script_ends(end: str, code: int, tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text(TRAINING + end)
    ended, _, err = hooked("train.py", device_report=str(tmp_path / "out.json"))
    values = json.loads((tmp_path / "out.json").read_text())
    assert ended == code
    assert (values["steps"], values["unplanned"]) == (9, 9)
    assert [each["place"]["line"] for each in values["findings"] if each["kind"] == "unplanned read"] == [7]
    assert "Device report: 1 problem" in err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_child_does_not_write_the_device_report(tmp_path: Path, hooked: Run) -> None:
    (tmp_path / "train.py").write_text("import os, sys\n" + TRAINING + "if not os.fork():\n    sys.exit()\nos.wait()\n")
    code, _, err = hooked("train.py", device_report=str(tmp_path / "out.json"))
    assert (code, err.count("Device report:")) == (0, 1)


def test_the_device_report_goes_where_the_launcher_was_told_to(tmp_path: Path, launched: Run) -> None:
    (tmp_path / "train.py").write_text("import os, tempfile; os.chdir(tempfile.gettempdir())\n" + TRAINING)
    code, _, err = launched("run", "--release", "2.3", "--device-report", "out.html", "train.py")
    assert code == 0
    assert (tmp_path / "out.html").read_text().startswith("<!DOCTYPE html>")
    assert str(tmp_path / "out.html") in err


@pytest.mark.parametrize(
    ("name", "says"), [("out.pdf", r"must end in .html or .json"), ("no/out.html", "a folder that exists")]
)
def test_a_device_report_that_cannot_be_written_is_refused_before(
    name: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from msbridge.cli.main import main

    with pytest.raises(SystemExit, match="2"):
        main(["run", "--device-report", name, "train.py"])
    assert says in capsys.readouterr().err


def test_the_data_report_is_printed_at_the_end(hooked: Run) -> None:
    source = "import mindspore.dataset as ds; print(len(list(ds.NumpySlicesDataset([1, 2]).batch(1))))"
    code, out, err = hooked("-c", source, data_report=True)
    assert (code, out) == (0, "2\n")
    assert "Data pipeline: 2 rows" in err
    assert "BatchDataset" in err


def venv(folder: Path) -> Path:
    """Make an environment without msbridge, which has another mindspore."""
    import venv

    venv.create(folder, symlinks=os.name != "nt")
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "mindspore.py").write_text("name = 'the real one'")
    (site / "sitecustomize.py").write_text("import sys; sys.theirs = True")
    return folder / "bin" / "python"


@pytest.mark.skipif(os.name == "nt", reason="the layout of environments")
def test_a_child_of_another_environment_keeps_its_mindspore(tmp_path: Path, hooked: Run) -> None:
    other = str(venv(tmp_path / "other"))
    asked = "import mindspore, sys; print(mindspore.name, sys.theirs, *[one for one in sys.path if 'hook' in one])"
    source = f"import subprocess; subprocess.run([{other!r}, '-c', {asked!r}]); {SERVED}; sys.stdout.flush()"
    assert hooked("-c", source) == (0, "the real one True\nTrue\n", "")


def test_any_python_can_read_the_hook() -> None:
    import ast

    nodes = list(ast.walk(ast.parse((HOOK / "sitecustomize.py").read_text(), feature_version=(3, 4))))
    assert not [one for one in nodes if isinstance(one, ast.JoinedStr | ast.AnnAssign)]
    assert not [one for one in nodes if getattr(one, "annotation", None) or getattr(one, "returns", None)]


def test_the_hook_and_the_launcher_spell_the_environment_alike(hooked: Run) -> None:
    asked = "runpy.run_path(sys.argv[1])['environment']() == os.environ['MSBRIDGE_ENVIRONMENT']"
    source = f"import sys, runpy, os; print({asked})"
    assert hooked("-c", source, str(HOOK / "sitecustomize.py"))[1] == "True\n"
