"""Scripts run twice, by Python and under the start-up hook that `msbridge run` leaves behind."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from msbridge.cli import convert as cli_convert
from msbridge.cli import inspect as cli_inspect
from msbridge.launcher.environment import prepare
from msbridge.launcher.options import Options
from tests import processes

Outcome = tuple[int, str, str]
Words = tuple[str, ...]


def finish(words: Words, folder: Path, environment: dict[str, str], stdin: str = "") -> Outcome:
    """Run Python in a process of its own."""
    options = {"capture_output": True, "text": True, "check": False, "timeout": processes.LIMIT_S}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, input=stdin, **options)
    return done.returncode, done.stdout, done.stderr


def finish_forked(words: Words, folder: Path, environment: dict[str, str], stdin: str = "") -> Outcome:
    """Run Python in a child of the fork server, where torch need not be imported again."""
    done = processes.python(*words, cwd=folder, env=environment, stdin=stdin, check=False)
    return done.returncode, done.stdout, done.stderr


def clean() -> dict[str, str]:
    """The environment, without what a run around these tests may have left in it."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MSBRIDGE_", "PYTHONPATH"))}


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., Outcome]:
    """Run plain Python in a fresh folder."""
    return lambda *words, stdin="": finish(words, tmp_path, clean(), stdin)


@pytest.fixture
def hooked(tmp_path: Path) -> Callable[..., Outcome]:
    """Run what `msbridge run` turns into: Python, in the environment that it prepares; forked unless it starts."""

    def run(*words: str, stdin: str = "", starts: bool = False, paths: str = "", **options: Any) -> Outcome:
        environment = clean() | ({"PYTHONPATH": paths} if paths else {})
        prepare(environment, Options(**options))
        return (finish if starts else finish_forked)(words, tmp_path, environment, stdin)

    return run


@pytest.fixture
def launched(tmp_path: Path) -> Callable[..., Outcome]:
    """Run the command line itself; forked unless it has to start."""

    def run(*words: str, stdin: str = "", starts: bool = False) -> Outcome:
        return (finish if starts else finish_forked)(("-m", "msbridge.cli.main", *words), tmp_path, clean(), stdin)

    return run


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run a command line in an empty folder that holds `a.pth`; give the exit code."""
    monkeypatch.chdir(tmp_path)
    torch.save({"fc.weight": torch.ones(2, 3), "ln.weight": torch.zeros(3), "ln.bias": torch.zeros(3)}, "a.pth")
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    cli_convert.register(commands)
    cli_inspect.register(commands)

    def run(*words: str) -> int:
        options = parser.parse_args(list(words))
        return options.call(options)

    return run
