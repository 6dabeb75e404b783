"""The house: imports go down its floors only, nothing heavy is imported early, every file lists what it exports."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import house
import house_words

ROOT = Path(__file__).parent.parent
ROOMS = {room.name: room for room in (*(ROOT / "msbridge").iterdir(), ROOT / "converters", ROOT / "mappings")}
# What shows several files together; any other test says by its path which file it tests.
TOGETHER = {
    "cli/test_documents.py",
    "cli/test_mistakes.py",
    "cli/test_networks.py",
    "converters/formats/test_damaged_files.py",
    "converters/formats/test_oracle_files.py",
    "converters/formats/test_zips.py",
    "converters/held_out/test_unknown_architectures.py",
    "converters/names/by_model/test_oracle_layers.py",
    "converters/names/by_model/test_tied.py",
    "converters/test_killed.py",
    "converters/test_round_trip.py",
    "dataset/test_old_modules.py",
    "device/test_host_reads.py",
    "device/test_places.py",
    "distributed/test_two_processes.py",
    "mint/distributed/test_two_processes.py",
    "dropin/test_module_tables.py",
    "nn/bridge/test_tools.py",
    "nn/layers/test_channels_last.py",
    "nn/layers/test_every_layer.py",
    "scan/names/test_recall.py",
    "verify/held_out/test_held_out.py",
    "verify/test_expected_file.py",
    "verify/test_faults.py",
    "verify/test_mint_cells.py",
    "verify/test_other_structures.py",
    "ops/test_unfit.py",
}
pytestmark = pytest.mark.sources
LEVEL = {room: level for level, rooms in enumerate(house.FLOORS) for room in rooms}
FILES = sorted([*ROOT.glob("msbridge/*/**/*.py"), *ROOT.glob("converters/**/*.py"), *ROOT.glob("mappings/**/*.py")])


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_imports_go_down() -> None:
    upwards = {
        (name_of(path), other)
        for path in FILES
        for other in house.imported_rooms(path) - {house.room_of(path)}
        if LEVEL.get(other, 99) >= LEVEL[house.room_of(path)]
    }
    assert not upwards


INNER_LEVEL = {
    room: {package: level for level, packages in enumerate(floors) for package in packages}
    for room, floors in house.INNER_FLOORS.items()
}


def test_imports_go_down_within_a_room() -> None:
    upwards: set[tuple[str, str]] = set()
    for path in FILES:
        levels, own = INNER_LEVEL.get(house.room_of(path), {}), house.package_of(path)
        if own in levels:
            imported = house.imported_packages(path) & levels.keys() - {own}
            upwards |= {(name_of(path), package) for package in imported if levels[package] >= levels[own]}
    assert not upwards


def test_converters_know_no_cell() -> None:
    files = [path for path in FILES if house.room_of(path) == "converters"]
    assert not [path.name for path in files if "nn" in house.imported_rooms(path)]


@pytest.mark.long
def test_the_limits_of_the_house_hold() -> None:
    """No file is over 450 lines, and no import goes in a circle, inside functions neither."""
    assert not house.broken_limits()


def test_circles_through_types_have_a_reason_each() -> None:
    assert house.type_circles(house.product_files()).keys() == house.TYPE_CIRCLES.keys()


def test_circles_are_found_in_a_graph() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"a"}}
    assert house.circles(graph) == [{"b", "c"}]


def test_names_that_say_nothing_are_found_where_they_live_long() -> None:
    lines = [
        "def f(one):",
        "    found = [one for one in one]",
        "    a = 1",
        "    b = 2",
        "    c = 3",
        "    return found, one",
    ]
    assert house_words.vague_names(ast.parse("\n".join(lines))) == [("one", 1, 6), ("found", 2, 6)]
    assert house_words.vague_names(ast.parse("\n".join([*lines[:3], lines[-1]]))) == []


@pytest.mark.process
def test_import_loads_no_optional_package() -> None:
    program = (
        "import sys, msbridge; print([n for n in ('cv2', 'PIL', 'rich', 'pandas', 'cryptography') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.process
def test_import_changes_nothing_outside() -> None:
    program = (
        "import os, sys, torch; before = dict(os.environ), list(sys.meta_path), torch.is_grad_enabled();"
        "import msbridge; print(before == (dict(os.environ), list(sys.meta_path), torch.is_grad_enabled()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.process
def test_a_checkout_imports_as_the_installed_package_does() -> None:
    """Without the finder of an editable install, which knows where the folders are."""
    program = (
        "import sys; sys.meta_path = [f for f in sys.meta_path if 'editable' not in getattr(f, '__module__', '')];"
        "import msbridge.converters, msbridge.mappings; print(msbridge.converters.__file__, msbridge.mappings.__file__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == [str(ROOT / folder / "__init__.py") for folder in ("converters", "mappings")]


def test_every_public_file_of_nn_is_exported() -> None:
    """A file that the table of contents does not mention would be invisible."""
    room = ROOT / "msbridge" / "nn"
    text = (room / "__init__.py").read_text(encoding="utf-8")
    internal = {
        "cast_operands",
        "layers.parameter_init",
        "layers.plain",
        "layers.recurrent.packed_rnn",
        "layers.recurrent.rnn_steps",
        "schedules.curves",
    }
    folders = [room, *(room / name for name in ("losses", "schedules", "steps")), room / "layers"]
    folders += [path for path in (room / "layers").iterdir() if path.is_dir()]
    paths = [path for folder in folders for path in folder.glob("*.py")]
    files = {".".join(path.relative_to(room).with_suffix("").parts) for path in paths if not path.stem.startswith("_")}
    assert not {name for name in files - internal if f"from msbridge.nn.{name} import" not in text}


def counterpart(test: Path) -> bool:
    """Whether the product tree has what a test file names, a file or a folder at the same place or the place itself."""
    room, *folders = test.parent.relative_to(ROOT / "tests").parts
    place, name = ROOMS[room].joinpath(*folders), test.stem.removeprefix("test_")
    if name in (place.name, "recorded"):
        return place.is_dir()
    return any(path.exists() for path in (place / f"{name}.py", place / f"_{name}.py", place / name))


def test_the_test_of_a_file_is_found_by_its_path() -> None:
    """tests/ops/reduce/test_sorting.py tests its topic; test_mint.py and test_recorded.py their folder as a whole."""
    tests = [path for room in ROOMS for path in (ROOT / "tests" / room).rglob("test_*.py")]
    assert {path.relative_to(ROOT / "tests").as_posix() for path in tests if not counterpart(path)} == TOGETHER
