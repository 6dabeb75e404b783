"""Compare networks of public repositories, unmodified, with the real MindSpore: outputs, gradients, time of a step.

    python tests/acceptance/compare.py FOLDER --oracle PYTHON [--only TEXT] [--rounds 7] [--store] [--release 1.10]

FOLDER holds the checkouts, PYTHON has mindspore 2.10.0. For each row of `compared_networks.py` two processes live at
the same time: the real one writes a checkpoint, both compute outputs and gradients of it and the same inputs, and
then take training steps in turns, so that other work on the machine strikes both. The ratio is the median of the
turns'; that of processor time hardly depends on other work. `--store` merges the rows into `compared.json`, of which
`page.py` makes a table of `docs/acceptance.md`.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
COMPARED = HERE / "compared.json"
NETWORKS = str(HERE / "compared_networks.py")
CLOSE = 1e-4
#: what float16 holds of a number
HALF = 1e-2
#: the part of the largest gradient by which smaller ones are measured
NOISE = 1e-2
#: of how many steps the losses are compared
CURVE = 4

__all__ = ["compare", "distance", "main"]


class Side:
    """A process that has a network and takes steps when told."""

    def __init__(self, command: list[str], environment: Mapping[str, str], log: Path) -> None:
        self.log = log
        self.process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdin=-1, stdout=-1, stderr=log.open("w"), text=True
        )

    def answer(self) -> dict[str, Any]:
        """Return what its next line of JSON says; ChildProcessError with its last words if there is none."""
        for line in self.process.stdout or ():
            if line.startswith('{"'):
                return dict(json.loads(line))
        words = self.log.read_text(errors="replace").strip().splitlines()
        errors = [line for line in words if "Error" in line]
        raise ChildProcessError((errors or words or ["no output"])[-1].strip()[:300])

    def steps(self, number: int) -> dict[str, Any]:
        """Take some steps; return their seconds and the last loss."""
        assert self.process.stdin
        self.process.send_signal(signal.SIGCONT)
        print(number, file=self.process.stdin, flush=True)
        found = self.answer()
        self.process.send_signal(signal.SIGSTOP)  # or its idle threads spin in the time of the other side
        return found

    def seconds(self, number: int) -> np.ndarray:
        """Return the seconds of each of some steps: by the clock, and of the processors."""
        found = self.steps(number)
        return np.array([found["seconds"], found["processor"]]) / number

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


def distance(real: Mapping[str, np.ndarray], here: Mapping[str, np.ndarray]) -> tuple[float, str]:
    """Return the largest difference of two sets of arrays, and the name of the array that has it.

    A difference is measured by the array's largest magnitude. Gradients that are all below a hundredth of the network's
    largest are measured by that hundredth: some are rounding around zero (a bias ahead of a normalization). What is
    not finite must be equal.
    """
    if set(real) != set(here):
        raise ValueError(f"other arrays: {sorted(set(real) ^ set(here))[:3]}")
    largest = max(
        (float(np.abs(array).max()) for name, array in real.items() if name.startswith("gradient")), default=0.0
    )
    worst = (0.0, "")
    for name, array in real.items():
        other = here[name]
        if array.shape != other.shape:
            raise ValueError(f"{name} has shape {other.shape}, not {array.shape}")
        if not array.size:
            continue
        if not (np.isfinite(array) == np.isfinite(other)).all():
            return float("inf"), name
        scale = max(float(np.abs(array).max()), NOISE * largest * name.startswith("gradient"), 1e-30)
        worst = max(worst, (float(np.abs(array - other).max()) / scale, name))
    return worst


def compare(
    name: str, folder: Path, oracle: str, rounds: int, extra: str = "", release: str | None = None
) -> dict[str, Any]:
    """Return a row: the largest differences, and the times of a step."""
    row: dict[str, Any] = {"name": name}
    with tempfile.TemporaryDirectory() as work:
        at = Path(work)
        words = [NETWORKS, str(folder.resolve()), name, str(at / "net.ckpt")]
        sides = []
        try:
            real = Side([oracle, *words, str(at / "real.npz")], {"PYTHONPATH": extra, "GLOG_v": "3"}, at / "real.log")
            sides.append(real)
            row["loss"] = real.answer()["loss"]
            followed = ["--release", release] if release else []
            command = [sys.executable, "-m", "msbridge", "run", *followed, *words, str(at / "here.npz")]
            here = Side(command, {}, at / "here.log")
            sides.append(here)
            here.answer()
            found = [parts(at / f"{side}.npz") for side in ("real", "here")]
            for part in ("output", "gradient"):
                row[part], row[f"{part}_at"] = distance(*(one[part] for one in found))
            if not agrees(row):  # how far the real one is from itself, in float32 or of inputs that round otherwise
                other = [name.rpartition(" ")[0], words[3]] if half(name) else words[2:]
                nudge = [] if half(name) else ["nudged"]
                command = [oracle, *words[:2], *other, str(at / "other.npz"), *nudge]
                sides.append(Side(command, {"PYTHONPATH": extra, "GLOG_v": "3"}, at / "other.log"))
                sides[-1].answer()
                row["own"], _ = distance(parts(at / "other.npz")["gradient"], found[0]["gradient"])
                sides.pop().end()
            curves = [[side.steps(1)["loss"] for _ in range(CURVE)] for side in (real, here)]
            row["losses"] = max(abs(one - other) / max(abs(one), 1e-3) for one, other in zip(*curves, strict=True))
            number = max(1, min(50, round(0.3 / here.seconds(1)[0])))
            turns = np.array([(here.seconds(number), real.seconds(max(1, number // 4))) for _ in range(rounds)])
            row["here_ms"], row["real_ms"] = np.round(1e3 * np.median(turns[:, :, 0], axis=0), 2).tolist()
            ratios = turns[:, 0] / turns[:, 1]
            row["ratio"], row["processor_ratio"] = np.round(np.median(ratios, axis=0), 3).tolist()
            row["spread"] = np.round([ratios[:, 0].min(), ratios[:, 0].max()], 3).tolist()
        except (ChildProcessError, ValueError) as error:
            row["problem"] = f"{'here' if len(sides) == 2 else 'real'}: {error}"
        finally:
            for side in sides:
                side.end()
    return row


def parts(path: Path) -> dict[str, dict[str, np.ndarray]]:
    """Return the arrays of a file: the outputs and the gradients."""
    arrays = np.load(path)
    return {
        part: {name: arrays[name] for name in arrays.files if name.startswith(part)} for part in ("output", "gradient")
    }


def half(name: str) -> bool:
    """Whether a network calculates in float16; the same one in float32 has the name without the last word."""
    return name.endswith(("O2", "O3", "float16"))


def agrees(row: Mapping[str, Any]) -> bool:
    """Whether outputs and gradients are the real ones', or gradients as near to them as those are to themselves."""
    if "problem" in row:
        return False
    allowed = HALF if half(row["name"]) else CLOSE
    return row["output"] <= allowed and row["gradient"] <= max(allowed, row.get("own", 0.0))


def main() -> int:
    """Compare the networks and print a line for each; the exit code is 1 if one differs."""
    sys.path.insert(0, str(HERE))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--oracle", required=True, help="a Python with mindspore 2.10.0, or with that of --release")
    parser.add_argument("--release", help="compare with this earlier release")
    parser.add_argument("--extra", default="", help="a folder with packages that the repositories need there")
    parser.add_argument("--only", default="", help="compare the networks with this text in their name")
    parser.add_argument("--rounds", type=int, default=7, help="how often the two take their turn")
    parser.add_argument("--store", action="store_true", help="merge the rows into compared.json")
    options = parser.parse_args()
    names = json.loads(subprocess.check_output([sys.executable, "-m", "msbridge", "run", NETWORKS]))
    different = 0
    for name in (name for name in names if options.only in name):
        row = compare(name, options.folder, options.oracle, options.rounds, options.extra, options.release)
        different += not agrees(row)
        print(json.dumps(row), flush=True)
        if options.store:
            rows = {one["name"]: one for one in json.loads(COMPARED.read_text())} if COMPARED.exists() else {}
            rows[name] = row
            lines = ",\n".join(f" {json.dumps(rows[key])}" for key in sorted(rows))
            COMPARED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
