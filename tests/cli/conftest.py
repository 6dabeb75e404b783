"""Scripts run twice, by Python and under the start-up hook that `msbridge run` leaves behind."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import torch

from msbridge.cli import convert as cli_convert
from msbridge.cli import inspect as cli_inspect
from msbridge.launcher.environment import prepare
from msbridge.launcher.options import Options

Outcome = tuple[int, str, str]


def finish(command: list[str], folder: Path, environment: dict[str, str], stdin: str = "") -> Outcome:
    done = subprocess.run(
        command, cwd=folder, env=environment, input=stdin, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


def clean() -> dict[str, str]:
    """The environment, without what a run around these tests may have left in it."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MSBRIDGE_", "PYTHONPATH"))}


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., Outcome]:
    """Run plain Python in a fresh folder."""
    return lambda *words, stdin="": finish([sys.executable, *words], tmp_path, clean(), stdin)


@pytest.fixture
def hooked(tmp_path: Path) -> Callable[..., Outcome]:
    """Run what `msbridge run` turns into: Python, in the environment that it prepares."""

    def run(
        *words: str,
        stdin: str = "",
        ledger: bool = False,
        full_traceback: bool = False,
        data_report: bool = False,
        device_report: str | None = None,
        paths: Iterable[str] = (),
        **more: str,
    ) -> Outcome:
        environment = {**clean(), **more}
        options = Options(
            path=tuple(paths),
            ledger=ledger,
            full_traceback=full_traceback,
            data_report=data_report,
            device_report=device_report,
        )
        prepare(environment, options)
        return finish([sys.executable, *words], tmp_path, environment, stdin)

    return run


@pytest.fixture
def launched(tmp_path: Path) -> Callable[..., Outcome]:
    """Run the command line itself."""
    command = [sys.executable, "-m", "msbridge.cli.main"]
    return lambda *words, stdin="": finish([*command, *words], tmp_path, clean(), stdin)


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
