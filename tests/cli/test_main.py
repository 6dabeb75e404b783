"""The command `msbridge` itself."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from msbridge.cli.main import COMMANDS, main, parser


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
        (["scan", "--level", "refsed", "a.py"], "Did you mean: 'refused'?"),
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
        "heavy = 'torch', 'numpy', 'rich', 'jinja2', 'dataclasses', 'importlib.metadata'\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


def test_the_list_of_commands_is_that_of_the_files() -> None:
    whole = parser()
    (commands,) = [one for one in whole._actions if isinstance(one, argparse._SubParsersAction)]
    assert list(commands.choices) == list(COMMANDS)
    assert all(len(one._actions) > 1 for one in commands.choices.values())


@pytest.mark.process
@pytest.mark.needs(package="argcomplete")
@pytest.mark.parametrize(
    ("line", "offered"),
    [("msbridge sc", {"scan "}), ("msbridge scan --gr", {"--graph "}), ("msbridge scan --level re", {"refused "})],
)
def test_a_shell_is_told_how_a_line_goes_on(line: str, offered: set[str], tmp_path: Path) -> None:
    output = tmp_path / "completions"  # instead of file descriptor 8, which a shell reads
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    asked |= {"_ARGCOMPLETE_STDOUT_FILENAME": str(output)}
    command = [sys.executable, "-m", "msbridge.cli.main"]
    subprocess.run(command, env={**os.environ, **asked, "_ARGCOMPLETE_IFS": "\n"}, check=True, capture_output=True)
    assert set(output.read_text().split("\n")) == offered


@pytest.mark.process
def test_the_package_runs_as_a_module() -> None:
    told = subprocess.run([sys.executable, "-m", "msbridge", "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("msbridge ")
