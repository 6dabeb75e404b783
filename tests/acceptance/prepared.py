"""Run a script after statements, where its settings are in code and no option sets them; started by jobs.

msbridge run prepared.py "import src.config; src.config.settings.size = 8" train.py WORDS …
"""

import runpy
import sys

__all__ = ["main"]


def main(statements: str, script: str, *words: str) -> None:
    """Execute the statements, then the script with the words as its arguments."""
    sys.argv = [script, *words]
    exec(statements, {})
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    sys.path.insert(0, ".")
    main(*sys.argv[1:])
