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


@pytest.mark.parametrize("words", [[], ["walk"]])
def test_no_command_or_an_unknown_one_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.process
def test_the_package_runs_as_a_module() -> None:
    told = subprocess.run([sys.executable, "-m", "msbridge", "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("msbridge ")
