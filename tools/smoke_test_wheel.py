"""Install the wheel in clean environments, without extras and with each by itself, and run it there.

    make wheel; python tools/smoke_test_wheel.py [--python INTERPRETER ...] [--extra NAME ...] [--newest | --lowest]

Every environment gets the wheel of dist/ and what it needs from the package index, in the versions of constraints.txt
(`--newest`: the newest; `--lowest`: the lowest that pyproject.toml allows), and runs a script, a conversion and a
comparison without the checkout on its path. Where uv is found, it installs: it links what it has unpacked once.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOT_FOR_USERS = ("docs", "test")
SCRIPT = """
import mindspore as ms
from mindspore import nn, train
from mindspore.dataset import NumpySlicesDataset

net = nn.Dense(3, 2)
data = NumpySlicesDataset({"x": [[1.0, 2.0, 3.0]] * 8, "y": [1] * 8}).batch(4)
data = data.map(lambda x: x.astype("float32"), "x").map(lambda y: y.astype("int32"), "y")
train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params())).train(1, data)
ms.save_checkpoint(net, "net.ckpt")
"""
NETS = """
import torch
from mindspore import nn

def module(): return torch.nn.Linear(3, 2)
def cell(): return nn.Dense(3, 2)
"""
COMMANDS = (
    "run train.py",
    "convert net.ckpt net.safetensors",
    "verify --torch nets:module --cell nets:cell --input 4,3",
    "doctor",
)


def main() -> int:
    """Install and run; return 1 when something fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", action="append", help="an interpreter; this one, unless said")
    parser.add_argument("--extra", action="append", help="only this extra ('' for none); all, unless said")
    versions = parser.add_mutually_exclusive_group()
    versions.add_argument("--newest", action="store_true", help="take the newest versions of what is needed")
    versions.add_argument("--lowest", action="store_true", help="take the lowest versions that are allowed (needs uv)")
    options = parser.parse_args()
    if options.lowest and not shutil.which("uv"):
        parser.error("--lowest needs uv: pip install uv")
    (wheel,) = (ROOT / "dist").glob("*.whl")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = options.extra or ["", *(name for name in project["optional-dependencies"] if name not in NOT_FOR_USERS)]
    if options.lowest:
        chosen = ["--resolution", "lowest-direct"]
    else:
        chosen = [] if options.newest else ["-c", str(ROOT / "constraints.txt")]
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
    is_good = True
    for python in options.python or [sys.executable]:
        for extra in extras:
            problem = _problem(python, wheel, extra, chosen)
            print(f"{python} [{extra}]: {problem or 'works'}", flush=True)
            is_good &= not problem
    return 0 if is_good else 1


def _problem(python: str, wheel: Path, extra: str, chosen: list[str]) -> str:
    """Return what fails in a new environment, empty when nothing does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "train.py").write_text(SCRIPT, encoding="utf-8")
        (folder / "nets.py").write_text(NETS, encoding="utf-8")
        commands = [[python, "-m", "venv", "there"]]
        here = folder / "there" / ("Scripts" if sys.platform == "win32" else "bin")
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        uv = shutil.which("uv")
        installer = (
            [uv, "pip", "install", "--python", str(here / "python")]
            if uv
            else [str(here / "python"), "-m", "pip", "install"]
        )
        commands.append([*installer, "--quiet", *chosen, wanted])
        commands += [[str(here / "msbridge"), *command.split()] for command in COMMANDS]
        for command in commands:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=_environment())
            if done.returncode:
                return f"{' '.join(command[1:])}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return ""


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


if __name__ == "__main__":
    sys.exit(main())
