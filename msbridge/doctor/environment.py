"""The environment: installed packages, devices, and what `msbridge run` makes of it."""

import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from msbridge.core.runtime import malloc_tuning, thread_count
from msbridge.core.runtime.package_versions import version_of

# What an optional package is for, and the extra that installs it.
PURPOSES = {
    "audio": "audio transforms and files",
    "completion": "completion of command lines by the shell",
    "crypto": "encrypted checkpoints",
    "docs": "the documentation as a site",
    "examples": "the demo's digits, and downloads",
    "onnx": "mindspore.export to ONNX",
    "summary": "summaries for TensorBoard",
    "test": "the tests",
    "text": "text transforms",
    "vision": "vision transforms",
}
OPTIONAL = {
    "cv2": ("vision transforms", "msbridge[vision]"),
    "PIL": ("vision transforms on PIL images", "msbridge[vision]"),
    "cryptography": ("encrypted checkpoints", "msbridge[crypto]"),
    "sklearn": ("the demo's digits", "msbridge[examples]"),
    "torch_npu": ("Ascend hardware", "torch_npu"),
}
VARIABLES = (
    "MSBRIDGE_RELEASE",
    "MSBRIDGE_PATHS",
    "MSBRIDGE_ALLOCATOR",
    "MSBRIDGE_CUDA_GRAPHS",
    "PYTHONPATH",
    "OMP_NUM_THREADS",
    "CUDA_VISIBLE_DEVICES",
    "DEVICE_ID",
)
MAX_SCRIPTS = 20  # of the folder that are read for its release
EXTRA = re.compile(r"""extra\s*==\s*['"]([\w-]+)""")

# What concerns a user; the other rows are for who looks for a fault.
OF_USERS = re.compile(r"python|msbridge|torch|(GPU|Ascend|MPS)( \d+)?|NVIDIA driver|default|release|MSBRIDGE_\w+")

Row = tuple[str, str, str]


def environment() -> Iterator[Row]:
    """Yield all that is found: what, its state, and a note."""
    for rows in (versions, devices, processes, release, extras, optional, variables):
        yield from rows()


def concerns_users(row: Row) -> bool:
    """Whether a row is shown without being asked for: versions, devices, the release, and a MindSpore that is there."""
    name, state, _ = row
    return OF_USERS.fullmatch(name) is not None or (name == "mindspore" and state != "not installed")


def versions() -> Iterator[Row]:
    """Return the versions of Python, msbridge, torch, and of a real MindSpore if there is one."""
    yield "python", platform.python_version(), sys.executable
    for package in ("msbridge", "torch", "numpy", "rich"):
        found = version_of(package)
        yield package, found or "missing", "" if found else f"pip install {package}"
    real = PathFinder.find_spec("mindspore")
    if real is None:
        yield "mindspore", "not installed", "not needed: msbridge serves its API"
    else:
        place = real.origin or ", ".join(real.submodule_search_locations or ())
        yield (
            "mindspore",
            version_of("mindspore") or "?",
            f"{place}; used unless `msbridge run` or install() says otherwise",
        )


def devices() -> Iterator[Row]:
    """Return the devices that torch finds, and what device_target="Ascend" means here."""
    try:
        import torch
    except ImportError as error:
        yield "devices", "unknown", f"torch cannot be imported: {error}"
        return
    from msbridge.core.runtime import accelerators
    from msbridge.device.hardware import properties

    built = f"CUDA {torch.version.cuda}" if torch.version.cuda else "no CUDA"
    yield "torch build", built, f"cuDNN {torch.backends.cudnn.version()}" if torch.version.cuda else ""
    yield "CPU", f"{torch.get_num_threads()} threads", platform.machine()
    for kind, known in accelerators.ACCELERATORS.items():
        for index in range(accelerators.device_count(kind)):
            found = properties(kind, index)
            notes = [f"{found.total_memory / 2**30:.0f} GiB", f"{found.free_memory / 2**30:.0f} GiB free"]
            notes += [f"compute {found.major}.{found.minor}"] if found.major else []
            yield f"{known.target} {index}", found.name, ", ".join(notes if found.free_memory else notes[:1])
    if driver := _nvidia_driver():
        yield "NVIDIA driver", driver, ""
    if accelerators.kind_for("GPU") == "cpu":
        why = "torch finds no device" if torch.version.cuda else "this torch is built without CUDA"
        yield "GPU", "none", f'{why}: device_target="GPU" runs on the CPU'
    if accelerators.driver("npu") is None:
        where = "on GPU 0" if accelerators.kind_for("Ascend") == "cuda" else "on the CPU"
        yield "Ascend", "emulated", f'{where}, with device_target="Ascend"'
    yield "default", accelerators.best_target(), "if a script names no device_target"


