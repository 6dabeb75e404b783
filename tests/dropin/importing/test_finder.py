"""What import statements and attribute chains of MindSpore scripts get from the finder."""

import importlib
import importlib.metadata
import importlib.util
import inspect
import pickle
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

import msbridge
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.types.dtype import float32
from msbridge.dropin import uninstall
from msbridge.dropin.importing.module_map import Forward
from tests.processes import python

Table = Callable[..., None]
Room = Callable[..., ModuleType]


def run(source: str) -> dict[str, object]:
    """Run the source as a script's top level."""
    names: dict[str, object] = {}
    exec(compile(source, "script.py", "exec"), names)
    return names


@pytest.mark.usefixtures("dropin")
class TestServed:
    def test_mindspore_is_msbridge(self) -> None:
        assert run("import mindspore")["mindspore"] is msbridge

    def test_an_old_path_gives_the_same_class(self) -> None:
        assert run("from mindspore.common.parameter import Parameter")["Parameter"] is Parameter

    def test_a_path_that_is_the_same_module_is_that_module(self) -> None:
        assert run("from mindspore.common import dtype")["dtype"] is sys.modules["msbridge.core.types.dtype"]

    def test_import_as_binds_the_innermost_module(self) -> None:
        assert run("import mindspore.common.dtype as mstype")["mstype"].float32 is float32

    def test_a_submodule_is_an_attribute_without_being_imported(self) -> None:
        assert run("import mindspore as ms; found = ms.common.parameter.Parameter")["found"] is Parameter

    def test_import_module_gives_what_import_gives(self) -> None:
        module = importlib.import_module("mindspore.common.parameter")
        assert run("import mindspore.common.parameter as p")["p"] is module

    def test_a_private_module_is_found_in_its_package(self) -> None:
        found = run("from mindspore.ops.operations import _sparse_grad_ops")["_sparse_grad_ops"]
        assert found is importlib.import_module("mindspore.ops.operations._sparse_grad_ops")

    def test_a_function_stands_before_the_module_of_its_name(self) -> None:
        """As recorded from MindSpore 2.10."""
        importlib.import_module("mindspore.common.tensor")
        assert run("import mindspore.common.tensor as t")["t"] is msbridge.tensor

    def test_before_there_was_a_function_its_name_was_the_module(self) -> None:
        """As in the wheels of 1.10 and 2.0: `tensor` came in 2.0, `seed` in 2.3."""
        msbridge.set_release("2.0")
        found = run("import mindspore as ms; set_seed, tensor = ms.common.seed.set_seed, ms.common.tensor")
        assert (found["set_seed"], found["tensor"]) == (msbridge.set_seed, msbridge.tensor)
        msbridge.set_release("1.10")
        assert run("import mindspore as ms; Tensor = ms.common.tensor.Tensor")["Tensor"] is msbridge.Tensor

    def test_pickles_of_either_name_load(self) -> None:
        pickled = b"cmindspore.common.parameter\nParameter\n."
        assert pickle.loads(pickled) is Parameter
        assert pickle.loads(pickle.dumps(Parameter)) is Parameter

    def test_inspect_finds_the_file_of_a_class(self) -> None:
        assert (
            inspect.getmodule(run("from mindspore import context")["context"].set_context).__name__
            == "msbridge.core.context.context"
        )

    def test_our_own_rooms_are_not_mindspores(self) -> None:
        with pytest.raises(ModuleNotFoundError, match=r"^No module named 'mindspore\.dropin'\.$"):
            importlib.import_module("mindspore.dropin")

    def test_find_spec_of_an_absent_module_is_none(self) -> None:
        assert importlib.util.find_spec("mindspore.nothing") is None

    def test_find_spec_of_an_old_path_is_not_none(self) -> None:
        assert importlib.util.find_spec("mindspore.common.seed") is not None


