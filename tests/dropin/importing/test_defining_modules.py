"""What `__module__` says while the drop-in is installed."""

import copy
import importlib
import inspect
import pickle
from itertools import groupby
from operator import itemgetter

import pytest

import msbridge
from msbridge.core.runtime.defining_modules import defining_module, is_own
from msbridge.dropin.importing import defining_modules
from tests.processes import python

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")
ROWS = sorted(
    (home, name) for names in defining_modules.by_finder().values() for name, home in names.items() if "." in home
)
LOST = {"isnan_ext", "std_mean", "tensor_slice", "var_mean"}  # the module is that of another face of the same name
SOME = """
import pickle, sys, msbridge
from msbridge import nn
assert nn.Dense.__module__ == "msbridge.nn.layers.dense"
assert type(pickle.loads(pickle.dumps(nn.Dense(2, 2)))) is nn.Dense
msbridge.install()
import mindspore
assert mindspore.nn.Dense.__module__ == nn.Dense.__module__ == "mindspore.nn.layer.basic"
assert repr(mindspore.Tensor) == "<class 'mindspore.common.tensor.Tensor'>"
msbridge.uninstall()
assert nn.Dense.__module__ == "msbridge.nn.layers.dense"
assert type(pickle.loads(pickle.dumps(nn.Dense(2, 2)))) is nn.Dense
assert not [name for name in sys.modules if name.startswith("mindspore")]
"""


@pytest.mark.parametrize("home", [home for home, _ in groupby(map(itemgetter(0), ROWS))])
def test_what_a_module_defines_says_so_and_is_found_there(home: str) -> None:
    module = importlib.import_module(home)
    for name in [name for path, name in ROWS if path == home]:
        value = getattr(module, name)
        assert value.__module__ == home
        assert pickle.loads(pickle.dumps(value)) is value


def test_instances_are_pickled_and_copied() -> None:
    from mindspore import dataset, nn

    for value in (nn.Dense(2, 2), dataset.vision.Resize(2), nn.Accuracy(), nn.SequentialCell(nn.ReLU())):
        assert type(pickle.loads(pickle.dumps(value))) is type(copy.deepcopy(value)) is type(value)


def test_the_source_of_a_class_is_found() -> None:
    from mindspore import Model, nn, ops

    for value in (nn.Dense, nn.Cell, nn.Adam, nn.Accuracy, Model):
        assert f"class {value.__name__}" in inspect.getsource(value)
    assert inspect.getsource(ops.relu).startswith("def relu")


def test_classes_of_a_script_are_its_own() -> None:
    class Net(msbridge.nn.Cell):
        pass

    assert not is_own(Net)
    assert Net.__module__ == defining_module(Net) == __name__


LEFT = """
import msbridge
msbridge.install()
msbridge.set_release("1.10")
from mindspore import nn, numpy, ops
before = ops.bernoulli, numpy.sign, nn.Transformer
msbridge.set_release(None)
assert not {ops.bernoulli, numpy.sign, nn.Transformer} & {*before}
assert ops.bernoulli.__module__ == "mindspore.ops.function.math_func"
assert numpy.sign.__module__ == "mindspore.numpy.math_ops"
assert nn.Transformer.__module__ == "mindspore.nn.layer.transformer"
"""


@pytest.mark.process
def test_an_earlier_release_that_is_left_leaves_the_modules() -> None:
    python("-c", LEFT, timeout=300)


@pytest.mark.process
def test_without_the_drop_in_a_class_is_of_its_own_module() -> None:
    python("-c", SOME)


@pytest.mark.parametrize("path", ["mindspore.mint", "mindspore.ops"])
def test_functions_are_pickled_by_reference(path: str) -> None:
    module, lost = importlib.import_module(path), set()
    for name in dir(module):
        value = getattr(module, name)
        if inspect.isfunction(value) and not name.startswith("_"):
            try:
                assert pickle.loads(pickle.dumps(value)) is value
            except (AssertionError, pickle.PicklingError):
                lost.add(name)
    assert lost <= LOST
