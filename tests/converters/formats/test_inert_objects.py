"""What is beside the weights is skipped and named; what would run is refused. Judge: torch, which runs it all."""

import argparse
import collections
import dataclasses
import datetime
import enum
import functools
import inspect
import logging
import math
import operator
import pathlib
import re
import types
import typing
import urllib.parse

import numpy as np
import pytest
import torch

from msbridge.converters import open_checkpoint
from msbridge.converters.errors import UnsafeError
from tests.converters.pickled import GOOD, archive, called, text, torch_file

STATE = torch.nn.Linear(2, 3).state_dict()


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Settings:
    kind: type = int
    act: typing.Any = torch.nn.functional.gelu

    def go(self): ...


class Settled(dict): ...


def make(a: int = 1) -> int:
    return a


HARMLESS = {
    "int": (int, "the class or function builtins.int"),
    "str": (str, "the class or function builtins.str"),
    "None's type": (type(None), "an object of builtins.type"),
    "an exception's type": (ValueError, "the class or function builtins.ValueError"),
    "an exception": (FileNotFoundError(2, "gone"), None),
    "range": (range(3), "an object of builtins.range"),
    "slice": (slice(1, 2), "an object of builtins.slice"),
    "Ellipsis": (..., "the class or function builtins.Ellipsis"),
    "Any": (typing.Any, "the class or function typing.Any"),
    "Optional": (int | None, "an object of types.UnionType"),
    "Union": (typing.Union[int, str], None),  # noqa: UP007  typing writes it otherwise
    "List": (list[int], "an object of types.GenericAlias"),
    "Callable": (typing.Callable[[int], str], None),
    "torch.relu": (torch.relu, "the class or function torch._C._VariableFunctionsClass.relu"),
    "gelu": (torch.nn.functional.gelu, "the class or function torch._C._nn.gelu"),
    "fft": (torch.fft.fft, "the class or function torch._C._fft.fft_fft"),
    "a method of Tensor": (torch.Tensor.add, None),
    "partial": (functools.partial(torch.nn.functional.gelu, approximate="tanh"), "an object of functools.partial"),
    "partial of a type": (functools.partial(int, base=2), "an object of functools.partial"),
    "layer": (torch.nn.ReLU, "the class or function torch.nn.modules.activation.ReLU"),
    "made layer": (torch.nn.BatchNorm1d(2), "an object of torch.nn.modules.batchnorm.BatchNorm1d"),
    "print": (print, "the class or function builtins.print"),
    "max": (max, "the class or function builtins.max"),
    "sqrt": (math.sqrt, "the class or function math.sqrt"),
    "add": (operator.add, "the class or function _operator.add"),
    "itemgetter": (operator.itemgetter(1), "an object of operator.itemgetter"),
    "lower": (str.lower, "the class or function builtins.str.lower"),
    "bound method": (Settings().go, "an object of a method 'go'"),
    "function": (make, f"the class or function {__name__}.make"),
    "signature": (inspect.signature(make), "an object of inspect.Signature"),
    "iterator": (iter([1, 2]), "an object of builtins.iter"),
    "device": (torch.device("cpu"), "an object of torch.device"),
    "dtype": (torch.float16, "torch.float16"),
    "size": (torch.Size([1, 2]), "a tuple of 2"),
    "numpy's number": (np.float64(1.5), "an object of a numpy scalar"),
    "numpy's array": (np.arange(3), None),
    "numpy's dtype": (np.dtype("float32"), "an object of numpy.dtype"),
    "numpy's generator": (np.random.default_rng(3), None),
    "defaultdict": (collections.defaultdict(list, a=[1]), "an object of collections.defaultdict"),
    "deque": (collections.deque([1], maxlen=2), "an object of collections.deque"),
    "set": ({1}, None),
    "complex": (1 + 2j, "complex"),
    "path": (pathlib.PurePosixPath("/a/b"), f"an object of {pathlib.PurePosixPath.__module__}.PurePosixPath"),
    "member": (Colour.RED, f"an object of {__name__}.Colour"),
    "dataclass": (Settings(), f"an object of {__name__}.Settings"),
    "mapping": (Settled(f=torch.relu, t=str), f"an object of {__name__}.Settled"),
    "namespace": (argparse.Namespace(act=torch.tanh, tp=str, log=print), "an object of argparse.Namespace"),
    "simple namespace": (types.SimpleNamespace(a=1), "an object of types.SimpleNamespace"),
    "time": (datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), "an object of datetime.datetime"),
    "pattern": (re.compile("x"), "an object of re._compile"),
    "logger": (logging.getLogger("x"), "an object of logging.getLogger"),
    "address": (urllib.parse.urlparse("http://x/y"), "an object of urllib.parse.ParseResult"),
    "long number": (1 << 3000, "an object of int of 376 bytes"),
}


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("case", HARMLESS)
def test_what_is_harmless_is_skipped_and_named(tmp_path, case, protocol, zipped):
    value, described = HARMLESS[case]
    path = tmp_path / "x.pth"
    torch.save(
        {"state_dict": STATE, "hyper_parameters": value},
        path,
        _use_new_zipfile_serialization=zipped,
        pickle_protocol=protocol,
    )
    judged = torch.load(path, weights_only=False)["state_dict"]
    with open_checkpoint(path) as found:
        assert list(found) == list(judged)
        assert all(torch.equal(found[name], judged[name]) for name in judged)
        assert list(found.skipped) == ["hyper_parameters"]
        assert described is None or found.skipped["hyper_parameters"] == described


@pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental")
def test_a_tensor_of_a_type_that_no_format_has_is_skipped(tmp_path):
    torch.save(STATE | {"odd": torch.ones(2, dtype=torch.complex32)}, tmp_path / "x.pth")
    with open_checkpoint(tmp_path / "x.pth") as found:
        assert list(found) == list(STATE)
        assert found.skipped == {"odd": "a tensor of torch.complex32, which no format has"}


ARGUMENT = text("touch proof") + b"\x85"
NAMED = {  # what a pickle may mention, and may not call
    "by its name": called("os.system"),
    "of Python": called("builtins.eval"),
    "as Python 2 spells it": called("__builtin__.execfile"),
    "of Python, as Python 2 spells it": called("__builtin__.eval"),
    "of a module that Python 2 called otherwise": called("cPickle.loads"),
    "through another module": text("numpy") + text("os.system") + b"\x93",
    "through a module of a package": called("a.os.popen"),
    "through what a class knows": text("my") + text("Thing.__init__.__globals__") + b"\x93",
    "of a pickle in a pickle": called("torch.storage._load_from_bytes"),
    "of torch": called("torch.hub.load"),
    "of torch, which runs the code of a graph": called("torch.fx.graph_module.reduce_graph_module"),
    "of numpy": called("numpy.testing._private.utils.runstring"),
    "of a pickler": called("cloudpickle.loads"),
    "of pandas": called("pandas.core.computation.eval.eval"),
    "of a module that torch imports": text("torch.serialization") + text("pickle.loads") + b"\x93",
}


@pytest.mark.parametrize("case", NAMED)
def test_a_name_alone_does_no_harm_and_a_call_is_refused(tmp_path, case):
    named = NAMED[case]
    path = torch_file(tmp_path / "x.pth", {"a": GOOD, "x": named}, b"\x80\x04")
    with open_checkpoint(path) as found:
        assert found.skipped["x"].startswith("the class or function ")
    for called_so in (named + ARGUMENT + b"R", named + ARGUMENT + b"\x81", named + ARGUMENT + b"}\x92"):
        path = torch_file(tmp_path / "y.pth", {"a": GOOD, "x": called_so}, b"\x80\x04")
        with pytest.raises(UnsafeError, match=r"y\.pth.* at offset \d+: refused: the pickle asks for '"):
            open_checkpoint(path)


SYSTEM = called("os.system")
RUNS = {
    "handed to a call": called("my.apply") + SYSTEM + text("touch proof") + b"\x86R",
    "handed by its name": called("my.apply") + b")}" + text("f") + SYSTEM + b"s\x92",
    "kept by a partial, which is called": called("functools.partial") + SYSTEM + b"\x85R" + ARGUMENT + b"R",
    "for each of a list": called("builtins.map") + SYSTEM + b"]" + text("touch proof") + b"a\x86R",
    "for each of a list, as Python 2 spells it": called("itertools.imap") + SYSTEM + b"]\x86R",
    "reduced": called("functools.reduce") + SYSTEM + b"]\x86R",
    "reduced, as Python 2 spells it": called("__builtin__.reduce") + called("my.function") + b"]\x86R",
    "as a subclass of Tensor": called("torch._tensor._rebuild_from_type_v2") + b"(" + SYSTEM + b"N)NtR",
    "by getattr": called("builtins.getattr") + called("numpy.os") + text("system") + b"\x86R" + ARGUMENT + b"R",
    "set on a class": SYSTEM + b"0" + called("my.Thing") + b"}" + text("__setstate__") + b"h\x00sb",
    "set on a function": SYSTEM + b"0" + called("torch._utils._rebuild_parameter") + b"}" + text("x") + SYSTEM + b"sb",
    "a call of what was made": called("my.make") + b")R" + ARGUMENT + b"R",
    "a method of what was made": called("builtins.getattr")
    + called("my.make")
    + b")R"
    + text("run")
    + b"\x86R"
    + ARGUMENT
    + b"R",
    "a function of code": called("types.FunctionType") + b"C\x01x}\x86R",
    "an import": called("builtins.__import__") + text("antigravity") + b"\x85R",
}


@pytest.mark.parametrize("case", RUNS)
def test_what_would_run_is_refused(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    body = b"}(" + text("k") + text("v") + b"q\x00" + text("a") + GOOD + text("x") + RUNS[case] + b"u."
    with pytest.raises(UnsafeError, match=r"x\.pth.* at offset \d+: refused: the pickle (asks for|calls) "):
        open_checkpoint(archive(tmp_path / "x.pth", b"\x80\x04" + body))
    assert not (tmp_path / "proof").exists()


def test_a_folder_of_the_users_may_be_called_like_a_module_of_pythons(tmp_path):
    for module in ("code.config", "profile.args", "site.settings", "trace.models"):
        path = torch_file(tmp_path / "x.pth", {"a": GOOD, "x": called(f"{module}.Args") + b")\x81}b"})
        assert open_checkpoint(path).skipped == {"x": f"an object of {module}.Args"}
