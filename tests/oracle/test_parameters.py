"""Every parameter of every public callable of MindSpore 2.10 has its name, its place and its default."""

import gzip
import importlib
import inspect
import json
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import mindspore as ms
import pytest

from msbridge.ops.primitive.primitive import Derived
from tests.oracle.names.arguments import _shown, arguments

RECORD = json.loads(gzip.decompress((Path(__file__).parent / "names" / "parameters-2.10.0.json.gz").read_bytes()))
INNER_CALL = re.compile(r"mindspore\.ops\.auto_generate\.\w+_impl")  # called by position, from MindSpore's own code
# What is called otherwise here, and why. An entry that fits again fails the test.
INNER = "of MindSpore's generated files: the public operator of the same name serves it"
LEFT = {
    "mindspore.Tensor.narrow": "documented as dim; the method itself takes axis",
    "mindspore.ops.auto_generate.BatchNormGradExt.__call__": INNER,
    "mindspore.ops.auto_generate.FusedInferAttentionScore.__call__": INNER,
    "mindspore.ops.auto_generate.TensorScatterElements": INNER,
    "mindspore.ops.auto_generate.flip": INNER,
    "mindspore.ops.auto_generate.smooth_l1_loss": INNER,
    "mindspore.ops.auto_generate.tensor_scatter_elements": INNER,
}
# Other defaults, and why. What 2.10 wants and we do not is no difference that a call of MindSpore's meets.
SAME = "the same result"
RELEASED = "the default of the release that is followed"
CACHES = "kernels of the Ascend: what has no default here is used for any value"
OTHER_DEFAULTS = {
    "mindspore.Model.eval": RELEASED,
    "mindspore.Model.fit": RELEASED,
    "mindspore.Model.train": RELEASED,
    "mindspore.jit": "as documented",
    "mindspore.mint.histc": SAME,
    "mindspore.nn.DistributedGradReducer": "None is the group of all",
    "mindspore.nn.LARS": SAME,
    "mindspore.nn.TripletMarginLoss.construct": "None is the margin of the layer",
    "mindspore.ops.PagedAttention.__call__": CACHES,
    "mindspore.ops.ReduceAny.__call__": SAME,
    "mindspore.ops.ReduceMean.__call__": SAME,
    "mindspore.ops.ReduceStd": SAME,
    "mindspore.ops.ReshapeAndCache.__call__": CACHES,
    "mindspore.ops.reduce_mean": SAME,
    "mindspore.scipy.optimize.linear_sum_assignment": "None is no limit",
    **dict.fromkeys(
        (
            f"mindspore.ops.auto_generate.{name}"
            for stem, instance in {
                "ConstantPadND": "constant_pad_nd_op",
                "Conv1DPadding": "conv1d_padding_op",
                "Conv2DPadding": "conv2d_padding_op",
                "Conv3DPadding": "conv3d_padding_op",
                "Hardtanh": "hardtanh_op",
                "HistcExt": "histc_ext_op",
                "Norm": "norm_op",
            }.items()
            for name in (f"{stem}.__call__", instance)
        ),
        SAME,
    ),
    "mindspore.ops.auto_generate.hardtanh": SAME,
    "mindspore.ops.auto_generate.reshape_and_cache_op": CACHES,
}


@cache
def module(path: str) -> ModuleType | None:
    """Return a module; None where there is none of this name."""
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def found(path: str) -> tuple[object, object]:
    """Return what holds what a dotted path names, and that itself: None where we lack it."""
    owner, _, name = path.rpartition(".")
    above, _, cls = owner.rpartition(".")
    holder = getattr(module(above), cls, None) if cls[:1].isupper() else module(owner)
    return holder, getattr(holder, name, None)


def ours(holder: object, name: str, value: object) -> tuple[dict[str, str | None], bool]:
    """Return the parameters of a callable of ours with their defaults, and whether it takes others by name."""
    if inspect.isclass(value) and issubclass(value, Derived):
        return of_signature(value.__signature__), False
    if inspect.isclass(holder) and issubclass(holder, Derived) and name == "__call__":
        return of_signature(inspect.signature(object.__new__(holder))), False
    found = arguments(value) or [("**anything", None)]
    is_method = inspect.isclass(holder) and issubclass(holder, ms.Tensor) and inspect.isfunction(value)
    if is_method and found[0][0] in ("input", "x", "input_x"):
        found = found[1:]  # a function of `ops` as it stands
    return {word.lstrip("*"): default for word, default in found}, any(word.startswith("**") for word, _ in found)


def of_signature(signature: inspect.Signature) -> dict[str, str | None]:
    """Return parameters with their defaults, as `arguments` writes them."""
    return {
        name: None if one.default is one.empty else _shown(one.default) for name, one in signature.parameters.items()
    }


def wanted_of(call: list) -> dict[str, str | None]:
    """Return the parameters of a recorded call that have names, with their defaults; of some, the names are all."""
    pairs = [(word, None) if isinstance(word, str) else word for word in call]
    return {word: default for word, default in pairs if not word.startswith("*")}


def differs(path: str, calls: list) -> bool:
    """Whether a call of MindSpore's cannot be made here by the names of its parameters.

    What is called in several ways has all their names; of what is called in one, the order counts, too.
    """
    holder, value = found(path)
    names, is_open = ours(holder, path.rpartition(".")[2], value)
    for wanted in map(wanted_of, calls):
        here = [word for word in names if word in wanted]
        if not is_open and (sorted(here) != sorted(wanted) if len(calls) > 1 else here != list(wanted)):
            return True
    return False


def defaults_differ(path: str, calls: list) -> bool:
    """Whether a parameter that has a default in MindSpore has another here, or none."""
    holder, value = found(path)
    here, _ = ours(holder, path.rpartition(".")[2], value)
    wanted = wanted_of(calls[0]) if len(calls) == 1 else {}
    return any(default is not None and here.get(word, default) != default for word, default in wanted.items())


@pytest.fixture
def there(dropin: None) -> dict[str, list]:
    """Return what 2.10 has, and we have too."""
    known = {path: calls for path, calls in RECORD.items() if not INNER_CALL.match(path) and found(path)[1] is not None}
    assert len(known) > 4000
    return known


def test_every_parameter_is_taken_by_its_name_and_in_its_place(there: dict[str, list]) -> None:
    assert {path for path, calls in there.items() if differs(path, calls)} == set(LEFT)


def test_every_default_is_the_same(there: dict[str, list]) -> None:
    assert {path for path, calls in there.items() if defaults_differ(path, calls)} == set(OTHER_DEFAULTS)
