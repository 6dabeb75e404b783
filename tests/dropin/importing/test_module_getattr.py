"""What `from module import *`, `__all__`, `dir` and `hasattr` answer for every module of MindSpore that is here."""

import importlib
import pickle
from collections.abc import Iterable, Iterator
from types import ModuleType

import pytest

from msbridge.core.releases.release import set_release
from msbridge.dropin.importing.module_map import members, module_names, names_in_all, names_of, newest, rows
from msbridge.dropin.stand_ins import stands_in
from tests.processes import python

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")

# A private path may be another path's module here.
MODULES = sorted(path for path in module_names() if not (path in rows() and rows()[path].same and "._" in path))
PUBLIC = [path for path in MODULES if newest(path) and "._" not in path]
# What no release has, although torch or a paper does.
NOWHERE = {
    "mindspore": "Adam Conv2d Tensr arange zeros_like",
    "mindspore.nn": "Module ModuleList ParameterDict ParameterList RMSNorm Sequential Softplus functional init",
    "mindspore.mint": "from_numpy manual_seed no_grad pinverse save",
    "mindspore.mint.nn": "Dense LSTM ParameterDict RMSNorm Transformer",
    "mindspore.dataset": "DataLoader TensorDataset random_split",
    "mindspore.dataset.vision": "GaussianNoise functional",
}


def star(path: str) -> set[str]:
    """Return what a script gets."""
    names: dict[str, object] = {}
    exec(f"from {path} import *", names)
    return names.keys() - {"__builtins__"}


def can_be_imported(path: str, name: str) -> bool:
    """Whether `from path import name` finds it: names of other releases, too, for which `hasattr` is False."""
    try:
        exec(f"from {path} import {name}", {})
    except ImportError:
        return False
    return True


