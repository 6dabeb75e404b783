"""What all tests share: fixed seeds, and the markers that say what a test needs of the machine or does to it."""

import gc
import importlib.util
import json
import multiprocessing.process
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.testing  # numpy 1.26 starts a process when it is first imported
import pytest
import torch

from msbridge.core.checks import no_effect_warnings
from msbridge.core.context import context
from msbridge.core.jit import inference_requests
from msbridge.core.random.seeds import without_seed
from msbridge.core.releases import release
from msbridge.core.runtime import accelerators
from msbridge.core.runtime.call_wrappers import CELL_CALLS, GRADIENT_CALLS
from msbridge.dropin import install, installed, uninstall
from tests import processes

STARTS_OF_A_PROCESS = (
    (processes.Child, "__init__"),
    (subprocess.Popen, "__init__"),
    (multiprocessing.process.BaseProcess, "start"),
    (os, "fork"),
    (os, "posix_spawn"),
)
running: list[pytest.Item] = []
begun = pytest.StashKey[float]()  # what the process had taken when a test began
taken: dict[str, float] = {}  # seconds of processor by test, those of its processes included
DURATIONS = Path(__file__).parent / "durations.json"  # the same of the last run that recorded them
MIN_RECORDED_S = 0.5
BUDGET_S = 10.0  # of a test that is not marked `long`
SHOWN = 30  # of the slowest tests
MEMORY, ROOM = Path("/dev/shm"), 4 << 30


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--case", default="", help="of the recorded cases, only those whose names have this text")
    parser.addoption("--record-durations", action="store_true", help="write how long tests take to durations.json")
    parser.addoption("--budget", action="store_true", help=f"fail tests that take over {BUDGET_S:.0f} s of processor")


def pytest_configure() -> None:
    """Keep temporary files in memory where there is room: those that are written durably wait for the disk."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        folder = MEMORY / f"tests-of-{os.getuid()}"
        folder.mkdir(exist_ok=True)
        os.environ.setdefault("TMPDIR", str(folder))
        tempfile.tempdir = None  # what was imported before may have asked for it
    for owner, name in STARTS_OF_A_PROCESS:
        if hasattr(owner, name):  # Windows has no fork
            setattr(owner, name, checked(getattr(owner, name)))


def checked(start: Callable) -> Callable:
    """Let a test start a process only where it is marked so: `make quick` leaves those out."""

    def start_if_marked(*arguments: object, **options: object) -> object:
        for test in running:
            if test.get_closest_marker("process") is None:
                pytest.fail(f"{test.nodeid} starts a process: mark it with @pytest.mark.process")
        return start(*arguments, **options)

    return start_if_marked


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left with it at the end; --random-order comes afterwards."""
    seconds = json.loads(DURATIONS.read_text(encoding="utf-8")) if DURATIONS.exists() else {}
    items.sort(key=lambda item: -seconds.get(item.nodeid, 0.0))


