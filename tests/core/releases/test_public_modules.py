"""The rooms of MindSpore's modules: what the tables name is there, and a row says what no other row says."""

import importlib
import importlib.util
import pkgutil

import pytest

from msbridge.core.releases.public_modules import (
    HOMES,
    MOVED,
    OBJECTS,
    ROOMS,
    SAME,
    home_of,
    in_our_tree,
    rooms_above,
    rooms_of,
)

MAX_PATHS = 235  # of files of ours, in all tables: what has a public path needs none


def test_tables_are_sorted_and_short() -> None:
    tables = (SAME, MOVED, ROOMS, OBJECTS, HOMES)
    assert all([*table] == sorted(table) for table in tables)
    assert sum(len(target.split()) for table in tables for target in table.values()) <= MAX_PATHS


@pytest.mark.parametrize("path", sorted({*SAME.values(), *" ".join(ROOMS.values()).split()}))
def test_modules_are_there(path: str) -> None:
    assert importlib.util.find_spec(in_our_tree(path)) is not None


@pytest.mark.parametrize("path", sorted({*OBJECTS.values(), *HOMES.values()}))
def test_objects_are_there(path: str) -> None:
    module, _, name = in_our_tree(path).rpartition(".")
    home = importlib.import_module(module)
    assert hasattr(home, name) or importlib.util.find_spec(in_our_tree(path))


def test_no_row_is_the_module_at_the_same_place() -> None:
    assert not [path for path, rooms in ROOMS.items() if path in rooms.split()]


def test_a_path_has_the_rooms_of_the_paths_above_it() -> None:
    assert rooms_of("mindspore.nn.layer.basic") == ()
    assert [*rooms_above("mindspore.nn.layer.basic")] == ["msbridge.nn.layer", "msbridge.nn", "msbridge.train.metrics"]


def test_a_package_that_moved_has_the_modules_of_today() -> None:
    today = rooms_of("mindspore.nn.transformer.layers")
    assert rooms_of("mindspore.parallel.nn.layers") == ("msbridge.nn.transformer.layers", *today)


@pytest.mark.parametrize("name", ["nn.Dropout", "context.set_context", "Tensor.max", "mindrecord.FileWriter"])
def test_public_names_have_homes(name: str) -> None:
    assert pkgutil.resolve_name(home_of(name)) is not None
