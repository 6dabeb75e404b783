"""Code on the pages runs and prints what they say, links lead somewhere, and the site's contents name every page.

Blocks of a page run in order, in one folder and one namespace; those of an example in a copy of its folder. What a
page takes for granted (a script, a network, a checkpoint) is made by `before/PAGE.py`. A block with a title is a file;
`text` titled "prints" is what the block before it has printed, `…` standing for anything.
"""

import contextlib
import doctest
import io
import multiprocessing
import os
import re
import runpy
import shlex
import shutil
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from msbridge.cli.main import main
from msbridge.converters.names.rules import read_rules

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
EXAMPLES = sorted((ROOT / "examples").glob("*/README.md"))
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), ROOT / "examples" / "README.md", *EXAMPLES]
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
ELSEWHERE = {  # pages whose blocks other tests run
    "data_parallel": "tests/docs/test_distributed.py",
    "devices": "tests/docs/test_devices.py",
    "distributed": "tests/docs/test_distributed.py",
    "notebook": "tests/docs/test_notebook.py",
    "resume": "tests/train/loop/test_resuming.py",
    "torch": "tests/nn/bridge/test_tools.py",
}
LONG = ("bert_text",)  # pages whose blocks train for a while
WORDS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"].keys()
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@dataclass
class Page:
    """A page that is read: what its blocks share, and what the last one printed."""

    path: Path
    names: dict[str, Any]
    printed: str = ""

    def run(self, kind: str, title: str | None, code: str) -> None:
        """Run a block, or compare what is said with what the one before it printed."""
        if kind == "text":
            assert title != "prints" or doctest.OutputChecker().check_output(
                re.sub("…", "...", code), self.printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            ), f"{code}\nis not what was printed:\n{self.printed}"
        elif title:
            Path(title).parent.mkdir(parents=True, exist_ok=True)
            Path(title).write_text(code, encoding="utf-8")
        else:
            RUNNERS[kind](self, code)

    def python(self, code: str) -> None:
        """Run a block of Python in this process."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, str(self.path), "exec"), self.names)
        self.printed = printed.getvalue()

    def session(self, code: str) -> None:
        """Run a block as it stands in an interactive Python, with its results."""
        test = doctest.DocTestParser().get_doctest(code, self.names, self.path.name, str(self.path), 0)
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        said: list[str] = []
        doctest.DocTestRunner(optionflags=flags).run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)

    def shell(self, code: str) -> None:
        """Run the commands of a block, each in a process that is forked from this one."""
        self.printed = ""
        for line in code.replace("\\\n", " ").splitlines():
            command, *arguments = shlex.split(line, comments=True) or [""]
            if ">" in arguments:
                arguments = arguments[: arguments.index(">")]
            match command:
                case "msbridge":
                    wanted = int(found[1]) if (found := re.search(r"# .*exit code (\d)", line)) else 0
                    status, printed = _forked(lambda given=arguments: main(given))
                    assert status == wanted, f"{line}\n{printed}"
                    self.printed += printed
                case "python":
                    status, printed = _forked(lambda given=arguments: _script(given))
                    assert status == 0, f"{line}\n{printed}"
                    self.printed += printed
                case "pytest":
                    status, printed = _forked(lambda given=arguments: pytest.main([*given, "-p", "no:cacheprovider"]))
                    assert status == 0, printed
                case "pip":
                    assert set(re.findall(r"[\[,](\w+)", arguments[-1])) <= WORDS, line
                case "make":
                    assert arguments[0] in TARGETS, line
                case "":
                    continue
                case _:
                    pytest.fail(f"{self.path.name}: what is {command}?")

    def rules(self, code: str) -> None:
        """Read a block of rules of `msbridge convert`."""
        Path("page.toml").write_text(code, encoding="utf-8")
        assert read_rules(Path("page.toml"))


RUNNERS = {"python": Page.python, "pycon": Page.session, "sh": Page.shell, "toml": Page.rules}


def _script(words: list[str]) -> None:
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")


def _forked(action: Callable[[], Any]) -> tuple[int | None, str]:
    """Run an action in a process that is forked from this one; return its exit code and what it printed."""
    process = multiprocessing.get_context("fork").Process(target=_printing, args=(action,))
    process.start()
    process.join(120)
    process.kill()
    return process.exitcode, Path("printed.txt").read_text(encoding="utf-8")


def _printing(action: Callable[[], Any]) -> None:
    torch.set_num_threads(1)  # a forked process has none of the others
    with Path("printed.txt").open("w", encoding="utf-8", buffering=1) as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
        sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = file
        try:
            sys.exit(action())
        except SystemExit:
            raise
        except BaseException:
            traceback.print_exc()
            raise


def _title(page: Path) -> str:
    return page.parent.name if page.name == "README.md" and page.parent != ROOT else page.stem


def _blocks(page: Path) -> list[tuple[str, str | None, str]]:
    found = [(each["kind"], each["title"], each["code"]) for each in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    return [] if _title(page) in ELSEWHERE else found


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
    [pytest.param(page, marks=[pytest.mark.long] * (_title(page) in LONG)) for page in PAGES if _blocks(page)],
    ids=_title,
)
def test_blocks_run(page: Path, folder: Path) -> None:
    read = Page(page, {"__name__": "__main__"})
    before = HERE / "before" / f"{_title(page)}.py"
    if page.name == "README.md" and page.parent != ROOT:
        shutil.copytree(page.parent, folder, dirs_exist_ok=True)
    if before.exists():
        read.python(before.read_text(encoding="utf-8"))
    for kind, title, code in _blocks(page):
        read.run(kind, title, code)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=_title)
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
    assert [page.name for page in DOCS.glob("*.md") if page.name not in contents] == []
    assert [page for page in EXAMPLES if f"examples/{page.parent.name}/index.md" not in contents] == []


def test_the_page_of_examples_names_each() -> None:
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\((\w+)/README\.md\)", text)) == {page.parent.name for page in EXAMPLES}
