"""Python files and notebooks: which there are under some paths, and what is in them."""

import ast
import errno
import json
import re
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msbridge.dropin.release_guess.nodes import Nodes

__all__ = ["Cell", "Source", "UnreadableError", "python_files"]

SUFFIXES = (".py", ".ipynb")
MAX_BYTES = 64 << 20  # of a file
MAX_LINE_LENGTH = 300  # characters of a line that are shown
# Lines of IPython's own: `%time`, `!ls`, `?x`, `x?`, `files = !ls`; `%%bash` at the beginning takes the whole cell.
MAGIC = re.compile(r"([ \t]*)(?:[%!?]|[\w.]+\?\??[ \t]*$|([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)[ \t]*=[ \t]*[%!])")
# Those of a cell's beginning after which Python follows.
OF_PYTHON = re.compile(r"%%(?:capture|debug|mprun|memit|prun|python3?|time|timeit)\b")

SKIPPED = {"__pycache__", "build", "node_modules", "site-packages"}  # besides what begins with a dot
IGNORED = re.compile(r"#\s*msbridge:\s*ignore(?:\[([\w\s,-]*)\])?")


class UnreadableError(Exception):
    """A file that is not Python.

    Attributes:
        line: where it stops to be.
        column: counted from 1.
        problem: what is wrong there.
    """

    def __init__(self, line: int, column: int, problem: str):
        super().__init__(problem)
        self.line, self.column, self.problem = line, column, problem


@dataclass(frozen=True)
class Source:
    """A Python file."""

    path: Path  # where it lies
    root: Path = field(compare=False)  # the path that was asked for

    @cached_property
    def text(self) -> str:
        """Its text, of a notebook that of its cells of code; raises UnreadableError."""
        self._refuse_large()
        if self.is_notebook:
            return "".join("\n" * text.count("\n") if _problem(text) else text for _, text in self.cells)
        try:
            with tokenize.open(self.path) as file:
                return file.read()
        except (SyntaxError, UnicodeError) as error:  # an unknown encoding, or bytes that it does not know
            raise UnreadableError(1, 1, str(error)) from error
        except OSError as error:  # may not be read; is gone
            raise UnreadableError(1, 1, error.strerror or str(error)) from error

    def _refuse_large(self) -> None:
        try:
            size = self.path.stat().st_size
        except OSError:
            return  # whoever reads it will see that
        if size > MAX_BYTES:
            raise UnreadableError(
                1, 1, f"it has {size >> 20} MiB; files of more than {MAX_BYTES >> 20} MiB are not read"
            )

    @property
    def is_notebook(self) -> bool:
        """Whether it is a notebook of Jupyter."""
        return self.path.suffix == ".ipynb"

    @cached_property
    def cells(self) -> "list[Cell]":
        """The cells of code of a notebook; raises UnreadableError."""
        try:
            book = json.loads(self.path.read_text(encoding="utf-8-sig"))
            sheets = book.get("worksheets", [book])  # those of the third version
            every = enumerate((one for sheet in sheets for one in sheet["cells"]), 1)
            code = [
                (number, one.get("source", one.get("input"))) for number, one in every if one["cell_type"] == "code"
            ]
            return [Cell(number, _without_magics("".join(lines))) for number, lines in code]
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
        ) as error:  # no JSON, or another form
            raise UnreadableError(1, 1, f"no notebook of Jupyter: {error!r}") from error
        except OSError as error:
            raise UnreadableError(1, 1, error.strerror or str(error)) from error

    @cached_property
    def broken(self) -> "list[UnreadableError]":
        """The cells of a notebook that are not Python, each of which is read as if it were empty."""
        errors = []
        try:
            before = 0
            for cell in self.cells if self.is_notebook else ():
                if problem := _problem(cell.text):
                    errors.append(UnreadableError(before + problem.line, problem.column, problem.problem))
                before += cell.text.count("\n")
        except UnreadableError:
            pass  # whoever reads the text will see that
        return errors

    def place(self, line: int) -> tuple[str, int]:
        """Return the path and the line of a line of the text: of a notebook those of its cell, "a.ipynb:cell_3"."""
        if not self.is_notebook:
            return str(self.path), line
        try:
            for number, text in self.cells:
                if line <= (count := text.count("\n")):
                    return f"{self.path}:cell_{number}", line
                line -= count
        except UnreadableError:
            pass
        return str(self.path), line

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree; raises UnreadableError."""
        return _parse_text(self.text, self.is_notebook)

    @cached_property
    def nodes(self) -> Nodes:
        """The nodes of its syntax tree, by kind; raises UnreadableError."""
        return Nodes(self.tree)

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, as the parser counts them."""
        return re.split(r"\r\n|\r|\n", self.text)

    def excerpt(self, line: int) -> str:
        """Return a line without its indentation."""
        found = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        return found if len(found) <= MAX_LINE_LENGTH else f"{found[:MAX_LINE_LENGTH]} …"

    def ignores(self, rule: str, line: int) -> bool:
        """Whether a comment in the line says that this rule does not count there."""
        found = IGNORED.search(self.lines[line - 1]) if 0 < line <= len(self.lines) else None
        return found is not None and (found[1] is None or rule in re.split(r"[\s,]+", found[1]))

    @cached_property
    def dotted(self) -> tuple[str, ...]:
        """The parts of the name under which it can be imported from the folder above what was asked for."""
        folder = self.root if self.root.is_dir() else self.root.parent
        inside = self.path.relative_to(folder).with_suffix("").parts  # of a link its own place, not that of its target
        parts = tuple(filter(None, (folder.resolve().name, *inside)))
        return parts[:-1] if parts[-1] == "__init__" else parts

    @property
    def is_package(self) -> bool:
        """Whether it is the file that represents its folder."""
        return self.path.stem == "__init__"