def processes() -> Iterator[Row]:
    """Yield the settings of `msbridge run` for a process: its threads, and the C library's allocator."""
    yield "threads", *thread_count.number(os.environ)
    yield "waiting threads", *thread_count.waiting(os.environ)
    obstacle = malloc_tuning.obstacle(os.environ)
    yield (
        "allocator",
        "as it is" if obstacle else "huge pages",
        obstacle or f"glibc's, under `msbridge run`; {malloc_tuning.SWITCH}=default leaves it as it is",
    )


def release() -> Iterator[Row]:
    """Return the release that `msbridge run` follows in this folder, and why."""
    from msbridge.core.releases.release import NEWEST
    from msbridge.dropin.release_guess import weigh
    from msbridge.dropin.release_guess.sources import names_in, sources_of
    from msbridge.dropin.release_guess.stated_releases import statements

    newest = ".".join(map(str, NEWEST))
    if said := os.environ.get("MSBRIDGE_RELEASE"):
        yield "release", said, "because of MSBRIDGE_RELEASE"
        return
    scripts = sorted(Path().glob("*.py"))[:MAX_SCRIPTS]
    reading = weigh(names_in(sources_of(scripts)), statements(Path()))
    if reading.guess is None:
        yield "release", newest, "the newest; `msbridge doctor train.py` says what a script is for"
    else:
        yield "release", reading.followed, f"{reading.guess.sentence}; `msbridge run --release` chooses another"


def extras() -> Iterator[Row]:
    """Return the extras of msbridge: installed, or the line that installs what is missing."""
    try:
        lines = requires("msbridge") or []
    except PackageNotFoundError:  # run from a folder, not installed
        return
    asked: dict[str, list[str]] = {}
    for line in lines:
        if found := EXTRA.search(line):
            asked.setdefault(found[1], []).append(re.split(r"[^\w.-]", line, maxsplit=1)[0])
    for extra, packages in sorted(asked.items()):
        missing = [package for package in packages if package != "msbridge" and version_of(package) is None]
        purpose = PURPOSES.get(extra, "")
        fix = f"{purpose}: pip install 'msbridge[{extra}]'  (missing: {', '.join(missing)})"
        yield f"[{extra}]", "not installed" if missing else "installed", fix if missing else purpose


def optional() -> Iterator[Row]:
    """Return the optional packages: installed, or the line that installs them."""
    for module, (purpose, extra) in OPTIONAL.items():
        is_installed = importlib.util.find_spec(module) is not None
        yield (
            module,
            "installed" if is_installed else "not installed",
            purpose if is_installed else f"{purpose}: pip install '{extra}'",
        )


def variables() -> Iterator[Row]:
    """Return the environment variables that matter and are set."""
    for name in VARIABLES:
        if name in os.environ:
            yield name, os.environ[name], ""


def release_of(script: Path) -> str:
    """Return the release that `msbridge run` follows for a script and why, and a line on each call that it decides."""
    from msbridge.dropin.release_guess import guess

    found, notes = guess(script, lists_all=True)
    said = "nothing says that it is for an earlier release; `msbridge run` follows the newest."
    if found:
        said = f"is for MindSpore {found.release}, because of {found.because!r}; "
        said += "`msbridge run --release` chooses another."
    return "\n  ".join([said, *notes])


def _nvidia_driver() -> str | None:
    """Return the version of NVIDIA's driver, as Linux reports it."""
    try:
        first = Path("/proc/driver/nvidia/version").read_text(encoding="utf-8").splitlines()[0]
    except (OSError, IndexError):
        return None
    found = re.search(r"\d+\.[\d.]+", first)
    return found[0] if found else None
