"""The pages of the documentation name options that the commands have."""

import argparse
import re
from pathlib import Path

import page_tables
import pytest

from msbridge.cli.main import parser

ROOT = Path(__file__).parents[2]
# Of torchrun, of pytest, of tests/soak and tests/acceptance, and of tools.
OTHERS = {
    "--branch", "--judge", "--largest", "--max-restarts", "--minutes", "--nproc-per-node", "--oracle", "--page",
    "--python", "--release", "--side-by-side-reports", "--target", "--torch", "--write",
}  # fmt: skip


def options(command: argparse.ArgumentParser) -> set[str]:
    """Give the long options of a command and of its own commands."""
    found = {name for action in command._actions for name in action.option_strings if name.startswith("--")}
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= {name for each in action.choices.values() for name in options(each)}
    return found


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))])
def test_named_options_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = "\n".join(line for line in text.splitlines() if "train.py" not in line and "pip install" not in line)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", shown)) - OTHERS
    assert named <= options(parser())


@pytest.mark.parametrize("page", ["docs/convert.md", "docs/scan.md"])
def test_tables_of_options_are_those_of_the_parsers(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert page_tables.fill(text) == text, f"stale: python tools/page_tables.py {page}"


@pytest.mark.parametrize("page", ["docs/graph.md", "docs/scan.md"])
def test_tables_of_rules_are_those_of_the_rules(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert page_tables.fill(text) == text, f"stale: python tools/page_tables.py {page}"
