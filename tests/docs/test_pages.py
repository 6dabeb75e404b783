"""Code on the pages runs and prints what they say, links lead somewhere, and the site's contents name every page.

How a page is read and run: `page_runner.py`.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.page_runner import EXAMPLES, PAGES, ROOT, blocks, run_page, title_of

LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
ELSEWHERE = {  # pages whose blocks other tests run
    "data_parallel": "tests/docs/test_distributed.py",
    "devices": "tests/docs/test_devices.py",
    "distributed": "tests/docs/test_distributed.py",
    "notebook": "tests/docs/test_notebook.py",
    "resume": "tests/train/loop/test_resuming.py",
    "torch": "tests/nn/bridge/test_tools.py",
}
LONG = ("README", "bert_text", "onnx_served")  # pages of many commands, or whose blocks train for a while
RUN_HERE = [page for page in PAGES if blocks(page) and title_of(page) not in ELSEWHERE]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in; modules of the folders of tests are forgotten, before and after."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    _forget_modules_below(tmp_path.parent)
    yield tmp_path
    _forget_modules_below(tmp_path.parent)


def _forget_modules_below(folder: Path) -> None:
    for name, module in list(sys.modules.items()):
        if str(folder) in str(getattr(module, "__file__", "")):
            del sys.modules[name]


@pytest.mark.process
@pytest.mark.usefixtures("dropin")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.long] * (title_of(page) in LONG)) for page in RUN_HERE],
    ids=title_of,
)
def test_blocks_run(page: Path, folder: Path) -> None:
    run_page(page, folder)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"], ids=title_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_the_site_has_every_page() -> None:
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [page.name for page in (ROOT / "docs").glob("*.md") if page.name not in contents] == []
    assert [page for page in EXAMPLES if f"examples/{page.parent.name}/index.md" not in contents] == []


def test_the_page_of_examples_names_each() -> None:
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\((\w+)/README\.md\)", text)) == {page.parent.name for page in EXAMPLES}
