"""Print how many examples of a release's own docstrings print here what they print there.

python tools/documented_examples.py PYTHON RELEASE [--show N] [--page]

PYTHON is an interpreter with that real MindSpore. An example counts where it runs there to its end on a CPU, prints
something, and prints the same a second time, after another seed; numbers may differ by 1e-3. What examples take for
granted (imports, a network, datasets) is there first, and each runs in a process of its own. `--page` writes the row of
the release in docs/evidence.md.
"""

import argparse
import ast
import doctest
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TOLERANCE = 1e-3
PAGE = Path(__file__).parent.parent / "docs" / "evidence.md"
TABLE = re.compile(
    r"(.*<!-- documented examples -->\n(?:\|[^\n]*\n){2})(.*?)(<!-- end of documented examples -->.*)", re.DOTALL
)
WORKER = Path(__file__).with_name("documented_examples_worker.py")
FOLLOWING = """import os; os.environ["MSBRIDGE_RELEASE"] = {release!r}
from msbridge.dropin.importing import startup; startup.begin()"""  # as `msbridge run` does
FOLDER = "import importlib.util; print(importlib.util.find_spec('mindspore').submodule_search_locations[0])"
Example = dict[str, Any]
Printed = dict[int, list[str] | str]
"""By the number of an example: what its statements print, or the error that ends it."""

RANDOM = {
    *("History", "LambdaCallback", "LogUniformCandidateSampler", "Optimizer", "ParameterizedTruncatedNormal"),
    *("RReLU", "RandomRotation", "RandpermV2", "SampleDistortedBoundingBoxV2", "WordpieceTokenizer"),
    *("StandardNormal", "UniformCandidateSampler", "empty", "empty_like", "get_parameters"),
    *("log_uniform_candidate_sampler", "multinomial", "rand", "randint", "randn", "randperm"),
    *("uniform_candidate_sampler",),
}
"""Names whose examples print numbers drawn in spite of a seed, as weights are, or memory that nobody has written."""

SEEDS = (1, 2)
"""Of the real release's runs: what is random differs between them, and does not count."""


def collect(package: Path) -> list[Example]:
    """Return the examples in the docstrings of a package: where they are, and their statements."""
    found: list[Example] = []
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_bytes())):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            text = ast.get_docstring(node)
            if not text or ">>>" not in text:
                continue
            try:
                lines = doctest.DocTestParser().get_examples(text)
            except ValueError:  # its prompts are not what doctest reads
                continue
            place = f"{path.relative_to(package)}:{node.lineno} {node.name}"
            code, wanted = statements([one.source for one in lines]), [one.want for one in lines if one.want]
            found.append(
                {
                    "number": len(found),
                    "place": place,
                    "module": module,
                    "name": node.name,
                    "code": code,
                    "wanted": wanted,
                }
            )
    return found


def statements(lines: list[str]) -> list[str]:
    """Join lines with a prompt each that are one statement together."""
    joined: list[str] = []
    for number, line in enumerate(lines):
        is_open = bool(joined) and not is_whole(joined[-1])
        if is_open and any(
            is_whole("".join([joined[-1], *lines[number:end]])) for end in range(number + 1, len(lines) + 1)
        ):
            joined[-1] += line
        else:
            joined.append(line)
    return joined


def is_whole(code: str) -> bool:
    """Whether a text is one statement."""
    try:
        return len(ast.parse(code).body) == 1
    except SyntaxError:
        return False