def modules(paths: Iterable[str]) -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules of paths at which no function of the same name is."""
    for path in paths:
        if isinstance(module := importlib.import_module(path), ModuleType):
            yield path, module


def test_star_gives_mindspores_names_and_no_others() -> None:
    wrong = {}
    for path, module in modules(path for path in MODULES if names_of(path) is not None):
        found, names = star(path), set(names_of(path))
        if differing := (found - names) | {name for name in names - found if can_be_imported(path, name)}:
            wrong[path] = differing
        elif missing := [name for name in dir(module) if not hasattr(module, name)]:
            wrong[path] = missing
    assert wrong == {}


def test_public_modules_have_all_names_of_2_10_and_their_list_of_names() -> None:
    assert len(PUBLIC) > 600
    wrong = {}
    for path, module in modules(PUBLIC):
        names = {name for name in dir(module) if not name.startswith("__")}
        if names != {name for name in members(path) if not name.startswith("__")}:
            wrong[path] = sorted(names ^ members(path))
        if getattr(module, "__all__", None) != (None if names_in_all(path) is None else [*names_in_all(path)]):
            wrong[path] = getattr(module, "__all__", None)
    assert wrong == {}


def test_modules_of_ours_are_found_by_imports_alone() -> None:
    nn, ops, numpy = map(importlib.import_module, ("mindspore.nn", "mindspore.ops", "mindspore.numpy"))
    importlib.import_module("msbridge.nn.quantization")  # late
    for _ in range(2):
        asked = {nn: "losses layers quantization", ops: "linalg random", numpy: "random"}
        assert [name for module, names in asked.items() for name in names.split() if hasattr(module, name)] == []
        from msbridge.nn import losses, quantization
        from msbridge.ops.linalg.products_and_norms import functions  # noqa: F401

        assert losses.__name__ == "msbridge.nn.losses"
        assert quantization.__name__ == "msbridge.nn.quantization"


@pytest.mark.parametrize("line", ["tft_wrapper.OptTFTWrapper(1)", "OptTFTWrapper(1)", "tft_wrapper.OptTFTWrapper.x"])
def test_what_is_not_built_says_so_where_it_is_used(line: str) -> None:
    from mindspore.nn import OptTFTWrapper
    from mindspore.nn.optim import tft_wrapper

    assert stands_in(OptTFTWrapper)
    assert not isinstance(1, OptTFTWrapper)
    assert issubclass(type("Own", (OptTFTWrapper,), {}), OptTFTWrapper)
    with pytest.raises((RuntimeError, AttributeError), match="not available in msbridge: it serves the fault"):
        eval(line, {"OptTFTWrapper": OptTFTWrapper, "tft_wrapper": tft_wrapper})


def test_every_kind_of_stand_in_refuses_to_be_used() -> None:
    import mindspore.hal.device as device
    import mindspore.ops.functional as F
    import mindspore.profiler.common as common
    import mindspore.train.amp as amp

    for use in (lambda: F.distribute(1), lambda: amp.pop_amp_strategy(), lambda: device.hal_instances["CPU"]):
        with pytest.raises(RuntimeError, match="is not available in msbridge"):
            use()
    with pytest.raises(AttributeError, match="is not available in msbridge"):
        _ = common.log.ProfilerLogger.info
    assert importlib.import_module("mindspore.numpy.array_creations").MAX_NUMPY_DIMS == 32


@pytest.mark.usefixtures("dropin")
def test_hasattr_answers_as_the_release_and_use_is_served_by_all() -> None:
    import mindspore as ms
    from mindspore import dataset, nn, ops

    def asked() -> list[bool]:
        pairs = ((ms, "ms_function"), (ms, "ms_class"), (dataset, "InMemoryGraphDataset"), (nn, "ActQuant"))
        return [hasattr(module, name) for module, name in pairs]

    assert not hasattr(ms, "Tensr")  # what is not there leaves the others as they were
    assert asked() == [False] * 4
    assert (hasattr(ops, "core"), hasattr(ms, "jit"), hasattr(ms, "install")) == (False, True, True)
    from mindspore import ms_function
    from mindspore.nn import ActQuant

    assert (ms_function, ActQuant) == (ms.ms_function, nn.ActQuant)
    set_release("1.8")
    assert asked() == [True] * 4


def test_what_a_module_defines_is_pickled_though_2_10_does_not_have_it() -> None:
    from mindspore.ops.operations import ControlDepend, ResizeBilinear

    assert pickle.loads(pickle.dumps([ControlDepend, ResizeBilinear])) == [ControlDepend, ResizeBilinear]


@pytest.mark.parametrize("path", NOWHERE)
def test_what_no_release_has_is_not_there(path: str) -> None:
    module = importlib.import_module(path)
    assert [name for name in NOWHERE[path].split() if hasattr(module, name)] == []


@pytest.mark.parametrize(
    "line",
    [
        "from mindspore import ms_function",
        "from mindspore.nn import GraphKernel, ResizeBilinear, TensorAddQuant",
        "from mindspore.dataset import GraphData",
        "from mindspore.ops.operations import TensorAdd",
        "from mindspore.nn.layer.quant import QuantBlock",
    ],
)
def test_names_of_earlier_releases_are_there_whatever_is_followed(line: str) -> None:
    exec(line)


@pytest.mark.process
@pytest.mark.parametrize("start", [["-m", "msbridge", "run", "-c"], ["-c"]], ids=["run", "install"])
def test_the_package_is_called_mindspore(start: list[str]) -> None:
    program = (
        "import mindspore as ms, mindspore.common.dtype\n"
        "for module in (ms, ms.nn, ms.common.dtype, ms.mint.nn.functional):\n"
        "    try: module.Tensr\n"
        "    except AttributeError as error: print(str(error).split()[1])\n"
    )
    install = "" if "run" in start else "import msbridge; msbridge.install()\n"
    done = python(*start, install + program)
    paths = ("mindspore", "mindspore.nn", "mindspore.common.dtype", "mindspore.mint.nn.functional")
    assert done.stdout.split() == [f"{path!r}" for path in paths]


@pytest.mark.process
def test_star_leaves_the_variables_of_a_script() -> None:
    program = (
        "import msbridge; msbridge.install()\n"
        "losses = layers = inputs = images = base = config = torch = np = earlier = 1\n"
        "from mindspore.nn import *\nfrom mindspore.dataset import *\nfrom mindspore.dataset.vision import *\n"
        "from mindspore.dataset.text import *\nfrom mindspore.ops import *\nfrom mindspore.numpy import zeros\n"
        "print(losses, layers, inputs, images, base, config, torch, np, earlier, Accuracy.__name__)\n"
    )
    done = python("-c", program)
    assert done.stdout.split() == ["1"] * 9 + ["Accuracy"], done.stderr


@pytest.mark.parametrize("path", ["mindspore.amp", "mindspore.dataset.core.config"])
def test_a_package_shows_the_module_that_an_import_of_its_path_finds(path):
    parent, _, name = path.rpartition(".")
    shown = getattr(importlib.import_module(parent), name)
    assert shown is importlib.import_module(path)
    assert all(hasattr(shown, each) for each in members(path))
