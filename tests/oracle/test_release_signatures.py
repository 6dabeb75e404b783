"""Every call that a signature of a real MindSpore 1.x takes means the same under `--release`."""

import gzip
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest

import msbridge
from tests.oracle.names.arguments import _shown as shown
from tests.oracle.test_signatures import found

Pairs = list[list[str | None]]
RECORD = json.loads(gzip.decompress((Path(__file__).parent / "names" / "signatures-1.json.gz").read_bytes()))
RELEASES = sorted({release for forms in RECORD.values() for releases, _ in forms for release in releases})
# What is not followed, by what a path matches, and why. A pattern that nothing needs fails the test.
LEFT = {
    r"mindspore\.Model\.(eval|fit|train)": "None means what the release does",
    r"mindspore\.Tensor": "`internal` marks Tensors of MindSpore's own compiler",
    r"mindspore\.boost\..*": "steps of MindSpore's own code, which scripts do not call",
    r"mindspore\.dataset\.(Dataset\.batch|GeneratorDataset)": "`max_rowsize` measures memory that is not shared here",
    r"mindspore\.dataset\.Dataset\.filter": "None means the number of workers in the configuration",
    r"mindspore\.dataset\.vision\.py_transforms\.(Five|Ten)Crop\.__call__": "a transform is called by position",
    r"mindspore\.dataset\.vision\.py_transforms\.not_random": "a decorator of MindSpore's own code",
    r"mindspore\.nn\.DistributedGradReducer": "None means the group of all",
    r"mindspore\.ops\.Custom": "there is no compiler of hybrid functions: a Python function has to be asked for",
    r"mindspore\.ops\.reduce_mean": "None means all axes, as () does",
    r"mindspore\.ops\.sequence_mask": "`prim_name` is written in errors alone",
    r"mindspore\.ops\.FusedBatchNormEx": "1.1 orders the channels by `data_format`, on a GPU alone",
    r"mindspore\.ops\.validator\.check_subclass": "1.8 and 1.10 append a sentence to the error",
    r"mindspore\.parallel\.nn\..*": "configurations of divided training, as 1.10 has them",
}


def pairs_of(path: str, value: object) -> Pairs | None:
    """Return the arguments of a callable here, each with its default; None where it takes anything or has none."""
    try:
        parameters = list(inspect.signature(value).parameters.values())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    owner, _, name = path.rpartition(".")
    cls = found(owner)
    if isinstance(value, FunctionType) and inspect.isclass(cls):
        parameters = parameters[not isinstance(inspect.getattr_static(cls, name), staticmethod) :]
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    pairs = [
        [stars.get(each.kind, "") + each.name, None if each.default is each.empty else shown(each.default)]
        for each in parameters
    ]
    return None if pairs and all(str(name).startswith("*") for name, _ in pairs) else pairs


def plain(default: str) -> str:
    """Return a default as it is compared: numbers by their value, types and functions by their name."""
    text = re.sub(r"mindspore\.|_$", "", default.strip("\"'")).lower()
    text = re.sub(r"<[\w.]*?(\w+) object>", r"\1", text)
    try:
        return str(float(text))
    except ValueError:
        return text


def problems(there: Pairs, here: Pairs) -> Iterator[str]:
    """Yield the arguments that are taken there, and here not or in another place, or with another default."""
    fixed = [(name, default) for name, default in here if not str(name).startswith("*")]
    own, given = {name for name, _ in fixed}, {name for name, _ in there}
    asked = [(name, default) for name, default in there if not str(name).startswith("*")]
    takes_more = any(str(name)[:2] not in ("**",) and str(name).startswith("*") for name, _ in here)
    for place, (name, default) in enumerate(asked):
        at = fixed[place] if place < len(fixed) else (None, None)
        value = at[1] if at[0] == name else dict(fixed).get(name)
        if name not in own or (at[0] != name and (at[0] in given or at[0] is None) and not takes_more):
            yield f"{name} at {place}"
        elif default in (None, "...", "<lambda>"):
            continue
        elif value is None or plain(value) != plain(default):
            yield f"{name}={default}, here {value}"
    yield from (f"{name} is required" for name, default in fixed[len(asked) :] if default is None and name not in given)


def test_a_difference_is_found() -> None:
    assert not [*problems([["x", None], ["axis", "-1"]], [["x", None], ["axis", "-1"], ["more", "None"]])]
    assert [*problems([["x", None], ["axis", "-1"]], [["axis", "-1"], ["x", None]])] == ["x at 0", "axis at 1"]
    assert [*problems([["x", None]], [["input", None]])] == ["x at 0"]
    assert not [*problems([["y", None]], [["other", None], ["y", "None"]])]  # takes both names
    assert [*problems([["axis", "-1"]], [["axis", "0"]])] == ["axis=-1, here 0"]
    assert not [*problems([["eps", "1"]], [["eps", "1.0"]])]


@pytest.mark.usefixtures("dropin")
def test_every_call_of_a_signature_means_the_same() -> None:
    bad, used = {}, set()
    for release in RELEASES:
        msbridge.set_release(release)
        for path, forms in RECORD.items():
            there = next((form for releases, form in forms if release in releases), None)
            if there and there[0][0] == "cls" and path != "mindspore.ms_class":  # of a class method in a decorator
                there = there[1:]
            value = None if there is None else found(path)
            here = pairs_of(path, value) if callable(value) else None
            if there is None or here is None:
                continue
            if wrong := [*problems(there, here)]:
                pattern = next((one for one in LEFT if re.fullmatch(one, path)), None)
                used.add(pattern)
                if pattern is None:
                    bad[release, path] = wrong, there, here
    assert not bad, "\n".join(f"{key}: {value}" for key, value in bad.items())
    assert used == LEFT.keys()
