"""Every operator that the tables of mixed precision name is there: one that is renamed or moved would lose its row."""

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

from msbridge.core.runtime.defining_modules import is_own
from msbridge.ops import precision, precision_roles

ROOMS = ("ops", "mint", "numpy", "scipy", "nn.layers", "nn.losses", "nn.transformer", "mint.nn")


@functools.cache
def operators() -> frozenset[tuple[str, str]]:
    """Return place and name of all functions and classes in the operators' rooms, as a frame of them tells it."""
    return frozenset(_operators())


def _operators() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        package = importlib.import_module(f"msbridge.{room}")
        below = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        for module in map(importlib.import_module, [package.__name__, *(one.name for one in below)]):
            place = module.__name__.removeprefix("msbridge.").replace(".", "/")
            for value in (*vars(module).values(), *getattr(module, "DERIVED", ()), *getattr(module, "FACES", ())):
                value = inspect.unwrap(value) if inspect.isfunction(value) else value
                if inspect.isfunction(value) and value.__code__.co_filename.startswith(precision._OPERATORS):
                    yield precision.place_of_code(value.__code__), value.__name__
                elif inspect.isclass(value) and is_own(value):
                    yield place, value.__name__


def is_there(key: str, plain: bool) -> bool:
    return any(
        precision_roles._look_up({key: True}, place, precision_roles._plain(name) if plain else name)
        for place, name in operators()
    )


@pytest.mark.parametrize("key", sorted(precision_roles._table()))
def test_what_has_a_role_is_there(key: str) -> None:
    assert is_there(key, plain=False)


@pytest.mark.parametrize("key", sorted(precision_roles._choices()))
def test_what_level_auto_chooses_for_is_there(key: str) -> None:
    assert is_there(key, plain=True)


@pytest.mark.parametrize("name", sorted(precision_roles._ROLES_OF_LAYERS))
def test_layers_with_a_role_are_there(name: str) -> None:
    assert any(name == one and place.startswith(("nn/layers", "mint/nn")) for place, one in operators())


@pytest.mark.parametrize("room", sorted(precision_roles._ROOMS))
def test_rooms_with_a_role_are_there(room: str) -> None:
    assert any(place.startswith(room) for place, _ in operators())
