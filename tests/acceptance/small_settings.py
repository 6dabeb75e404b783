"""Write a copy of a script's YAML file of settings with other values, for those that no option sets; started by jobs.

msbridge run small_settings.py FROM TO NAME=VALUE …      # image_size=[96,96], model.layers=2: the value in YAML
"""

import sys
from functools import reduce
from pathlib import Path

import yaml

__all__ = ["main"]


def main(source: str, target: str, *changes: str) -> None:
    """Write the copy; the settings are the file's first document, further ones describe them."""
    settings, *others = yaml.safe_load_all(Path(source).read_text(encoding="utf-8"))
    for name, value in (change.split("=", 1) for change in changes):
        *groups, last = name.split(".")
        reduce(dict.__getitem__, groups, settings)[last] = yaml.safe_load(value)
    text = yaml.safe_dump_all([settings, *others], sort_keys=False, allow_unicode=True)
    Path(target).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
