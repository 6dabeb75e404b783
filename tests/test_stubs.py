"""The stubs that tools/stubs.py writes declare what stands in the house today."""

import pytest
import stubs

WANTED = stubs.generate()


@pytest.mark.parametrize("path", WANTED, ids=lambda path: path.relative_to(stubs.ROOM).as_posix())
def test_the_stub_is_up_to_date(path) -> None:
    assert path.read_text() == WANTED[path], "run `python tools/stubs.py`"
