"""Startup of a process under `msbridge run`, at its first import of `mindspore`."""

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msbridge
from msbridge.core.runtime import log_level, standard_streams
from msbridge.dropin.importing.finder import Finder
from msbridge.dropin.importing.install import install
from msbridge.dropin.postmortem import tracebacks
from msbridge.dropin.release_guess import guess
from msbridge.dropin.third_party import numpy, pillow, python

RELEASE = "MSBRIDGE_RELEASE"
STRICT = "MSBRIDGE_STRICT"  # for child processes, too


def begin(ledger: str = "", data_report: str = "", device_report: str = "", estimate: str = "") -> Finder:
    """Install the drop-in, for the release that the script was written for.

    Args:
        ledger: not empty: print the device's ledger when the process ends.
        data_report: not empty: print where the time of its data pipelines went.
        device_report: write the device report to this file, and print its summary.
        estimate: end at the first training step, and print the memory that it needs: "BYTES text" or "BYTES json".

    Returns:
        The finder that serves `mindspore` from now on.
    """
    tracebacks.begin()
    if RELEASE not in os.environ:
        _follow_the_script()
    install()
    log_level.keep()
    numpy.begin()
    pillow.begin()
    python.begin()
    if backend := os.environ.get(STRICT):
        msbridge.strict(backend)
    if ledger:
        atexit.register(_print_ledger)
    if data_report:
        atexit.register(_print_data_report)
    if device_report:
        _collect(device_report)
    if estimate:
        _estimate(*estimate.split())
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


def _estimate(limit: str, form: str) -> None:
    """Compute shapes only of the first training step, print what memory it needs, and end the script there."""
    from msbridge.core.runtime import observers
    from msbridge.core.runtime.printable import json_text, printable
    from msbridge.device.report.estimating import Estimate, Estimator

    def finish(estimate: Estimate) -> None:
        is_json = form == "json"
        standard_streams.write(
            sys.stdout, f"{json_text(estimate.as_dict()) if is_json else printable(str(estimate))}\n"
        )
        atexit.unregister(report_no_step)
        raise SystemExit(0)

    def report_no_step() -> None:
        standard_streams.write(sys.stderr, "msbridge estimate: the script ended without a training step.\n")

    estimator = Estimator(int(limit), finish, _optimizers)
    observers.add(estimator)
    atexit.register(report_no_step)


def _optimizers() -> Iterator[Any]:
    """Yield the optimizers that a script has made."""
    from msbridge.nn.optim.engine import Engine

    return (each for each in gc.get_objects() if issubclass(type(each), Engine))


def _print_ledger() -> None:
    from msbridge.device import ledger

    standard_streams.flush(sys.stdout)
    standard_streams.write(sys.stderr, f"{ledger.summary()}\n")


def _print_data_report() -> None:
    from msbridge.dataset.engine.execution import pipeline_report

    standard_streams.flush(sys.stdout)
    standard_streams.write(sys.stderr, pipeline_report.summary() or "No data pipeline was read.\n")
