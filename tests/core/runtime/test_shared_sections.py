"""What docstrings share: lines that name a family are expanded."""

import pytest

from msbridge.core.runtime.shared_sections import expand, sharing

FAMILIES = {
    "reader": {"a": "one.", "b": "two."},
    "loss": {"Inputs": "{0}: logits.\n{1}: labels.", "Outputs": "a Tensor."},
}


def test_lines_keep_their_indent() -> None:
    assert expand("  a, b: as in every reader.\nc", FAMILIES) == "  a: one.\n  b: two.\nc"


def test_sections_name_the_inputs() -> None:
    text = expand("Inputs, Outputs: as in every loss.", FAMILIES, ("x", "y"))
    assert text == "Inputs:\n    x: logits.\n    y: labels.\n\nOutputs:\n    a Tensor."


def test_long_lines_are_wrapped() -> None:
    text = expand("    a: as in every reader.", {"reader": {"a": "word " * 30}})
    assert [len(line) - len(line.lstrip()) for line in text.splitlines()] == [4, 8]
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("line", ["typo: as in every reader.", "a: as in every typo."])
def test_what_is_not_there_is_refused(line: str) -> None:
    with pytest.raises(KeyError, match="typo"):
        expand(line, FAMILIES)


def test_a_decorator_completes_functions() -> None:
    @sharing(FAMILIES)
    def read() -> None:
        """a: as in every reader."""

    assert read.__doc__ == "a: one."
