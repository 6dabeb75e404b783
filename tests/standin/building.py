"""The stand-in's library: built once by g++ from `native/`, cached by torch's version and the sources.

torch is not imported: the stand-in has to be loaded before it. `python -m tests.standin.building [npu]`
builds and prints where the library is.
"""

import contextlib
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

NATIVE = Path(__file__).with_name("native")
TABLE = "operators_of_cuda.h"
OPERATORS = "torchgen/packaged/ATen/native/native_functions.yaml"  # beside torch
CXX = os.environ.get("CXX", "g++")
FLAGS = ("-std=c++20", "-O1", "-g0", "-shared", "-fPIC", "-w")
NAMES = ("-DTORCH_API_INCLUDE_EXTENSION_H", "-DTORCH_EXTENSION_NAME=_standin")
FACES: dict[str, Sequence[str]] = {"cuda": (), "npu": ("-DSTANDIN_NPU",)}
LIBRARIES = ("-ltorch_python", "-ltorch", "-ltorch_cpu", "-lc10")


def missing() -> str:
    """Say what the stand-in lacks on this machine; empty where it can be built."""
    if os.name != "posix" or shutil.which(CXX) is None:
        return f"a C++ compiler ({CXX}): apt-get install g++"
    if _has_cuda():
        return "a torch without CUDA: pip install torch --index-url https://download.pytorch.org/whl/cpu"
    return ""


def library(face: str = "cuda") -> Path:
    """Return the path of the library, which is built where it is not in the cache.

    Args:
        face: "cuda" or "npu".

    Raises:
        RuntimeError: the compiler has failed; the text is its own.
    """
    folder = _cache() / _key()
    path = folder / f"_standin_{face}.so"
    with _locked(folder.parent):
        if not path.exists():
            folder.mkdir(exist_ok=True)
            _build(path, FACES[face])
    return path


def _build(path: Path, defined: Sequence[str]) -> None:
    torch = _torch()
    headers = (torch / "include", torch / "include/torch/csrc/api/include", sysconfig.get_path("include"))
    with tempfile.TemporaryDirectory(dir=path.parent) as name:
        made = Path(name)
        (made / TABLE).write_text(
            operator_table((torch.parent / OPERATORS).read_text(encoding="utf-8")), encoding="utf-8"
        )
        command = [
            CXX,
            *FLAGS,
            *NAMES,
            *defined,
            *(f"-I{folder}" for folder in (made, *headers)),
            str(NATIVE / "module.cpp"),
        ]
        command += ["-o", str(made / path.name), f"-L{torch / 'lib'}", *LIBRARIES, f"-Wl,-rpath,{torch / 'lib'}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the stand-in is not built:\n{done.stderr[-4000:]}")
        (made / path.name).replace(path)


def operator_table(text: str) -> str:
    """Return a header with sets of operators, of torch's `native_functions.yaml`.

    `kUnchecked` takes numbers of the host beside the device's tensors, `kCpuOnly` has no kernel for CUDA, `kOwn` has
    one for CUDA where other devices have a formula.
    """
    sets: dict[str, set[str]] = {"kUnchecked": set(), "kCpuOnly": set(), "kOwn": set()}
    for entry in re.split(r"^- func: ", text, flags=re.MULTILINE)[1:]:
        name = entry.partition("(")[0]
        keys = _dispatch_keys(entry)
        composite = any(key.startswith("Composite") for key in keys)
        if re.search(r"^  device_check: NoCheck", entry, re.MULTILINE):
            sets["kUnchecked"].add(name)
        if "structured_delegate:" not in entry and "CPU" in keys and "CUDA" not in keys and not composite:
            sets["kCpuOnly"].add(name)
        if "CUDA" in keys and composite and not name.startswith("_foreach"):
            sets["kOwn"].add(name)
    lines = ["#pragma once", "#include <string>", "#include <unordered_set>"]
    for title, names in sets.items():
        body = ",".join(f'"{name}"' for name in sorted(names))
        lines.append(f"static const std::unordered_set<std::string> {title} = {{{body}}};")
    return "\n".join(lines) + "\n"


def _dispatch_keys(entry: str) -> set[str]:
    """Return the backends for which an entry names a kernel."""
    block = re.search(r"^  dispatch:\n((?:    .*\n| *#.*\n)*)", entry + "\n", re.MULTILINE)
    lines = re.findall(r"^    ([\w, ]+):", block.group(1), re.MULTILINE) if block else []
    return {key.strip() for line in lines for key in line.split(",")}


def _key() -> str:
    digest = hashlib.sha256()
    for path in [*sorted(NATIVE.iterdir()), Path(__file__)]:
        digest.update(path.read_bytes())
    return f"{importlib.metadata.version('torch')}-{sysconfig.get_config_var('SOABI')}-{digest.hexdigest()[:12]}"


def _cache() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "msbridge-tests/standin"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process build at a time; the others wait for what it makes."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _torch() -> Path:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise RuntimeError("torch is not installed")
    return Path(spec.origin).parent


def _has_cuda() -> bool:
    return re.search(r"^cuda\b.* = None", (_torch() / "version.py").read_text(encoding="utf-8"), re.MULTILINE) is None


if __name__ == "__main__":
    print(library(*sys.argv[1:]))
