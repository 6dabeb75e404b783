"""Run the blocks of a page in order, in the current folder and one namespace.

It needs nothing but Python and what the page installs: `test_clean_environments.py` runs it as a script in such
environments. What a page takes for granted (a script, a network, a checkpoint) is made by `before/PAGE.py`. A block
with a title is a file; `text` titled "prints" is what the block before it has printed, `…` standing for anything.
"""

import contextlib
import doctest
import io
import json
import multiprocessing
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from msbridge.cli.main import main
from msbridge.converters.names.rules import read_rules

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*/README.md"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "examples" / "README.md", *EXAMPLES]
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
EXTRAS = re.compile(r"(?<=[\[,])\w+(?=[\],])")
LIMIT_S = 300  # of a command, and of a page that runs alone
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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
                    self._command(line, lambda given=arguments: main(given), wanted)
                case "python":
                    self._command(line, lambda given=arguments: _script(given))
                case "pytest":
                    self._command(line, lambda given=arguments: _pytest(given))
                case "pip":
                    assert set(EXTRAS.findall(line)) <= {*PROJECT["optional-dependencies"]}, line
                case "make":
                    assert arguments[0] in TARGETS, line
                case "":
                    continue
                case _:
                    raise AssertionError(f"{self.path.name}: what is {command}?")

    def console(self, code: str) -> None:
        """Run commands of other programs."""
        for line in code.splitlines():
            done = subprocess.run(shlex.split(line.removeprefix("$ ")), capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr

    def magic(self, code: str) -> None:
        """Leave out what only a notebook understands; the page runs one."""

    def rules(self, code: str) -> None:
        """Read a block of rules of `msbridge convert`."""
        Path("page.toml").write_text(code, encoding="utf-8")
        assert read_rules(Path("page.toml"))

    def _command(self, line: str, action: Callable[[], Any], wanted: int = 0) -> None:
        status, printed = _forked(action)
        assert status == wanted, f"{line}\n{printed}"
        self.printed += printed


RUNNERS = {"python": Page.python, "pycon": Page.session, "sh": Page.shell, "toml": Page.rules}
RUNNERS |= {"console": Page.console, "ipython": Page.magic}


def title_of(page: Path) -> str:
    """Return the name of a page: its file's, or the folder's of an example."""
    return page.parent.name if page.name == "README.md" and page.parent != ROOT else page.stem


def blocks(page: Path) -> list[tuple[str, str | None, str]]:
    """Return the kind, the title and the text of every block of a page."""
    return [(each["kind"], each["title"], each["code"]) for each in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def run_page(page: Path, folder: Path) -> None:
    """Run a page in an empty folder, the current one."""
    read = Page(page, {"__name__": "__main__"})
    before = HERE / "before" / f"{title_of(page)}.py"
    if page.name == "README.md" and page.parent != ROOT:
        shutil.copytree(page.parent, folder, dirs_exist_ok=True)
    if before.exists():
        read.python(before.read_text(encoding="utf-8"))
    for kind, title, code in blocks(page):
        read.run(kind, title, code)


def _script(words: list[str]) -> None:
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")


def _pytest(words: list[str]) -> int:
    import pytest

    return pytest.main([*words, "-p", "no:cacheprovider"])


def _forked(action: Callable[[], Any]) -> tuple[int | None, str]:
    """Run an action in a process that is forked from this one; return its exit code and what it printed."""
    process = multiprocessing.get_context("fork").Process(target=_printing, args=(action,))
    process.start()
    process.join(LIMIT_S)
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


def _alone(page: Path) -> None:
    """Run a page in a folder of its own; what it takes for granted comes from the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path[:0] = [folder, str(ROOT)]
        run_page(page, Path(folder))


def _problems(pages: list[Path]) -> dict[str, str]:
    """Run each page in a process that is forked from this one; return what those that fail print."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        ended = {title_of(page): _forked(lambda given=page: _alone(given)) for page in pages}
    return {name: printed for name, (status, printed) in ended.items() if status}


if __name__ == "__main__":
    del sys.path[0]  # this folder
    print(json.dumps(_problems([Path(page) for page in sys.argv[1:]])))