def run(python: str, prelude: str, examples: Sequence[Example], seed: int) -> Printed:
    """Run examples, each in a process of its own; one that crashes or takes too long has no result."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "examples.json").write_text(json.dumps(examples), encoding="utf-8")
        results, data = folder / "results", folder / "data"
        results.touch()
        _write_data(data)
        subprocess.run(
            [python, str(WORKER), prelude, "examples.json", "results", str(seed)],
            cwd=folder,
            env={**os.environ, "GLOG_v": "3", "OMP_NUM_THREADS": "1", "EXAMPLES_DATA": str(data)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())


def _write_data(folder: Path) -> None:
    """Write the images and the text that examples take for granted."""
    from PIL import Image

    draw = np.random.default_rng(0)
    for name in ("cat", "dog"):
        (folder / "images" / name).mkdir(parents=True)
        for number in range(2):
            pixels = draw.integers(0, 256, (48, 64, 3), np.uint8)
            Image.fromarray(pixels).save(folder / "images" / name / f"{number}.png")
    (folder / "text.txt").write_text("a line of text\nthe next line\n", encoding="utf-8")


def is_same(one: str, other: str) -> bool:
    """Whether two texts differ at most in spaces, addresses, modules of objects, and numbers by the tolerance."""
    texts = [re.sub(r"0x[0-9a-f]+", "", re.sub(r"<[\w.]+\.(\w+) object", r"<\1 object", text)) for text in (one, other)]
    words = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in texts]
    numbers = [[float(each) for each in NUMBER.findall(text)] for text in texts]
    if words[0] != words[1] or len(numbers[0]) != len(numbers[1]):
        return one == other
    return all(abs(a - b) <= TOLERANCE * (1 + abs(a)) for a, b in zip(*numbers, strict=True))


def agree(one: object, other: object) -> bool:
    """Whether two runs of an example print the same to its end."""
    if not isinstance(one, list) or not isinstance(other, list) or len(one) != len(other):
        return False
    return all(map(is_same, one, other))


def is_as_documented(printed: object, example: Example) -> bool:
    """Whether an example prints what its docstring says."""
    return isinstance(printed, list) and agree([text for text in printed if text.strip()], example["wanted"])


def judge(examples: Sequence[Example], there: Printed, again: Printed, here: Printed) -> dict[str, list[Example]]:
    """Return the examples by outcome: "same", "random", "documented" (here, and not there) or "other"."""
    found: dict[str, list[Example]] = {"same": [], "random": [], "documented": [], "other": []}
    for example in examples:
        number = example["number"]
        first, ours = there.get(number), here.get(number)
        if not agree(first, again.get(number)) or not any(first or ()):
            continue
        if agree(first, ours):
            outcome = "same"
        elif example["name"] in RANDOM:
            outcome = "random"
        else:
            is_ours = is_as_documented(ours, example) and not is_as_documented(first, example)
            outcome = "documented" if is_ours else "other"
        found[outcome].append(example)
    return found


def row_of(release: str, examples: int, ran: int, found: dict[str, list[Example]]) -> str:
    """Return the release's line of the page."""
    same, random, documented, other = (len(found[name]) for name in ("same", "random", "documented", "other"))
    counted = same + documented + other
    names = ", ".join(f"`{one['name']}`" for one in found["other"])
    shares = f"{same / max(counted, 1):.1%} | {(same + documented) / max(counted, 1):.1%}"
    counts = " | ".join(map(str, (examples, ran, counted + random, random, same, documented)))
    return f"| {release} | {counts} | {shares} | {names} |"


def write_row(line: str) -> None:
    """Put a release's line into the page, in place of the one before."""
    page = PAGE.read_text(encoding="utf-8")
    head, table, tail = TABLE.fullmatch(page).groups()  # type: ignore[union-attr]
    rows = {row.split("|")[1].strip(): row for row in [*table.splitlines(), line] if row}
    ordered = sorted(rows, key=lambda release: [int(part) for part in release.split(".")])
    PAGE.write_text(head + "".join(f"{rows[release]}\n" for release in ordered) + tail, encoding="utf-8")


def main() -> None:
    """Print the share, and examples that differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="interpreter that has the real MindSpore")
    parser.add_argument("release", help="the one that it has")
    parser.add_argument("--show", type=int, default=0, help="how many that differ are printed")
    parser.add_argument("--page", action="store_true", help="write the release's row in docs/evidence.md")
    options = parser.parse_args()
    folder = subprocess.run([options.python, "-c", FOLDER], capture_output=True, text=True, check=True).stdout.split()[
        -1
    ]
    examples = collect(Path(folder))
    there = run(options.python, "pass", examples, SEEDS[0])
    shown = [one for one in examples if isinstance(there.get(one["number"]), list) and any(there[one["number"]])]
    again = run(options.python, "pass", shown, SEEDS[1])
    alike = [one for one in shown if agree(there[one["number"]], again.get(one["number"]))]
    here = run(sys.executable, FOLLOWING.format(release=options.release), alike, SEEDS[0])
    found = judge(examples, there, again, here)
    ran = sum(isinstance(printed, list) for printed in there.values())
    line = row_of(options.release, len(examples), ran, found)
    print(line)
    if options.page:
        write_row(line)
    for example in (found["other"] + found["documented"])[: options.show]:
        mine = here.get(example["number"], "ends its process")
        print(example["place"], f"there: {there[example['number']]}"[:300], f"here: {mine}"[:300], sep="\n    ")


if __name__ == "__main__":
    main()
