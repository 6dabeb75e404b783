"""Run notebooks and scripts, each in a process of its own; a line of JSON for each.

msbridge run notebooks.py [--limit SECONDS] [--mirror FOLDER] [--print] NOTEBOOK.ipynb|SCRIPT.py...

A notebook runs in its own folder, cell by cell. Nothing is downloaded: `requests.get` reads the file of FOLDER that has
the name, and `download.download` leaves what is there. Packages in the folder where this starts can be imported.
Commands of IPython (`!pip …`, `%matplotlib …`) are left out. A cell that fails does not end the notebook: the case says
how many failed, and of the first one what it said. The real MindSpore runs them, too: `python notebooks.py …`.
"""

import argparse
import contextlib
import io
import json
import linecache
import os
import re
import subprocess
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path

__all__ = ["cells", "main"]

MARK = "notebook cells: "
ERROR = re.compile(r"[\w.]*(Error|Exception|Interrupt|Exit)\b")


def cells(notebook: Path) -> Iterator[str]:
    """Yield the code of the cells, without commands of IPython."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and not source.startswith("%%"):
            lines = source.split("\n")
            kept = ["" if line.startswith(("!", "%")) else line for line in lines]
            if any(map(str.strip, kept)):
                yield "\n".join(kept)


def run(notebook: Path, mirror: Path, show: bool) -> list[str]:
    """Run the cells as the main module; return what each said that failed, "" of the others."""
    sys.path.insert(0, "")
    os.chdir(notebook.parent)
    warnings.simplefilter("ignore")
    download, requests = types.ModuleType("download"), types.ModuleType("requests")
    download.download = lambda url, path=".", **_: path
    requests.get = lambda url, *_, **__: types.SimpleNamespace(content=(mirror / url.split("/")[-1]).read_bytes())
    sys.modules |= {"download": download, "requests": requests}
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module  # where graph mode and pickles look names up
    found = []
    for number, source in enumerate(cells(Path(notebook.name))):
        name = f"<cell {number}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # graph mode reads it
        printed, problem = io.StringIO(), ""
        try:
            with contextlib.redirect_stdout(sys.stdout if show else printed):
                exec(compile(source, name, "exec"), module.__dict__)
        except BaseException as error:
            problem = f"cell {number}: {type(error).__name__}: {error}"[:300]
            if show:
                import traceback

                traceback.print_exc()
        found.append(problem)
    return found


def said(program: Path, mirror: Path, limit_s: int) -> str:
    """Run a notebook or a script in a process of its own; return what was wrong, "" if nothing."""
    is_script = program.suffix == ".py"
    command = [sys.executable, __file__, "--mirror", str(mirror), "--one", str(program)]
    if is_script:
        command = [sys.executable, str(program)]
    packages = os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH", "")]))
    settings = {**os.environ, "PYTHONPATH": packages, "MPLBACKEND": "Agg"}
    try:
        done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return f"took more than {limit_s} s"
    if is_script and not done.returncode:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if not lines:
        errors = [line for line in done.stderr.splitlines() if ERROR.match(line)]
        return (errors or [f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"])[-1]
    problems = json.loads(lines[0].removeprefix(MARK))
    failed = [problem for problem in problems if problem]
    return f"{len(failed)} of {len(problems)} cells failed; {failed[0]}" if failed else ""


def main() -> None:
    """Run the programs that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Path, metavar="PROGRAM")
    parser.add_argument("--limit", type=int, default=300, help="how many seconds each may take")
    parser.add_argument("--mirror", type=Path, default=Path(), help="files that notebooks would fetch")
    parser.add_argument("--print", action="store_true", help="show what the cells print")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        found = run(options.programs[0].resolve(), options.mirror.resolve(), show=options.print)
        sys.__stdout__.write(f"\n{MARK}{json.dumps(found)}\n")
        sys.__stdout__.flush()
        os._exit(0)
    for program in options.programs:
        case = {"case": str(program), "problem": said(program, options.mirror.resolve(), options.limit)}
        print(json.dumps(case, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
