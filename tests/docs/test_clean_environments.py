"""Pages and examples run where only that is installed which they tell to install.

A page that names nothing gets what `pip install msbridge` installs. Pages of equal requirements share an environment.
"""

import json
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tests.docs import linked_environment
from tests.docs.page_runner import HERE, PAGES, RUNNERS, blocks, title_of

INSTALL = re.compile(r"pip install (?:-e )?([^`\n#]*\bmsbridge\b[^`\n#]*|\"\.\[\w+\]\")")
FRAGMENTS = ("resume", "torch")  # pages whose blocks take names from the tests that run them
LIMIT_S = 1200


def requirements(page: Path) -> tuple[str, ...]:
    """Return what a page tells to install, always with msbridge."""
    named = {"msbridge"}
    for words in INSTALL.findall(page.read_text(encoding="utf-8")):
        named |= {re.sub(r"[\"')]|\.$", "", word) for word in words.split()}
    return tuple(sorted(re.sub(r"^\.(?=\[)", "msbridge", word) for word in named))


def grouped() -> dict[tuple[str, ...], list[Path]]:
    """Return the pages that have blocks to run, by what they tell to install."""
    groups = defaultdict(list)
    for page in PAGES:
        if title_of(page) not in FRAGMENTS and any(kind in RUNNERS for kind, _, _ in blocks(page)):
            groups[requirements(page)].append(page)
    return groups


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(("named", "pages"), [pytest.param(*each, id=" ".join(each[0])) for each in grouped().items()])
def test_blocks_run_with_what_the_page_installs(named: tuple[str, ...], pages: list[Path], tmp_path: Path) -> None:
    if lacking := linked_environment.is_installed(named):
        pytest.skip(f"{lacking} is not installed, and is needed for {', '.join(map(title_of, pages))}")
    python = linked_environment.make(tmp_path / "environment", named)
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables |= {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [python, HERE / "page_runner.py", *pages],
        env=variables,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    problems = json.loads(done.stdout)
    assert not problems, "\n\n".join(f"{name}\n{problem}" for name, problem in problems.items())


def test_an_environment_has_what_its_requirements_ask_for() -> None:
    assert {"msbridge", "torch", "numpy"} <= linked_environment.closure(["msbridge"]).keys()
    assert {"pytest", "pillow", "mypy"}.isdisjoint(linked_environment.closure(["msbridge"]))
    assert "pillow" in linked_environment.closure(["msbridge[examples]"])  # an extra of an extra
    assert linked_environment.is_installed(["no-such-package"]) == "no-such-package"
