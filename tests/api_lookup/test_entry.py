"""Entries: today's form, what releases changed, torch's counterparts, what is not here."""

from collections.abc import Iterator

import pytest

from msbridge.api_lookup.entry import Change, Torch, entry_of
from msbridge.scan.names.checking import serve_mindspore


@pytest.fixture(autouse=True)
def drop_in() -> Iterator[None]:
    with serve_mindspore():
        yield


def test_an_operator_that_a_release_redefined() -> None:
    entry = entry_of("mindspore.ops.split")
    assert entry.text.startswith("Split along an axis")
    assert not entry.absent
    assert [(one.since, one.before) for one in entry.changes] == [("2.0", "(input_x, axis=0, output_num=1)")]


def test_a_default_that_a_release_changed() -> None:
    assert Change("2.0", "(weight=None, reduction='none')", ()) in entry_of("mindspore.nn.BCELoss").changes


def test_an_expression_with_both_results() -> None:
    changes = entry_of("mindspore.Tensor.max").changes
    meanings = [meaning for change in changes for meaning in change.meanings]
    assert [change.since for change in changes] == sorted((one.since for one in changes), reverse=True)
    assert any(meaning.endswith("Int32 1 before, Int64 1 since") for meaning in meanings)


def test_names_of_train_that_mindspore_itself_has() -> None:
    assert entry_of("mindspore.Model").changes == entry_of("mindspore.train.Model").changes != ()


def test_counterparts_of_torch_with_their_differences() -> None:
    assert entry_of("mindspore.mint.split").torch == (
        Torch("torch.split", (), "ops.split(tensor, split_size_or_sections, axis=dim)"),
    )
    (conv,) = (one for one in entry_of("mindspore.nn.Conv2d").torch if one.name == "torch.nn.Conv2d")
    assert any("pad_mode" in difference for difference in conv.differences)


def test_a_name_that_is_not_here_says_why() -> None:
    entry = entry_of("mindspore.MetaTensor")
    assert "not available in msbridge" in entry.absent
    assert (entry.signature, entry.text) == ("", "")


def test_arguments_without_effect() -> None:
    assert any(one.startswith("storage_format: ") for one in entry_of("mindspore.Parameter").without_effect)
