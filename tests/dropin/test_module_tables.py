"""modules.toml, absent.toml and names.tsv are in order, and agree."""

import pytest
from coverage_page import Name

from msbridge.core.releases.release import parse
from msbridge.dropin.importing.missing_names import Absent, reason
from msbridge.dropin.importing.module_map import parents, rows
from msbridge.mappings import columns, table
from tests.processes import python


def test_every_row_says_who_answers() -> None:
    assert not [row.path for row in rows().values() if not (row.same or row.rooms or row.rename)]


def test_a_row_that_is_another_module_asks_no_others() -> None:
    assert not [row.path for row in rows().values() if row.same and row.rooms]


def test_rows_name_mindspore_on_one_side_and_msbridge_on_the_other() -> None:
    assert all(row.path.startswith("mindspore.") for row in rows().values())
    targets = [
        target for row in rows().values() for target in (*row.rooms, *row.rename.values(), row.same or "msbridge")
    ]
    elsewhere = {target.rpartition(".")[0] for target in targets if not target.startswith("msbridge")}
    assert elsewhere <= {"multiprocessing", "torch", "torch.multiprocessing", "torch.multiprocessing.queue"}


def test_releases_are_releases() -> None:
    for row in rows().values():
        for release in (row.since, row.until):
            assert not release or parse(release)


@pytest.mark.parametrize("path", sorted(parents() - rows().keys()))
def test_what_has_paths_below_it_is_a_room(path: str) -> None:
    assert path.count(".") <= 2  # mindspore, mindspore.dataset, mindspore.dataset.vision


def test_a_module_whose_rooms_answer_is_not_absent() -> None:
    absent = table("absent.toml", Absent)
    assert not [row.path for row in rows().values() if row.path in absent and (row.rooms or row.same)]


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


@pytest.mark.usefixtures("dropin")
def test_every_renamed_name_is_there() -> None:
    def found(path: str, name: str) -> bool:
        try:
            exec(f"from {path} import {name}", {})
        except ImportError:
            return False
        return True

    assert [f"{row.path}.{name}" for row in rows().values() for name in row.rename if not found(row.path, name)] == []