def processor_seconds() -> float:
    """Return what this process, and the processes that it has waited for, have taken of the processor."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Note what a test has taken when it ends; with --budget, fail one that takes more than it may."""
    report = yield
    if call.when == "teardown":
        seconds = processor_seconds() - item.stash[begun]
        report.user_properties.append(("processor", seconds))
        is_long = item.get_closest_marker("long") is not None
        if item.config.getoption("--budget") and seconds > BUDGET_S and not is_long and report.passed:
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} takes {seconds:.1f} s of processor, and is not long"
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what the tests have taken, of the workers as well."""
    if report.when == "teardown":
        taken[report.nodeid] = dict(report.user_properties)["processor"]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With --record-durations, replace the table of durations; short tests are left out."""
    if session.config.getoption("--record-durations") and not hasattr(session.config, "workerinput"):
        rows = {test: round(seconds, 1) for test, seconds in sorted(taken.items()) if seconds >= MIN_RECORDED_S}
        DURATIONS.write_text(json.dumps(rows, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def pytest_collection_finish() -> None:
    """Keep what was imported and collected out of every later search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    running.append(item)
    item.stash[begun] = processor_seconds()
    try:
        return (yield)
    finally:
        running.remove(item)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        if lacking := missing(**marker.kwargs):
            pytest.skip(f"needs {lacking}")


def missing(gpus: int = 0, accelerators: int = 0, package: str = "", cpus: int = 0, torch_release: str = "") -> str:
    """Name the first condition that this machine does not meet, or nothing."""
    if gpus > torch.cuda.device_count():
        return f"{gpus} GPU(s)"
    if accelerators > torch.accelerator.device_count():
        return f"{accelerators} GPU(s) or NPU(s)"
    if cpus > (torch.get_num_threads() or 1):
        return f"{cpus} CPU cores"
    if torch.__version__ < torch_release:
        return f"torch {torch_release} or later"
    if package and importlib.util.find_spec(package) is None:
        return f"the package {package}"
    return ""


@pytest.fixture(autouse=True)
def seeds() -> None:
    """Start every test with the same random numbers."""
    start_random_numbers()


@pytest.fixture
def seed_all() -> Callable[[], None]:
    """Start the random numbers again within a test, for each of many cases."""
    return start_random_numbers


def start_random_numbers() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.default_generator.manual_seed(0)  # torch.manual_seed keeps a traceback of every call where there is no GPU
    for module in (torch.cuda, getattr(torch, "npu", None)):
        if module is not None and module.is_initialized():
            module.manual_seed_all(0)


@pytest.fixture(autouse=True)
def preserved_state() -> Iterator[None]:
    """Leave the context, the seed and the followed release to the next test as this one found them."""
    context.torch_device()  # chosen at the first use, for the whole process
    followed, wrapped = release.release(), [CELL_CALLS.layers(), GRADIENT_CALLS.layers()]
    with context.preserve_context(), without_seed():
        yield
        inference_requests.withdraw()
        if release.release() != followed:
            release.set_release(".".join(map(str, followed)))
    assert [CELL_CALLS.layers(), GRADIENT_CALLS.layers()] == wrapped, "the test leaves a wrapper, or took one away"


@pytest.fixture
def dropin() -> Iterator[None]:
    """Put the drop-in in place for one test, as in a new process; leave it where it was before."""
    before = installed()
    uninstall()
    install()
    yield
    uninstall()
    if before:
        release.set_release(None)  # what is defined for the newest is presented as MindSpore's
        install()


@pytest.fixture(scope="module")
def mindspore_is_msbridge() -> Iterator[None]:
    """Have the drop-in in place for the tests of a file, and leave it where it was before."""
    before = installed()
    install()
    yield
    if not before:
        uninstall()


@pytest.fixture(autouse=True)
def fresh_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test be told of a setting without effect as if it were the first of the process."""
    monkeypatch.setattr(no_effect_warnings, "said", set())


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Tell a family of cases apart where some of what its record holds accepts anything."""
    if report.when == "call" and report.passed and "gaps" in dict(report.user_properties):
        return "with gaps", "g", "GAPS"
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the slowest tests; say by family how many recorded values accept anything."""
    slowest = sorted((row for row in taken.items() if row[1] >= MIN_RECORDED_S), key=lambda row: -row[1])
    if len(taken) > SHOWN:
        terminalreporter.section(f"{sum(taken.values()):.0f} s of processor; the slowest tests")
        for test, seconds in slowest[:SHOWN]:
            terminalreporter.line(f"{seconds:6.1f} s {test}")
    for report in terminalreporter.stats.get("with gaps", []):
        family, rows, accepted, values = dict(report.user_properties)["gaps"]
        terminalreporter.line(f"gaps in {family}: {accepted} of the {values} values of {rows} rows accept anything")


class StandIn:
    """Replaces torch.cuda and its like: notes which of its functions were called, and with what.

    A function returns what `answers` has under its name.
    """

    def __init__(self, count: int = 1, **answers: Any) -> None:
        self.count = count
        self.answers = answers
        self.made: list[tuple[Any, ...]] = []

    def is_available(self) -> bool:
        return self.count > 0

    def device_count(self) -> int:
        return self.count

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            self.made.append((name, *arguments, *options.items()))
            return self.answers.get(name)

        return call


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replace torch's modules for accelerators by stand-ins; a kind that is not named has no device."""
    monkeypatch.setattr(accelerators, "_load", lambda package: None)

    def put(**counts: int) -> SimpleNamespace:
        modules = {kind: StandIn(counts.get(kind, 0)) for kind in accelerators.ACCELERATORS}
        for kind, module in modules.items():
            monkeypatch.setattr(torch, kind, module, raising=False)
        return SimpleNamespace(**modules)

    with context.preserve_context():
        yield put
