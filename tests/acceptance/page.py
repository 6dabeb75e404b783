"""Write docs/acceptance.md, what public repositories do under `msbridge run`, from results.json and reasons.toml.

python tests/acceptance/page.py
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "acceptance.md"
sys.path.insert(0, str(HERE))

from compare import CLOSE, COMPARED, HALF, agrees  # noqa: E402
from run import Outcome, stored  # noqa: E402

HEAD = """# Public repositories, unmodified

`python tests/acceptance/run.py FOLDER` runs copies of the scripts of public repositories under
`msbridge run`, and counts what passes: tests, networks that are built and trained for a step, scripts that succeed,
losses that fall, checkpoints that are written. A notebook passes if each of its cells does. The data are tiny, in the
formats of the real data sets; nothing is downloaded. `tests/acceptance/jobs.toml` lists the jobs, and
`python tests/acceptance/page.py` writes this page from the stored outcomes. The packages are those of
`constraints.txt` and what the repositories require, with numpy 2.3.5 where a script converts an array with axes to a
number, which numpy 2.4 refuses.

The outcomes are not from one run: single jobs were repeated, and each row shows its last run.

| where | what | passed | of | seconds |
|---|---|---:|---:|---:|
"""

NUMBERS = """
## The same numbers, and the time of a step

`python tests/acceptance/compare.py FOLDER --oracle PYTHON` builds networks of these repositories, unmodified, in the
real MindSpore 2.10.0 and here, from one checkpoint that the real one wrote, and pass both the same batch. *Equal* says
whether outputs and gradients of all weights differ by at most {close} of the largest magnitude of their array, and by
{half} where the network calculates in float16 (O2, O3, float16). Gradients may also differ by as much as the real
ones from themselves, which is in brackets: from those of float32, or from those of inputs that are one unit of
float32 larger, where rounding grows in the network (normalization over few numbers). Gradients that are all below a
hundredth of the network's largest are measured by that hundredth. The columns tell the largest difference of the
outputs, of the gradients, and of the losses of four steps. Layers that draw random numbers are in evaluation mode.

The times are wall times of `nn.TrainOneStepCell` with Momentum in graph mode, with the threads that each takes by
itself, in turns, while the other process is stopped: medians of the turns, and the median and the range of the turns'
ratios (below 1: faster here). Those of BERT, DeepFM, GAT, GCN, LSTM, NCF, Transformer, ConViT, ConvNeXt and Swin are
of two cores without other work, the others earlier, of two that other work and the other process shared. Convolutions
of the real 2.10.0 were very slow on this machine (AMD EPYC), so for networks made of them the ratio says little;
their images are small for that reason.

| network | equal | outputs | gradients | losses | real, ms | here, ms | ratio |
|---|---|---:|---:|---:|---:|---:|---:|
"""


TUTORIALS = """
## The code of MindSpore's tutorials

`python tests/acceptance/tutorials.py DOCS --oracle PYTHON` runs the blocks of code of MindSpore's documentation, page
by page, here and in the real MindSpore, and compares what is printed.

| pages of | the real one | it runs | here print the same | something else | fail |
|---|---|---:|---:|---:|---:|
| master | 2.10.0 | 413 | 371 | 35 | 7 |
| r2.0, `--branch r2.0 --release 2.0` | 2.0.0 | 586 | 545 | 38 | 3 |

Something else are random numbers and orders, seconds, paths of modules, numbers as newer numpy prints them, and prints
of graphs, which the real one writes when it likes. What fails: a package that is not installed (4 blocks), a plan of
AutoTune around Python code (2), a global that a marked function changes without saying so (2), a method without `self`,
and an array of one element made a float, which newer numpy refuses.
"""


def page(outcomes: Iterable[Outcome], reasons: dict[str, str]) -> str:
    """Return the page: a table of the jobs, and every failure with its reason.

    Args:
        outcomes: what became of the jobs.
        reasons: patterns of "place name case: what it said", and the reason of such failures.
    """
    rows = list(outcomes)
    passed, total = sum(row.passed for row in rows), sum(row.total for row in rows)
    table = "".join(f"| {row.at} | {row.name} | {row.passed} | {row.total} | {row.seconds:.0f} |\n" for row in rows)
    text = f"{HEAD}{table}| **all** | | {passed} | {total} | |\n\n## Failures\n\n"
    grouped: dict[str, list[str]] = {}
    for row in rows:
        for case, problem in row.failures.items():
            grouped.setdefault(f"{row.at}, {row.name}: {reason(row, case, problem, reasons)}", []).append(case)
    if not grouped:
        return text + "None.\n"
    return text + "".join(f"- {what}\n  ({len(cases)}: {listed(cases)})\n" for what, cases in sorted(grouped.items()))


def numbers(rows: Iterable[Mapping[str, Any]], notes: Mapping[str, str]) -> str:
    """Return the part of the page that compares networks with the real MindSpore.

    Args:
        rows: what `compare.py` found.
        notes: why a row differs, by its name.
    """
    lines, said = "", ""
    for row in rows:
        note = notes.get(row["name"], "")
        if "problem" in row:
            said += f"- {row['name']}: {note or row['problem'][:160]}\n"
            continue
        sign = "yes" if agrees(row) else "**no**"
        said += f"- {row['name']}: {note or 'not looked into yet'}\n" if note or sign != "yes" else ""
        own = f" ({row['own']:.0e})" if "own" in row else ""
        differences = f"{row['output']:.0e} | {row['gradient']:.0e}{own} | {row['losses']:.0e}"
        lines += f"| {row['name']} | {sign} | {differences} | {row['real_ms']:.4g} | {row['here_ms']:.4g} "
        lines += f"| {row['ratio']:.2g} ({row['spread'][0]:.2g} … {row['spread'][1]:.2g}) |\n"
    return NUMBERS.format(close=CLOSE, half=HALF) + lines + (f"\n{said}" if said else "")


def reason(row: Outcome, case: str, problem: str, reasons: dict[str, str]) -> str:
    """Return why a case failed: the reason that was found, or else what it said."""
    line = f"{row.at} {row.name} {case}: {problem}"
    known = next((text for pattern, text in reasons.items() if re.search(pattern, line)), "")
    said = problem.splitlines()[0][:160].replace("|", "\\|").replace("<", "&lt;")
    return known or f"not looked into yet: `{said}`"


def listed(cases: list[str]) -> str:
    """Return the first names of a list."""
    return ", ".join(f"`{brief(case)}`" for case in cases[:8]) + (", …" if len(cases) > 8 else "")


def brief(case: str) -> str:
    """Return a name without its module and its middle, where it is very long."""
    name = case.rpartition("::")[2]
    return case if len(case) <= 160 else f"{name[:64]}…{name[-16:]}"


if __name__ == "__main__":
    known: dict[str, Any] = tomllib.loads((HERE / "reasons.toml").read_text(encoding="utf-8"))
    notes = known.pop("compared", {})
    compared = json.loads(COMPARED.read_text(encoding="utf-8")) if COMPARED.exists() else []
    text = page(stored().values(), known) + numbers(compared, notes) + TUTORIALS
    PAGE.write_text(text, encoding="utf-8")
