"""The table of contents, and the records as a whole: every row of theirs belongs to a file that has tests."""

from pathlib import Path

import numpy as np

import msbridge.numpy as mnp
from tests.numpy.face_tests import FILES, OUTCOMES, SIGNATURES, face_of
from tests.numpy.recorder import expressions

HERE = Path(__file__).parent


def test_every_listed_name_exists() -> None:
    assert mnp.__all__
    assert [name for name in mnp.__all__ if not hasattr(mnp, name)] == []
    assert len(set(mnp.__all__)) == len(mnp.__all__)


def test_real_numpy_is_not_shadowed() -> None:
    assert np.__file__ != mnp.__file__
    assert np.arange(3).dtype == np.int64


def test_record_holds_exactly_the_expressions() -> None:
    assert OUTCOMES.keys() == set(expressions())


def test_every_recorded_row_is_tested_in_a_file() -> None:
    rows = [*OUTCOMES, *(f"mnp.{name}" for name in SIGNATURES)]
    stems = {face_of(row).__name__.rpartition(".")[2] for row in rows}
    assert stems == {face.__name__.rpartition(".")[2] for face in FILES}
    assert not [stem for stem in stems if not (HERE / f"test_{stem}.py").is_file()]
