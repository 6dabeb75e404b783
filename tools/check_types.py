"""Run mypy on the packages as they are installed: `converters` and `mappings` are inside msbridge there.

The stubs of `mindspore` are beside it, and a script that imports it, in which a wrong type has to be found.

    python tools/check_types.py [OPTION ...]

In a checkout the two folders are beside msbridge, where mypy would take what is imported from them for Any.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import mindspore_stubs

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "typed_script.py"
TREE = ROOT / ".mypy_cache" / "installed"


def main() -> int:
    """Link the packages into one tree, and return mypy's exit code."""
    package = TREE / "msbridge"
    package.mkdir(parents=True, exist_ok=True)
    for link in package.iterdir():
        link.unlink()
    for source in [*(ROOT / "msbridge").iterdir(), ROOT / "converters", ROOT / "mappings"]:
        (package / source.name).symlink_to(source)
    shutil.rmtree(TREE / "mindspore", ignore_errors=True)
    mindspore_stubs.write(TREE)
    (TREE / "mindspore-stubs").rename(TREE / "mindspore")
    shutil.copy(SCRIPT, TREE)
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--module", SCRIPT.stem]
    command += ["--package", "msbridge", "--package", "mindspore"]
    return subprocess.run([*command, *sys.argv[1:]], cwd=TREE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
