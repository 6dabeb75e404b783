"""What is wrong, with the command that mends it; the requirement lines that are not needed."""

from pathlib import Path

import pytest

from msbridge.doctor.remedies import find_mindspore_lines, remedies


@pytest.mark.parametrize(
    ("line", "is_mindspore"),
    [
        ("mindspore==2.2.0", True),
        ("mindspore", True),
        ("MindSpore >= 1.5, <2  # training", True),
        ("mindspore-gpu==1.9.0", True),
        ("mindspore_ascend", True),
        ("mindspore @ https://example.org/mindspore.whl", True),
        ("mindspore==1.1 ; python_version < '3.8'", True),
        ("mindspore-lite==2.0", False),
        ("mindsporex", False),
        ("# mindspore", False),
        ("mindcv", False),
    ],
)
def test_requirement_lines(tmp_path: Path, line: str, is_mindspore: bool) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text(f"numpy\n{line}\n")
    assert list(find_mindspore_lines(file)) == ([(2, line)] if is_mindspore else [])


@pytest.mark.parametrize(
    ("variable", "value", "command"),
    [
        ("OMP_NUM_THREADS", "1", None),
        ("OMP_NUM_THREADS", "1,1", None),
        ("OMP_NUM_THREADS", "abc", "unset OMP_NUM_THREADS"),
        ("OMP_NUM_THREADS", "0", "unset OMP_NUM_THREADS"),
        ("MKL_NUM_THREADS", "4096", "export MKL_NUM_THREADS="),
        ("MSBRIDGE_RELEASE", "1.9", None),
        ("MSBRIDGE_RELEASE", "7", "unset MSBRIDGE_RELEASE"),
    ],
)
def test_variables_that_do_harm_have_a_command(tmp_path: Path, variable: str, value: str, command: str | None) -> None:
    found = [*remedies({variable: value}, tmp_path)]
    assert all(value in what and said.startswith(str(command)) for what, said in found)
    assert len(found) == (command is not None)
