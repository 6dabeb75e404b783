"""docs/settings.md says what the table says, and the table names what is there."""

import importlib
import inspect
from collections.abc import Iterator

import pytest
import settings

from msbridge.core import notices
from msbridge.dropin import install, uninstall
from msbridge.dropin.coverage import resolves

BY_KEYWORDS = {f"mindspore.{name}" for name in ("set_context", "set_auto_parallel_context", "Profiler", "nn.Adam")}


@pytest.fixture
def dropin() -> Iterator[None]:
    uninstall()
    install()
    yield
    uninstall()


def test_the_page_is_that_of_the_table() -> None:
    assert settings.PAGE.read_text(encoding="utf-8") == settings.page(notices.settings().values())


@pytest.mark.usefixtures("dropin")
def test_every_row_names_an_argument_or_a_function_that_is_there() -> None:
    wrong = []
    for name in notices.settings():
        owner, _, setting = name.rpartition(".")
        if owner in BY_KEYWORDS or resolves(name):
            continue
        if not resolves(owner) or setting not in inspect.signature(_found(owner)).parameters:
            wrong.append(name)
    assert wrong == []


def _found(path: str) -> object:
    """Return what a dotted name stands for; the modules on the way are imported by now."""
    first, *rest = path.split(".")
    found: object = importlib.import_module(first)
    for part in rest:
        found = getattr(found, part)
    return found
