"""Every change of a name that both releases can call: `run` names each call that they read differently."""

import ast
import gzip
import inspect
import json
from collections.abc import Iterator
from pathlib import Path

import msbridge
from msbridge.core.releases.release import before, parse
from msbridge.core.releases.rows import every
from msbridge.dropin.release_guess.call_forms import Change, changes_of
from msbridge.dropin.release_guess.open_calls import find_open_calls
from msbridge.dropin.release_guess.sources import sources_of

NAMES = Path("tests/oracle/names/2.10.0.json.gz")
VALUES = "abcdefghijkl"
HEAD = "import mindspore as ms\nfrom mindspore import Tensor\neach = Tensor(1)\n"
# Arguments that got another name and stayed the same: their words then and since. A pair that is new is looked at.
RENAMED = """
a:input acc_level:boost_level axis1:axis0 axis2:axis1 axis:dims base:logits begin:on_train_begin
check_name:check_name_contain_dot cond:condition delta:step dense_matrix:matrix dense_shape:shape divisor:other
end:on_train_end epoch_begin:on_train_epoch_begin epoch_end:on_train_epoch_end fn:function fn:hook_fn
frequency_mask_param:freq_mask_param input:x input_data:input input_perm:dims input_shape:shape input_x:input
input_x:tensor input_x:tensors input_x:x inputs:logits inputs:tensors interpolation_mode:mode ksize:kernel_size
label:target labels:target limit:end logits:input multiples:dims num:steps other:divisor other:y output_size:size
padding:pad_mode pips:flags power:exponent return_idx:return_inverse start:input step_begin:on_train_step_begin
step_end:on_train_step_end stop:end strategy:in_strategy t:dtype target:labels type:dtype x1:input x1:logits_x1
x1:tensor1 x2:logits_x2 x2:other x2:tensor2 x2:vec2 x:input x:input_x x:other x:vec2 x:x1 y:exponent y:labels y:other
y:x2
"""
# Defaults that are written otherwise and mean the same, or draw other random numbers.
DEFAULTS = """
align_corners=False:None axis=():None bias_init='zeros':None dtype=Ellipsis:mindspore.float32 group=Ellipsis:None
keepdims=None:False max_rowsize=16:None max_rowsize=None:16 mean=True:None nan=0.0:None output_num=1:None p=2:None
pad_mode='valid':'VALID' padding='valid':'VALID' seed=-1:None seed=0:None sens=1.0:None weight_init='normal':None
"""
SPELLINGS = {"dim": "axis", "xmin": "min", "xmax": "max"}


def changes() -> list[Change]:
    msbridge.hand_out()
    names = sorted({row.name for row in every() if row.legacy or row.arguments is not None})
    return [each for name in names for each in changes_of(name) if each.before and each.since]


def calls(change: Change) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield the values of calls by place that both forms take, and the names of their arguments in both."""
    forms = [[*each.parameters.values()] for each in (change.before, change.since) if each]
    most = min(sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in form) for form in forms)
    for count in range(min(most, len(VALUES)) + 1):
        needed = [one for form in forms for one in form[count:] if one.default is one.empty]
        if all(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in needed):
            then, today = ([one.name for one in form[:count]] for form in forms)
            yield ", ".join(VALUES[:count]), then, today


def spelled(name: str) -> str:
    short = name.replace("_", "")
    return SPELLINGS.get(short, short).removesuffix("s")


def called(name: str, values: str) -> str:
    """Return the text of a call as a script has it; "" where no script calls such a name itself."""
    owner, _, method = name.rpartition(".")
    if owner == "Tensor":
        return f"each.{method}({values})" if not method.startswith("__") else ""
    is_function = not any(part[:1].isupper() for part in owner.split("."))
    return f"ms.{name}({values})" if is_function else ""


def test_values_that_are_silent_stay_with_the_same_argument() -> None:
    unknown = set()
    for change in changes():
        for values, then, today in calls(change):
            if not change.difference(call_of(values)):
                pairs = {pair for pair in zip(then, today, strict=True) if spelled(pair[0]) != spelled(pair[1])}
                renamed = {*change.row.rename.items(), *(tuple(each.split(":")) for each in RENAMED.split())}
                unknown |= {(change.row.name, change.row.since, pair) for pair in pairs - renamed}
    assert unknown == set()


def test_defaults_that_are_silent_mean_the_same() -> None:
    unknown = set()
    for change in changes():
        assert change.before
        assert change.since
        for name, each in change.before.parameters.items():
            today = change.since.parameters.get(change.names.get(name, name))
            if today is None or each.empty in (each.default, today.default) or change.row.seen == "every call":
                continue
            text = f"{name}={each.default!r}:{today.default!r}"
            is_same = repr(each.default) == repr(today.default) or each.default == today.default
            if not is_same and text not in DEFAULTS.split() and f"{name}=" not in _reading(change):
                unknown.add((change.row.name, change.row.since, text))
    assert unknown == set()


def _reading(change: Change) -> str:
    """Return the reading of the call with only what both forms need."""
    return next((found for values, _, _ in calls(change) if (found := change.difference(call_of(values)))), "")


def call_of(values: str) -> ast.Call:
    call = ast.parse(f"f({values})", mode="eval").body
    assert isinstance(call, ast.Call)
    return call


def test_a_change_without_other_arguments_says_in_which_calls_it_is_seen() -> None:
    """No row whose form before reads a call otherwise is silent without a reason."""
    msbridge.hand_out()
    names = sorted({row.name for row in every() if row.legacy})
    rows = [each for name in names for each in changes_of(name) if each.row.legacy and not each.row.in_error]
    silent = [each.row for each in rows if not each.row.seen and parameters(each.before) == parameters(each.since)]
    assert silent == []


def test_a_name_is_gone_where_today_has_none() -> None:
    recorded = json.loads(gzip.decompress(NAMES.read_bytes()))
    today = recorded["classes"] | recorded["modules"]
    gone = [f"mindspore.{row.name}".rpartition(".") for row in every() if row.seen == "gone"]
    assert [name for module, _, name in gone if name in today.get(module, ())] == []


def parameters(form: inspect.Signature | None) -> list[tuple[str, object, str]]:
    return [(one.name, one.kind, repr(one.default)) for one in form.parameters.values()] if form else []


def test_the_script_is_told_of_every_change_at_the_line(tmp_path: Path) -> None:
    expected: dict[str, list[tuple[str, str]]] = {}
    for change in changes():
        for values, _, _ in calls(change):
            text, reading = called(change.row.name, values), change.difference(call_of(values))
            if text and reading:
                expected.setdefault(change.row.since, []).append((text, reading))
    missing = []
    file = tmp_path / "train.py"
    for since, lines in expected.items():
        file.write_text(HEAD + "\n".join(text for text, _ in lines))
        notes = find_open_calls(sources_of([file]), parse(before(since)), parse(since))
        told = {(int(note.where.rpartition(":")[2]), note.reading) for note in notes}
        missing += [line for number, line in enumerate(lines, 4) if (number, line[1]) not in told]
    assert sum(map(len, expected.values())) > 100
    assert missing == []
