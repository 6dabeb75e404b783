"""What a script is told when a MindSpore name is not there."""

import importlib
import tomllib
from pathlib import Path

import pytest
from coverage_page import resolves

from msbridge.core.releases.release import set_release
from msbridge.dropin.importing import missing_names
from msbridge.dropin.importing.missing_names import Absent, Member, message, reason
from msbridge.mappings import columns, table

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")
SYNONYMS = tomllib.loads((Path(__file__).parents[3] / "mappings" / "synonyms.toml").read_text())


def module(path: str) -> object:
    return importlib.import_module(path)


@pytest.mark.parametrize(
    ("path", "name", "meant"),
    [
        ("mindspore.nn", "Conv2D", "Conv2d"),
        ("mindspore.nn", "Momentun", "Momentum"),
        ("mindspore.nn", "relu", "mindspore.ops.relu"),
        ("mindspore.nn", "Sequential", "SequentialCell"),
        ("mindspore.dataset", "Cifar10Datasets", "Cifar10Dataset"),
        ("mindspore.dataset.config", "set_sead", "set_seed"),
        ("mindspore.dataset.vision", "RandomHorizontalflip", "RandomHorizontalFlip"),
        ("mindspore.common.parameter", "Parametr", "Parameter"),
        ("mindspore", "Modle", "Model"),
        ("mindspore.mint.nn", "Dense", "Linear"),
    ],
)
def test_a_misspelt_name_is_told_the_one_that_was_meant(path: str, name: str, meant: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(module(path), name)
    assert str(caught.value) == f"module {path!r} has no attribute {name!r}. Did you mean: {meant!r}?"


def test_a_name_like_no_other_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError, match=r"^module 'mindspore.ops' has no attribute 'zzz'\.$"):
        module("mindspore.ops").zzz


def test_a_from_import_says_the_same_as_an_import_error() -> None:
    with pytest.raises(ImportError) as caught:
        from mindspore.nn import Conv2D  # noqa: F401
    assert type(caught.value) is ImportError
    assert str(caught.value) == "cannot import name 'Conv2D' from 'mindspore.nn'. Did you mean: 'Conv2d'?"


def test_a_from_import_of_a_module_that_only_forwards_too() -> None:
    with pytest.raises(ImportError, match=r"^cannot import name 'nothing_here' from 'mindspore.common'\.$") as caught:
        from mindspore.common import nothing_here  # noqa: F401
    assert type(caught.value) is ImportError


def test_a_from_import_of_the_top_too() -> None:
    with pytest.raises(ImportError, match=r"^cannot import name 'Tenser' from 'mindspore'\. Did you mean: 'Tensor'\?$"):
        from mindspore import Tenser  # noqa: F401


def test_a_module_is_named_in_a_module_not_found_error() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"mindspore.comon'\. Did you mean: 'mindspore.common'\?$") as caught:
        module("mindspore.comon")
    assert caught.value.name == "mindspore.comon"


def test_hasattr_is_false() -> None:
    assert not hasattr(module("mindspore"), "nothing_here")
    assert not hasattr(module("mindspore.common"), "nothing_here")


def test_getattr_takes_its_default() -> None:
    assert getattr(module("mindspore.common"), "nothing_here", 5) == 5


def test_an_absent_name_is_told_why_and_what_to_use() -> None:
    with pytest.raises(RuntimeError) as caught:
        module("mindspore.ops").sparse_flash_attention()
    assert str(caught.value) == (
        "mindspore.ops.sparse_flash_attention is not available in msbridge: it is a kernel of the Ascend chip for "
        "serving language models. Use mindspore.ops.flash_attention_score, or attention composed of matmul and softmax."
    )


def test_the_reason_is_found_by_an_inner_path_too() -> None:
    assert reason("mindspore.ops.operations.sparse_ops.SparseTensorDenseMatmul") == reason("mindspore.ops.coo_abs")
    assert reason("mindspore.hub.load") == reason("mindspore.hub")


def test_a_misspelt_absent_name_is_told_so_rather_than_another_name() -> None:
    assert message("mindspore.nn.AdaSumByGradWrapCel", ["CellList"]) == (
        "module 'mindspore.nn' has no attribute 'AdaSumByGradWrapCel'. mindspore.nn.AdaSumByGradWrapCell is not "
        "available in msbridge: it joins servers of eight Ascend devices each. Use mindspore.boost.AdaSum."
    )


def test_a_name_that_cannot_be_had_is_not_proposed() -> None:
    assert message("mindspore.x.Mean", ["mean", "Meann"], exists="Meann".__eq__).endswith("mean: 'Meann'?")


def test_a_release_is_chosen_without_a_search_for_what_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks modules for names that 2.10 does not have, and reads no explanation."""
    monkeypatch.setattr(missing_names, "message", lambda *told: pytest.fail(f"explained: {told}"))
    set_release("1.0")


def test_the_tables_of_reasons_fit_together() -> None:
    groups = table("absent_groups.toml", Absent)
    rows = columns("absent_names.tsv", Member)
    assert {row.group for row in rows} == set(groups)
    assert not [row.name for row in rows if row.name in table("absent.toml", Absent)]


@pytest.mark.usefixtures("dropin")
def test_no_name_that_is_called_absent_is_here() -> None:
    rows = columns("absent_names.tsv", Member)
    assert [row.name for row in rows if resolves(row.name)] == []


def test_every_synonym_leads_to_a_name_that_is_here_from_one_that_is_not() -> None:
    holders = {"dataset.Dataset": "mindspore.dataset.Dataset", "mindspore": "mindspore"}
    wrong = []
    for key, row in SYNONYMS.items():
        room, _, _ = key.rpartition(".")
        if not room:
            continue
        path = holders.get(room, f"mindspore.{room}")
        targets = [name if name.startswith("mindspore.") else f"{path}.{name}" for name in row["means"]]
        wrong += [target for target in targets if not resolves(target)]
        wrong += [key] if resolves(f"{path}.{key.rpartition('.')[2]}") else []
    assert wrong == []
