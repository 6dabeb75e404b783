"""Lines of entries."""

from msbridge.api_lookup.entry import Change, Entry, Torch
from msbridge.api_lookup.text import lines_of

ENTRY = Entry(
    path="mindspore.ops.f",
    signature="(x, axis=0)",
    text="Return f.\n\nArgs:\n    x: numbers.\n\nFollows: mindspore.ops.f (2.10).",
    absent="",
    last_release="2.8",
    changes=(Change("2.0", "(input_x)", ("an axis is refused",)), Change("1.5", "", ("f(1): 2 before, 3 since",))),
    torch=(Torch("torch.f", ()), Torch("torch.g", ("no argument out", "another order of arguments"))),
    without_effect=("device: there is one",),
)


def test_every_section_has_its_lines() -> None:
    assert [*lines_of(ENTRY)] == [
        "mindspore.ops.f(x, axis=0)",
        "  Return f.",
        "",
        "  Args:",
        "      x: numbers.",
        "  The last release that has it is 2.8.",
        "",
        "releases",
        "  before 2.0: f(input_x)  an axis is refused.",
        "  before 1.5: f(1): 2 before, 3 since.",
        "",
        "torch",
        "  torch.f: the same arguments",
        "  torch.g: no argument out; another order of arguments",
        "",
        "accepted without effect",
        "  device: there is one",
    ]


def test_a_short_entry_has_the_first_line_of_its_text() -> None:
    assert [*lines_of(ENTRY, is_short=True)][:3] == [
        "mindspore.ops.f(x, axis=0)",
        "  Return f.",
        "  The last release that has it is 2.8.",
    ]


def test_a_long_line_continues_below_its_beginning() -> None:
    entry = Entry("mindspore.f", "", "", "word " * 40, "", (), (), ())
    _, first, second, *_ = lines_of(entry)
    assert (first[:6], second[:8]) == ("  word", "    word")
