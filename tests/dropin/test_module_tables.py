"""Module paths, absent.toml and names.tsv are in order, and agree."""

import re

import pytest
from coverage_page import Name

from msbridge.core.releases.release import parse
from msbridge.dropin.importing.missing_names import Absent, reason
from msbridge.dropin.importing.module_map import Alias, rows
from msbridge.mappings import columns, table
from msbridge.mappings.tables import FOLDER
from tests.processes import python

# What looks like a path of ours in a row, and is none.
NO_PATHS = {("training_state.toml", "msbridge.random_state")}  # the name of a state in a file


def test_tables_name_public_paths_alone() -> None:
    """The paths of our files are in msbridge/core/releases/public_modules.py, so that files can move."""
    named = {
        (path.name, name)
        for path in sorted(FOLDER.rglob("*.t[os][mv]*"))
        if path.suffix != ".xz"
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
        for name in re.findall(r"(?:msbridge|converters)[./]\w[\w./]*", line)
    }
    assert named == NO_PATHS


def test_a_row_that_is_another_module_asks_no_others() -> None:
    assert not [row.path for row in rows().values() if row.same and row.rooms]


def test_aliases_lead_to_public_paths_of_mindspore() -> None:
    aliases = columns("module_aliases.tsv", Alias, repeated=True)
    assert not [row.name for row in aliases if not row.origin.startswith("mindspore.")]
    assert not [row.name for row in aliases for path in row.modules if row.origin == f"{path}.{row.name}"]
    assert all(parse(row.since) for row in aliases if row.since)


def test_a_module_whose_rooms_answer_is_not_absent() -> None:
    absent = table("absent.toml", Absent)
    assert not [row.path for row in rows().values() if row.path in absent and row.same]


def test_a_reason_is_a_part_of_a_sentence() -> None:
    for row in table("absent.toml", Absent).values():
        assert not row.absent.endswith(".")
        assert not row.instead.endswith(".")


def test_what_lies_below_an_absent_name_is_absent() -> None:
    assert reason("mindspore.hub.load") is table("absent.toml", Absent)["mindspore.hub"]
    assert reason("mindspore.nn.Dense") is None


def test_the_names_that_scripts_use_are_mindspores() -> None:
    assert all(name.name.startswith("mindspore.") and name.uses for name in columns("names.tsv", Name))


@pytest.mark.process
def test_importing_an_old_module_leaves_the_names_of_its_room() -> None:
    """`mindspore.nn.loss.loss` and `mindspore.train.data_sink` are modules where rooms have globals of that name."""
    program = (
        "import msbridge; msbridge.install()\n"
        "from mindspore import Tensor, nn, train\n"
        "from mindspore.nn.loss.loss import LossBase\n"
        "import mindspore.train.data_sink, mindspore.train.metrics.auc\n"
        "print(nn.MSELoss()(Tensor([1.0]), Tensor([3.0])), callable(train.data_sink), callable(train.metrics.auc))\n"
    )
    done = python("-c", program)
    assert done.stdout.split() == ["4.0", "True", "True"], done.stderr


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_every_renamed_name_is_there() -> None:
    def found(path: str, name: str) -> bool:
        try:
            exec(f"from {path} import {name}", {})
        except ImportError:
            return False
        return True

    assert [f"{row.path}.{name}" for row in rows().values() for name in row.rename if not found(row.path, name)] == []
