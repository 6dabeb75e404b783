"""Make the virtual environment of the Makefile, with a bar that shows how far it is.

    python tools/set_up.py .venv constraints.txt

It runs on a plain Python: nothing is installed yet. Output that is not a terminal gets one line at the beginning and
one at the end. If pip fails, its own output is shown.
"""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WIDTH = 30
REDRAW_S = 0.5


class Bar:
    """What is being done, how many packages are collected, and for how long; redrawn by a thread."""

    def __init__(self, total: int) -> None:
        """Begin at nothing of `total` packages."""
        self.done, self.total, self.label = 0, total, "starting"
        self.start = time.monotonic()

    def text(self) -> str:
        """Return the bar as one line."""
        full = round(WIDTH * min(1.0, self.done / max(1, self.total)))
        clock = time.strftime("%M:%S", time.gmtime(time.monotonic() - self.start))
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {clock} {self.label}"[:100]

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Draw the bar until the block ends, if there is a terminal."""
        ended = threading.Event()

        def redraw() -> None:
            while not ended.wait(REDRAW_S):
                print(f"\r\x1b[K{self.text()}", end="", flush=True)

        thread = threading.Thread(target=redraw, daemon=True)
        if sys.stdout.isatty():
            thread.start()
        try:
            yield
        finally:
            ended.set()
            if thread.is_alive():
                thread.join()
                print("\r\x1b[K", end="", flush=True)

    def follow(self, line: str) -> None:
        """Take over what a line of pip's output says."""
        if found := re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line):
            self.done, self.label = self.done + 1, found[1]
        elif found := re.match(r"\s+Downloading (\S+?)-[\d.]+\S* (\(.*\))", line):
            self.label = f"downloading {found[1].rpartition('/')[2]} {found[2]}"
        elif line.startswith("Installing collected packages"):
            self.done, self.label = self.total, f"installing {line.count(',') + 1} packages"


def main(venv: Path, constraints: Path) -> int:
    """Make the environment and install msbridge with what its tests need; return pip's exit code."""
    print(f"Setting up {venv}/ (once; torch is a large download) …", flush=True)
    pins = [line for line in constraints.read_text(encoding="utf-8").splitlines() if "==" in line]
    bar, lines = Bar(len(pins)), list[str]()
    with bar.shown():
        bar.label = "making a virtual environment"
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        python = next(path for path in (venv / "bin/python", venv / "Scripts/python.exe") if path.exists())
        command = [python, "-m", "pip", "install", "--constraint", constraints, "--editable", ".[test]"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in process.stdout or ():
            lines.append(line)
            bar.follow(line)
        code = process.wait()
    print(f"{venv}/ is ready." if code == 0 else "".join(lines), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
