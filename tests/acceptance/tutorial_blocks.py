"""Run pages of code, block by block, as the main module; `tutorials.py` calls it with each Python.

    python tutorial_blocks.py real|own PAGES.json LOG START

It knows nothing newer than Python 3.7, for the sake of the earliest MindSpore.
"""

import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import time
import types
import warnings
from pathlib import Path

#: seconds that a block, and a page, may take
BLOCK, PAGE = 25, 60
PRINTED = 3000  # characters that are kept of what a block prints


def late(*_):
    raise TimeoutError


def run_page(sources):
    """Return what each block printed, and its error: None, its words, or "late"."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module  # where graph mode looks names up
    begun, found = time.time(), []
    for number, source in enumerate(sources):
        if time.time() - begun > PAGE:
            found.append(("", "late"))
            continue
        path = Path.cwd() / f"block_{number}.py"
        path.write_text(source, encoding="utf-8")  # graph mode reads it
        printed, error = io.StringIO(), None
        signal.alarm(BLOCK)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(source, str(path), "exec"), module.__dict__)
        except BaseException as failure:
            error = f"{type(failure).__name__}: {str(failure)[:300]}"
        signal.alarm(0)
        found.append((printed.getvalue()[-PRINTED:], error))
    return found


def main():
    whose, pages, log, start = sys.argv[1:]
    warnings.simplefilter("ignore")
    if whose == "own":
        import msbridge

        msbridge.install()
    import mindspore as ms
    import numpy as np

    every = json.loads(Path(pages).read_text(encoding="utf-8"))
    signal.signal(signal.SIGALRM, late)
    with Path(log).open("a", buffering=1, encoding="utf-8") as out:
        for number in range(int(start), len(every)):
            name, sources = every[number]
            out.write(json.dumps({"page": number}) + "\n")
            os.chdir(tempfile.mkdtemp())
            ms.set_context(mode=1, device_target="CPU")
            ms.set_seed(1)
            np.random.seed(1)
            found = run_page(sources)
            out.write(json.dumps({"page": number, "name": name, "blocks": found}) + "\n")


if __name__ == "__main__":
    main()
