"""Startup of a process under `msbridge run`, at its first import of `mindspore`."""

import atexit
import os
import sys
from pathlib import Path

from msbridge.core.runtime import standard_streams
from msbridge.dropin.importing.finder import Finder
from msbridge.dropin.importing.install import install
from msbridge.dropin.postmortem import tracebacks
from msbridge.dropin.release_guess import guess
from msbridge.dropin.third_party import numpy, pillow, python

RELEASE = "MSBRIDGE_RELEASE"


def begin(ledger: str = "", data_report: str = "", device_report: str = "") -> Finder:
    """Install the drop-in, for the release that the script was written for.

    Args:
        ledger: not empty: print the device's ledger when the process ends.
        data_report: not empty: print where the time of its data pipelines went.
        device_report: write the device report to this file, and print its summary.

    Returns:
        The finder that serves `mindspore` from now on.
    """
    tracebacks.begin()
    if RELEASE not in os.environ:
        _follow_the_script()
    install()
    numpy.begin()
    pillow.begin()
    python.begin()
    if ledger:
        atexit.register(_print_ledger)
    if data_report:
        atexit.register(_print_data_report)
    if device_report:
        _collect(device_report)
    return next(finder for finder in sys.meta_path if isinstance(finder, Finder))


def _follow_the_script() -> None:
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    if not program:
        return
    install()
    found, notes = guess(Path(program))
    if found:
        release, because = found
        os.environ[RELEASE] = release  # for child processes
        install(release)
        notes.insert(0, f"following MindSpore {release}, because of {because!r} (--release chooses another).")
    if os.environ.get("RANK_ID", "0") == "0":
        standard_streams.write(sys.stderr, "".join(f"msbridge: {line}\n" for line in notes))


def _collect(path: str) -> None:
    """Collect for the device report from now on, and write it when the process ends, however it does."""
    from msbridge.device import collect, report

    process = os.getpid()

    def write() -> None:
        if os.getpid() != process:  # a child that the script forked
            return
        standard_streams.flush(sys.stdout)
        found = report()
        standard_streams.write(sys.stderr, f"{found}\n")
        try:
            found.save(path)
            standard_streams.write(sys.stderr, f"It is in {path}\n")
        except OSError as error:
            standard_streams.write(sys.stderr, f"msbridge: the device report cannot be written: {error}\n")

    collect()
    atexit.register(write)


def _print_ledger() -> None:
    from msbridge.device import ledger

    standard_streams.flush(sys.stdout)
    standard_streams.write(sys.stderr, f"{ledger.summary()}\n")


def _print_data_report() -> None:
    from msbridge.dataset.engine.execution import pipeline_report

    standard_streams.flush(sys.stdout)
    standard_streams.write(sys.stderr, pipeline_report.summary() or "No data pipeline was read.\n")
