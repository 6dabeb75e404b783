"""Run the code of MindSpore's tutorials, block by block, here and in the real MindSpore, and compare what is printed.

    python tests/acceptance/tutorials.py DOCS --oracle PYTHON [--branch master …] [--release 2.0] [--list]

DOCS is a clone of the repository of MindSpore's documentation, with the branches that are asked for. A page is a
program of which each block of code runs in turn; pages that need several devices are left out. The last line counts the
blocks that the real MindSpore runs, and those of them that fail here or print something else. Random numbers and times
differ by nature: `--list` shows each of these blocks with what both print.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RUNNER = str(Path(__file__).with_name("tutorial_blocks.py"))
PAGES = re.compile(r"(tutorials|docs/mindspore|docs/programming_guide)/.*source_(en|zh_cn)/.*\.(md|ipynb)")
LEFT_OUT = re.compile("parallel|lite|mindinsight|federated|quantum|orange_pi|api_python|/note/|install|distributed")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NAMES = re.compile(r"0x[0-9a-f]+|mindspore\.|msbridge\.|\s+")
CLOSE = 1e-3
#: seconds after which a page that says nothing is given up
SILENCE = 120

Found = dict[str, list[tuple[str, str | None]]]  # page → what each of its blocks printed, and its error


def git(repository: Path, *words: str) -> str:
    """Return what git prints."""
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=True)
    return done.stdout.decode(errors="replace")


def blocks(name: str, text: str) -> list[str]:
    """Return the blocks of code of a page, without commands of the notebook."""
    if name.endswith(".ipynb"):
        cells = json.loads(text).get("cells", [])
        found = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    else:
        found = re.findall(r"```(?:python|py)\n(.*?)```", text, re.DOTALL)
    lines = ([line for line in one.split("\n") if not line.lstrip().startswith(("%", "!"))] for one in found)
    return ["\n".join(one) for one in lines if any(map(str.strip, one))]


def pages(repository: Path, branches: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield name and blocks of the pages; of equal ones in several branches or languages the first."""
    seen = set()
    for branch in branches:
        for name in git(repository, "ls-tree", "-r", "--name-only", branch).splitlines():
            if not PAGES.fullmatch(name) or LEFT_OUT.search(name):
                continue
            try:
                found = blocks(name, git(repository, "show", f"{branch}:{name}"))
            except ValueError:  # no notebook, for all its name
                continue
            code = re.sub(r"#.*|\s+", "", "".join(found))
            if "mindspore" in code and code not in seen:
                seen.add(code)
                yield f"{branch}:{name}", found


def run(python: str, whose: str, file: Path, folder: Path, release: str) -> Found:
    """Run all pages in one process, and in another one from where it ends or falls silent."""
    log = folder / f"{whose}.jsonl"
    log.touch()
    environment = {**os.environ, "GLOG_v": "4", "MPLBACKEND": "Agg"}
    environment |= {"MSBRIDGE_RELEASE": release} if whose == "own" and release else {}
    start = 0
    while start < len(json.loads(file.read_text(encoding="utf-8"))):
        command = [python, RUNNER, whose, str(file), str(log), str(start)]
        process = subprocess.Popen(command, env=environment, stdin=-3, stdout=-3, stderr=-3, cwd=folder)
        while process.poll() is None:
            time.sleep(1)
            if time.time() - log.stat().st_mtime > SILENCE:
                process.kill()
        rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        start = max((row["page"] for row in rows), default=start) + 1
    return {row["name"]: row["blocks"] for row in rows if "blocks" in row}


def is_same(one: str, other: str) -> bool:
    """Whether two prints say the same: but for spaces, addresses, module names and the last digits of numbers."""
    one, other = (NAMES.sub("", text) for text in (one, other))
    if one == other or NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return one == other
    pairs = zip(map(float, NUMBER.findall(one)), map(float, NUMBER.findall(other)), strict=True)
    return all(abs(a - b) <= CLOSE * (1 + abs(a)) for a, b in pairs)


def main(words: list[str] | None = None) -> None:
    """Compare, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--oracle", required=True, metavar="PYTHON", help="has the real mindspore")
    parser.add_argument("--branch", action="append", help="of the documentation; master by default")
    parser.add_argument("--release", default="", help="which release msbridge follows; by default the newest")
    parser.add_argument("--list", action="store_true", help="show the blocks that differ")
    asked = parser.parse_args(words)
    counts = {"same": 0, "failed": 0, "other": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "pages.json"
        file.write_text(json.dumps(list(pages(asked.docs, asked.branch or ["master"]))), encoding="utf-8")
        real, own = (
            run(python, whose, file, folder, asked.release)
            for python, whose in ((asked.oracle, "real"), (sys.executable, "own"))
        )
    for page, number, expected, found in _pairs(real, own):
        kind = "failed" if found[1] else "same" if is_same(expected[0], found[0]) else "other"
        counts[kind] += 1
        if asked.list and kind != "same":
            print(f"{kind}: {page}, block {number}\n  real: {expected[0][-300:]!r}")
            print(f"  here: {found[1] or found[0][-300:]!r}")
    print(f"{sum(counts.values())} blocks run in the real one; here {counts['same']} print the same, "
          f"{counts['other']} something else, {counts['failed']} fail")  # fmt: skip


def _pairs(real: Found, own: Found) -> Iterator[tuple[str, int, Any, Any]]:
    """Yield the blocks that the real one runs: page, number, both results."""
    for page, expected in real.items():
        for number, (one, other) in enumerate(zip(expected, own.get(page, ()), strict=False)):
            if one[1] is None and other[1] != "late":
                yield page, number, one, other


if __name__ == "__main__":
    main()
