"""What an earlier release had is in its place while that release is followed, and only then."""

import itertools
import json
from pathlib import Path

import pytest

import msbridge
from msbridge import Tensor, nn, ops
from tests.core.releases.interpreter_state import State, describe_state, look_up_all_names
from tests.processes import python

TODAY = {"sum": Tensor.sum, "max": ops.max, "repr": nn.Cell.__repr__, "ArgMaxWithValue": ops.ArgMaxWithValue}


def current() -> dict[str, object]:
    return {"sum": Tensor.sum, "max": ops.max, "repr": nn.Cell.__repr__, "ArgMaxWithValue": ops.ArgMaxWithValue}


@pytest.mark.parametrize("release", ["1.0", "2.0", "2.2"])
def test_places_change_with_the_release_and_back(release):
    msbridge.set_release(release)
    assert not any(current()[name] is today for name, today in TODAY.items())
    msbridge.set_release("2.3")
    assert all(current()[name] is today for name, today in TODAY.items())
    msbridge.set_release(release)
    msbridge.set_release(release)
    msbridge.set_release(None)
    assert all(current()[name] is today for name, today in TODAY.items())


def test_a_module_that_is_imported_meanwhile_keeps_what_is_its_own(dropin):
    """Before 2.0 `nn.TransformerEncoder` is that of `nn.transformer`, which has it in every release."""
    msbridge.uninstall()
    msbridge.set_release("1.8")
    before = nn.TransformerEncoder
    msbridge.install()
    import mindspore.nn.transformer as parallel

    msbridge.set_release(None)
    assert parallel.TransformerEncoder is before is not nn.TransformerEncoder


def test_modules_that_forward_change_too(dropin):
    import mindspore.ops.functional as functional

    today = functional.max
    msbridge.set_release("2.0")
    assert str(functional.max(Tensor([3.0, 1.0]), 0)[1].dtype) == "Int32"
    assert repr(nn.ReLU()) == "ReLU<>"
    msbridge.set_release(None)
    assert functional.max is today
    assert repr(nn.ReLU()) == "ReLU()"


ROOM_OF_THEN = """
import msbridge
msbridge.install()
msbridge.set_release("1.0")  # the forms of then import rooms that nothing has asked for yet
import mindspore.train
mindspore.train.parse_print
msbridge.set_release(None)
assert not hasattr(mindspore.train, "parse_print")
msbridge.set_release("2.0")
"""


LOADED_BEFORE = """
import inspect
import msbridge
from msbridge.ops.framework.composite import functions  # what ops publishes lazily is defined here
for release in ("2.0", None):
    msbridge.set_release(release)
    assert ("sens_param" in str(inspect.signature(msbridge.ops.grad))) is (release is None)
"""


@pytest.mark.process
def test_a_function_whose_file_is_loaded_before_follows_the_release():
    python("-c", LOADED_BEFORE)


@pytest.mark.process
def test_a_room_that_is_imported_while_a_release_is_followed_changes_back():
    python("-c", ROOM_OF_THEN)


@pytest.mark.parametrize(
    ("expression", "newest", "earlier"),
    [
        ("Tensor([7, -7]) / 2", "[ 3.5 -3.5]", "[ 3 -3]"),
        ("Tensor([7, -7, 0]) / 0 > 5", "[ True False False]", "[ True False False]"),
        ("2 / Tensor([3])", "[0.6666667]", "[0]"),
        ("Tensor([True]) / 2", "[0.5]", "[0]"),
        ("ops.Div()(Tensor([7]), Tensor([2]))", "[3.5]", "[3]"),
        ("Tensor([[2, 3]]).prod(1).dtype", "Int64", "Int64"),
    ],
)
def test_quotients_of_whole_numbers(expression, newest, earlier):
    scope = {"Tensor": Tensor, "ops": ops}
    assert str(eval(expression, scope)) == newest
    msbridge.set_release("2.0")
    assert str(eval(expression, scope)) == earlier


OWN_USES = """
import importlib, sys
from types import ModuleType
import msbridge
msbridge.install()
from msbridge.core.releases import overrides
from msbridge.core.releases.module_globals import globals_used
from msbridge.dropin.importing import module_map

for path in module_map.rows():
    importlib.import_module(path)
modules = {id(each): each for name, each in [*sys.modules.items()] if name.startswith(("mindspore.", "msbridge."))}
uses = {(each, name) for each in modules.values() if isinstance(each, ModuleType) for name in globals_used(each)}
today = {use: vars(use[0]).get(use[1]) for use in uses}
for release in ("1.0", "1.5", "1.10", "2.0", "2.2", "2.5"):
    msbridge.set_release(release)
    owners = {(owner, name) for owner, name, *_ in overrides._replaced if isinstance(owner, ModuleType)}
    changed = {use for use in uses - owners if vars(use[0]).get(use[1]) is not today[use]}
    print({f"{module.__name__}.{name}" for module, name in changed if callable(today[module, name])} or "none")
"""


@pytest.mark.process
def test_what_a_module_calls_itself_stays_under_every_release():
    assert python("-c", OWN_USES).stdout.split() == ["none"] * 6


FIRST_ASKED_UNDER_A_RELEASE = """
import msbridge
msbridge.install()
msbridge.set_release("1.1")
from mindspore import Tensor
from mindspore.ops.auto_generate import MatMulExt  # of ops.matmul, which 1.1 has otherwise
print(MatMulExt()(Tensor([[2.0]]), Tensor([[3.0]])))
"""


@pytest.mark.process
def test_generated_primitives_keep_their_function_under_every_release():
    assert python("-c", FIRST_ASKED_UNDER_A_RELEASE).stdout.split() == ["[[6.]]"]


RELEASES = ("1.0", "1.5", "1.8", "1.10", "2.0", None)


def differences(state: State, other: State) -> list[str]:
    return [name for name in state.keys() & other.keys() if state[name] != other[name]]


def after(path: Path, *releases: str) -> State:
    python("-m", "tests.core.releases.interpreter_state", str(path), *releases, timeout=300)
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.process
def test_modules_that_are_loaded_meanwhile_have_nothing_of_the_release(tmp_path):
    never = after(tmp_path / "never.json")
    for release in ("1.0", "1.10", "2.0"):
        left = after(tmp_path / "left.json", release)
        assert len(left.keys() & never.keys()) > 25_000
        assert differences(never, left) == []


@pytest.mark.long
def test_what_was_followed_before_makes_no_difference():
    states: dict[str | None, State] = {}
    for release in RELEASES:
        msbridge.set_release(release)
        look_up_all_names()
    for release in RELEASES:
        msbridge.set_release(None)
        msbridge.set_release(release)
        states[release] = describe_state()
    for before, release in itertools.permutations(RELEASES, 2):
        msbridge.set_release(before)
        msbridge.set_release(release)
        assert differences(states[release], describe_state()) == [], (before, release)
