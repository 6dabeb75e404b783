"""What happens in a process under `msbridge run` when it imports `mindspore` for the first time."""

import atexit
import os
import sys
from pathlib import Path

from msbridge.core import streams
from msbridge.dropin import old_numpy, old_pillow, old_python, tracebacks
from msbridge.dropin.era import guess
from msbridge.dropin.finder import Finder
from msbridge.dropin.install import install

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
    old_numpy.begin()
    old_pillow.begin()
    old_python.begin()
    if ledger:
        atexit.register(_print_ledger)
    if data_report:
        atexit.register(_print_data_report)
    if device_report:
        _collect(device_report)
    return next(finder for finder in sys.meta_path if isinstance(finder, Finder))


def _follow_the_script() -> None:
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    found = guess(Path(program)) if program else None
    if found:
        release, because = found
        os.environ[RELEASE] = release  # for child processes
        install(release)
        streams.write(
            sys.stderr,
            f"msbridge: following MindSpore {release}, because of {because!r} (--release chooses another).\n",
        )


def _collect(path: str) -> None:
    """Collect for the device report from now on, and write it when the process ends, however it does."""
    from msbridge.device import collect, report

    process = os.getpid()

    def write() -> None:
        if os.getpid() != process:  # a child that the script forked
            return
        streams.flush(sys.stdout)
        found = report()
        streams.write(sys.stderr, f"{found}\n")
        try:
            found.save(path)
            streams.write(sys.stderr, f"It is in {path}\n")
        except OSError as error:
            streams.write(sys.stderr, f"msbridge: the device report cannot be written: {error}\n")

    collect()
    atexit.register(write)


def _print_ledger() -> None:
    from msbridge.device import ledger

    streams.flush(sys.stdout)
    streams.write(sys.stderr, f"{ledger.summary()}\n")


def _print_data_report() -> None:
    from msbridge.dataset.engine import report

    streams.flush(sys.stdout)
    streams.write(sys.stderr, report.summary() or "No data pipeline was read.\n")
