"""Write mappings/ascend_limits.tsv: what the documentation of MindSpore says an Ascend lacks.

    PYTHON tools/ascend_limits.py

PYTHON is an interpreter with the real MindSpore 2.10.0, whose docstrings are its API pages. An operator whose
"Supported Platforms" have no Ascend lacks it; dtypes are those that a list "- Ascend: float16, float32." leaves out, or
that a sentence "On Ascend, float64 is not supported." names. Sentences of other forms are left out: nothing is guessed.
"""

import importlib
import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "mappings" / "ascend_limits.tsv"
HEAD = """\
# ascend_limits.tsv: public names that an Ascend lacks ("*"), or the dtypes that it does not take as a first argument.
# Evidence: the API pages (docstrings) of MindSpore {release}; written by tools/ascend_limits.py.
name	lacks
"""
MODULES = ("ops", "mint", "mint.nn", "mint.nn.functional", "mint.linalg", "mint.special", "nn", "numpy", "scipy.linalg")
PLATFORMS = re.compile(r"Supported Platforms:\s*\n\s*(``[^\n]*)")
LISTED = re.compile(
    r"^\s*-?\s*(?:On )?(?:[A-Z]+/)?Ascend(?:/[A-Z]+)?: ?"
    r"((?:`*\w+\d`*|`*bool`*)(?:(?:,| or| and|, and|, or)\s*`*\w+`*)*)\.",
    re.M,
)
LACKING = re.compile(r"(?:On Ascend|Currently Ascend does|Currently it does)[^.\n]*\bfloat64\b[^.\n]*")
NOT = re.compile(r"\bnot\b|n't\b")
_DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
DTYPES = _DTYPES.split()


def main():
    """Write the table."""
    import mindspore as ms

    rows = {}
    places = [(path, importlib.import_module(f"mindspore.{path}")) for path in MODULES] + [("Tensor", ms.Tensor)]
    for path, place in places:
        for name in sorted(dir(place)):
            text = getattr(getattr(place, name, None), "__doc__", None)
            if name.startswith("_") or not isinstance(text, str):
                continue
            if lacks := lacking(text):
                rows[f"{path}.{name}"] = lacks
    lines = [f"{name}\t{' '.join(lacks)}\n" for name, lacks in sorted(rows.items())]
    TABLE.write_text(HEAD.format(release=ms.__version__) + "".join(lines), encoding="utf-8")
    print(len(rows), sum(lacks == ["*"] for lacks in rows.values()))


def lacking(text):
    """Return what a docstring says that an Ascend lacks: ["*"], dtypes, or nothing."""
    platforms = PLATFORMS.search(text)
    if platforms and "Ascend" not in platforms[1] and re.search(r"``(CPU|GPU)``", platforms[1]):
        return ["*"]
    if listed := LISTED.search(text):
        taken = [one for one in re.findall(r"\w+", listed[1]) if one in DTYPES]
        others = [one for one in re.findall(r"\w+", listed[1]) if one not in (*DTYPES, "or", "and")]
        return [] if others else [one for one in DTYPES if one not in taken]
    said = LACKING.search(text)
    return ["float64"] if said and NOT.search(said[0]) else []


if __name__ == "__main__":
    main()