class TestForwarding:
    def test_rooms_are_asked_in_order(self, table: Table, room: Room) -> None:
        room("msbridge.first", a=1)
        room("msbridge.second", a=2, b=3)
        table(Forward("mindspore.old", rooms=("msbridge.first", "msbridge.second")))
        names = run("from mindspore.old import a, b")
        assert (names["a"], names["b"]) == (1, 3)

    def test_a_name_may_be_called_otherwise_here(self, table: Table, room: Room) -> None:
        room("msbridge.first", new=1)
        table(Forward("mindspore.old", rename={"was": "msbridge.first.new"}))
        assert run("from mindspore.old import was")["was"] == 1

    def test_none_is_a_value(self, table: Table, room: Room) -> None:
        room("msbridge.first", nothing=None)
        table(Forward("mindspore.old", rooms=("msbridge.first",)))
        assert run("from mindspore.old import nothing")["nothing"] is None

    def test_star_gives_the_public_names(self, table: Table, room: Room) -> None:
        room("msbridge.first", a=1, _b=2, sys=sys)
        table(Forward("mindspore.old", rooms=("msbridge.first",)))
        names = run("from mindspore.old import *")
        assert {"a", "_b", "sys"} & names.keys() == {"a"}

    def test_star_follows_all(self, table: Table, room: Room) -> None:
        room("msbridge.first", a=1, b=2, __all__=["b"])
        table(Forward("mindspore.old", rooms=("msbridge.first",)))
        assert {"a", "b"} & run("from mindspore.old import *").keys() == {"b"}

    def test_dir_lists_what_is_forwarded(self, table: Table, room: Room) -> None:
        room("msbridge.first", a=1)
        table(
            Forward("mindspore.old", rooms=("msbridge.first",)),
            Forward("mindspore.old.inner", rooms=("msbridge.first",)),
        )
        assert {"a", "inner"} <= set(dir(importlib.import_module("mindspore.old")))

    def test_a_room_offers_names_of_a_higher_room(self, table: Table, room: Room) -> None:
        lower = room("msbridge.lower", own=1)
        room("msbridge.higher", Accuracy=2)
        table(Forward("mindspore.lower", rooms=("msbridge.higher",)))
        assert run("from mindspore.lower import own, Accuracy")["Accuracy"] == 2
        assert "Accuracy" not in vars(lower)

    def test_a_room_that_is_no_package_may_have_paths_below_it(self, table: Table, room: Room) -> None:
        lower = room("msbridge.lower", own=1)
        table(Forward("mindspore.lower.inner", rooms=("msbridge.lower",)))
        assert run("from mindspore.lower.inner import own")["own"] == 1
        uninstall()
        assert not hasattr(lower, "__path__")

    def test_a_room_that_is_imported_later_gets_its_facade(self, table: Table, tmp_path, monkeypatch) -> None:
        (tmp_path / "later.py").write_text("own = 1\n")
        monkeypatch.setattr(msbridge, "__path__", [*msbridge.__path__, str(tmp_path)])
        table(Forward("mindspore.later", rename={"other": "msbridge.later.own"}))
        names = run("import msbridge.later\nfrom mindspore.later import other\nimport mindspore.later as later")
        assert names["other"] == 1
        assert names["later"] is sys.modules.pop("msbridge.later")
        assert not type(names["later"].__loader__).__module__.startswith("msbridge")
        del msbridge.later

    def test_a_search_does_not_go_in_a_circle(self, table: Table, room: Room) -> None:
        room("msbridge.first")
        room("msbridge.second")
        table(
            Forward("mindspore.first", rooms=("msbridge.second",)),
            Forward("mindspore.second", rooms=("msbridge.first",)),
        )
        assert not hasattr(importlib.import_module("mindspore.first"), "nothing")

    def test_a_rooms_own_getattr_is_asked(self, table: Table, room: Room) -> None:
        room("msbridge.first", __getattr__={"lazy": 1}.__getitem__)
        room("msbridge.second", __getattr__=lambda name: 2)
        table(Forward("mindspore.old", rooms=("msbridge.second",)))
        assert run("from mindspore.old import anything")["anything"] == 2


def test_the_installer_knows_a_mindspore_while_it_is_served(dropin: None) -> None:
    import mindspore

    assert importlib.metadata.version("mindspore") == mindspore.__version__
    uninstall()
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("mindspore")


def test_an_import_of_pil_finds_its_images(dropin: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, name)
    pil = importlib.import_module("PIL")
    assert pil.Image.Resampling.BILINEAR == 2
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        pil.Nothing


def test_samplers_are_a_module_of_datasets(dropin: None) -> None:
    from mindspore.dataset import samplers

    assert issubclass(samplers.SequentialSampler, samplers.BuiltinSampler)


@pytest.mark.process
def test_a_package_is_loaded_once_whatever_imports_it() -> None:
    source = (
        "import sys, msbridge; msbridge.install(); from mindspore.dataset import samplers; "
        "print(sys.modules['mindspore.dataset'] is sys.modules['msbridge.dataset'])"
    )
    done = python("-c", source)
    assert done.stdout.strip() == "True"
