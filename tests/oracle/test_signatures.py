"""Every call that a signature of MindSpore 2.10 takes is taken here: by place, by name, without what has a default."""

import enum
import gzip
import importlib
import inspect
import json
import re
from pathlib import Path

import pytest

from tests.oracle.names.signatures import MARKS

RECORD = json.loads(gzip.decompress((Path(__file__).parent / "names" / "signatures-2.10.0.json.gz").read_bytes()))
INNER_CALL = re.compile(r"mindspore\.ops\.auto_generate\.\w+_impl")  # called by position, from MindSpore's own code
# Calls that are taken there and not here, and why. An entry that fits again fails the test.
INNER = "of MindSpore's generated files: the public operator of the same name serves it"
CACHES = "kernels of the Ascend: what has no default here is used for any value"
LEFT = {
    "mindspore.UntypedStorage": "cannot be made by a call there; Tensors give theirs",
    "mindspore.mint.randint_like": "there the arguments have no names, and the first is required",
    "mindspore.ops.PagedAttention.__call__": CACHES,
    "mindspore.ops.auto_generate.TensorScatterElements": INNER,
    "mindspore.ops.auto_generate.constant_pad_nd_op": INNER,
    "mindspore.ops.auto_generate.flip": INNER,
    "mindspore.ops.auto_generate.inplace_scatter_src_reduce_op": INNER,
    "mindspore.ops.auto_generate.reshape_and_cache_op": CACHES,
    "mindspore.ops.auto_generate.smooth_l1_loss": INNER,
    "mindspore.ops.auto_generate.tensor_scatter_elements": INNER,
}


def found(path: str) -> object:
    """Return what a dotted path names; None where we lack it."""
    parts = path.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            value: object = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            value = getattr(value, part, None)
        return value
    return None


def split(words: list[str]) -> tuple[list[str], list[str], bool, bool]:
    """Return what may be given by place and what by name only, and whether any others may be, by place or name."""
    by_place = [word.lstrip("/") for word in words if not word.startswith(("*", ":"))]
    by_name = [word[1:] for word in words if word.startswith(":")]
    return by_place, by_name, any(w[0] == "*" and w[:2] != "**" for w in words), any(w[:2] == "**" for w in words)


def refused(there: list[str], here: list[str]) -> list[str]:
    """Return the parameters with which a call that is taken there is refused here, or means something else."""
    places, names, _, _ = split(there)
    own_places, own_names, any_place, any_name = split(here)
    taken = {word.rstrip("=") for word in (*own_places, *own_names)}
    given = {word.rstrip("=") for word in (*places, *names)}
    bad = [] if any_place else places[len(own_places) :]
    for wanted, own in zip(places, own_places, strict=False):
        if own.rstrip("=") != wanted.rstrip("=") or (wanted.endswith("=") and not own.endswith("=")):
            bad.append(wanted)
    bad += [word for word in (*places, *names) if not any_name and word.rstrip("=") not in taken]
    return bad + [word for word in (*own_places, *own_names) if not word.endswith("=") and word not in given]


def test_a_refusal_is_found() -> None:
    assert refused(["x", "axis="], ["x", "axis="]) == []
    assert refused(["x", "axis="], ["x", ":axis="]) == ["axis="]
    assert refused(["x", "axis="], ["x", "axis"]) == ["axis="]
    assert refused(["x"], ["input"]) == ["x", "x", "input"]
    assert refused(["x", ":axis="], ["x", "**more"]) == []
    assert refused(["x"], ["x", "axis="]) == []


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_every_call_of_a_signature_is_taken() -> None:
    bad, count = {}, 0
    for path, there in RECORD.items():
        value = found(path)
        if not callable(value) or INNER_CALL.match(path) or isinstance(value, enum.EnumType):  # Python's own call
            continue
        count += 1
        try:
            parameters = inspect.signature(value).parameters.values()
        except (TypeError, ValueError):
            continue  # of an exception, which takes anything
        here = [MARKS[each.kind] + each.name + "=" * (each.default is not each.empty) for each in parameters]
        if refused(there, here):
            bad[path] = there, here
    assert count > 3000
    assert bad.keys() == LEFT.keys(), {path: bad.get(path) for path in bad.keys() ^ LEFT.keys()}
