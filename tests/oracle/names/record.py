"""Record which public names a real MindSpore has, module by module and class by class.

    PYTHON tests/oracle/names/record.py

PYTHON is the interpreter of an environment with a real MindSpore of any release (of 1.0.0, a Python 3.7); the file is
named after the release. A module's names are its `__all__`; without one, what it defines, and for a package also what
it takes from its own modules. A class's names are those of `dir`. Modules with a leading underscore, of the build and
of the wheel's tools are left out.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib
import inspect
import io
import json
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
LEFT_OUT = {"akg", "bin", "include", "lib", "libs", "ops_generate", "run_check", "tools"}
CLASSES = {
    "mindspore": "Tensor Parameter ParameterTuple Model COOTensor CSRTensor RowTensor Profiler JitConfig Symbol",
    "mindspore.nn": "Cell SequentialCell CellList Optimizer LossBase TrainOneStepCell",
    "mindspore.nn.learning_rate_schedule": "LearningRateSchedule",
    "mindspore.nn.probability.distribution": "Distribution",
    "mindspore.nn.probability.bijector": "Bijector",
    "mindspore.ops": "Primitive PrimitiveWithInfer PrimitiveWithCheck GradOperation Custom",
    "mindspore.train": "Callback Metric RunContext CheckpointConfig SummaryRecord",
    "mindspore.dataset": "Dataset GeneratorDataset",
    "mindspore.mindrecord": "FileWriter",
    "mindspore.experimental.optim": "Optimizer",
    "mindspore.rewrite": "SymbolTree Node",
}


def modules(package: ModuleType) -> list[str]:
    """Return the names of all public modules below a package."""
    found = []
    for entry in pkgutil.iter_modules(package.__path__):
        if entry.name.startswith("_") or entry.name in LEFT_OUT or "test" in entry.name:
            continue
        name = f"{package.__name__}.{entry.name}"
        found.append(name)
        module = imported(name) if entry.ispkg else None
        if module is not None:
            found += modules(module)
    return found


def imported(name: str) -> ModuleType | None:
    """Import a module, quietly; None when it cannot be."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return importlib.import_module(name)
    except Exception:
        return None


def names_of(module: ModuleType) -> list[str]:
    """Return the public names of a module."""
    listed = getattr(module, "__all__", None)
    if listed:
        return sorted({name for name in listed if isinstance(name, str) and hasattr(module, name)})
    own = [name for name, value in vars(module).items() if not name.startswith("_") and _is_own(module, value)]
    return sorted(own)


def _is_own(module: ModuleType, value: object) -> bool:
    origin = getattr(value, "__module__", None)
    if inspect.ismodule(value) or not isinstance(origin, str):
        return False
    return origin == module.__name__ or (hasattr(module, "__path__") and origin.startswith(f"{module.__name__}."))


def classes() -> dict[str, list[str]]:
    """Return the public names of each class that this release has, instances' own attributes aside."""
    found = {}
    for room, names in CLASSES.items():
        for name in names.split():
            cls = getattr(imported(room), name, None)
            if inspect.isclass(cls):
                found[f"{room}.{name}"] = [one for one in dir(cls) if not one.startswith("_")]
    return found


def main() -> int:
    import mindspore

    if hasattr(mindspore, "install"):
        raise SystemExit("this `mindspore` is msbridge; run it with the interpreter of a real one")
    names, packages = {}, []
    for name in ["mindspore", *modules(mindspore)]:
        module = imported(name)
        if module is None:
            continue
        names[name] = names_of(module)
        if hasattr(module, "__path__"):
            packages.append(name)
    text = json.dumps({"packages": packages, "modules": names, "classes": classes()}, sort_keys=True)
    path = HERE / f"{mindspore.__version__}.json.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{len(names)} modules, {sum(map(len, names.values()))} names; {path.stat().st_size} bytes in {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