class Cell(NamedTuple):
    """A cell of a notebook: its number among all cells, from 1, and its text, which ends with a line break."""

    number: int
    text: str


def _parse_text(text: str, of_notebook: bool) -> ast.Module:
    flags = ast.PyCF_ONLY_AST | (ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if of_notebook else 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the scanned code, such as an invalid escape in a text
            tree = compile(text, "<scanned>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        raise UnreadableError(error.lineno or 1, error.offset or 1, error.msg) from error
    except (ValueError, RecursionError, MemoryError) as error:  # a null byte; nested beyond Python's own limits
        raise UnreadableError(1, 1, str(error) or "nested too deeply") from error
    assert isinstance(tree, ast.Module)
    return tree


def _problem(text: str) -> UnreadableError | None:
    try:
        _parse_text(text, of_notebook=True)
    except UnreadableError as error:
        return error
    return None


def _without_magics(text: str) -> str:
    """Return the text of a cell with `pass` in place of IPython's own lines."""
    lines = text.splitlines()
    if lines and lines[0].startswith("%%") and not OF_PYTHON.match(lines[0]):
        lines = ["pass"] * len(lines)
    return "".join(f"{_plain(line)}\n" for line in lines)


def _plain(line: str) -> str:
    found = MAGIC.match(line)
    if found is None:
        return line
    return f"{found[1]}{found[2]} = None" if found[2] else f"{found[1]}pass"


def repository_of(path: Path) -> str:
    """Return the name of the repository that a path is the address of, as it is when cloned; "" for other paths."""
    found = re.fullmatch(r"(?:\w+:/|\w+@[\w.-]+:).*?([\w.-]+?)(?:\.git)?/*", path.as_posix())
    return found[1] if found else ""


def _find_clone(path: Path) -> Path:
    """Return the folder of the repository that a path is the address of, where it lies here."""
    name = repository_of(path)
    return Path(name) if name and not path.exists() and Path(name).is_dir() else path


def python_files(paths: Iterable[Path]) -> Iterator[Source]:
    """Yield the Python files and notebooks that are given or lie under given folders, each once.

    Raises:
        FileNotFoundError: a path does not exist.
    """
    seen = set()
    for given in paths:
        root = _find_clone(given)
        if not root.exists():
            name = repository_of(root)
            address = _restore_address(root)
            said = f"Is it a repository's address? Clone it first: git clone {address} && msbridge scan {name}"
            raise FileNotFoundError(2, said if name else "No such file or folder", address)
        if not (root.is_dir() or root.is_file()):
            raise OSError(errno.EINVAL, "Neither a file nor a folder", str(root))
        for path in _walk_folder(root) if root.is_dir() else [root]:
            if (real := path.resolve()) not in seen:
                seen.add(real)
                yield Source(path, root)


def _restore_address(path: Path) -> str:
    """Return a path as it was written: one of slashes that follow each other in an address is lost."""
    return re.sub(r"^(\w+):/(?=\w)", r"\1://", path.as_posix())


def _walk_folder(folder: Path) -> Iterator[Path]:
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            if path == folder or path.is_dir():
                is_left_out = path.name in SKIPPED or path.name.startswith(".") or path.is_symlink()
                if path == folder or not is_left_out:
                    waiting += sorted(path.iterdir(), reverse=True)
            elif path.suffix in SUFFIXES and path.is_file():  # no pipe, no link to nothing or to itself
                yield path
        except OSError:  # may not be read, or lies too deep
            yield path  # which is reported when it is read
