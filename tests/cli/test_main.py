"""The command `msbridge` itself."""

import subprocess
import sys

import pytest

from msbridge.cli.main import main, parser


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.startswith("msbridge ")


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    out = capsys.readouterr().out
    assert "run a MindSpore script" in out
    assert "show what is installed" in out


def test_only_the_command_that_is_asked_for_is_prepared() -> None:
    assert "doctor" not in parser(["run", "doctor"]).format_help()


def test_without_a_word_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "run a MindSpore script" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["walk"], "there is no command 'walk'"),
        (["scna"], "Did you mean: 'scan'?"),
        (["scan", "--jsno", "a.py"], "Did you mean: '--json'?"),
        (["inspect", "--sats=1", "a.ckpt"], "Did you mean: '--stats'?"),
        (["--verson"], "Did you mean: '--version'?"),
    ],
)
def test_what_is_unknown_is_refused_with_what_was_meant(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert says in capsys.readouterr().err


@pytest.mark.process
def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys, contextlib\nfrom msbridge.cli.main import main\n"
        "with contextlib.suppress(SystemExit): main(['--help'])\n"
        "print([name for name in ('torch', 'numpy', 'rich', 'jinja2') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


@pytest.mark.process
def test_the_package_runs_as_a_module() -> None:
    told = subprocess.run([sys.executable, "-m", "msbridge", "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("msbridge ")
