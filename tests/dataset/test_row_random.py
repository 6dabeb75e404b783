"""Random numbers of rows and of blocks of rows."""

import numpy as np

from msbridge.dataset.row_random import BlockRandom, RowRandom


def test_rows_draw_what_blocks_draw() -> None:
    keys = np.arange(5, dtype=np.uint64)
    block = BlockRandom(keys)
    one = [RowRandom(int(key)) for key in keys]
    np.testing.assert_array_equal(block.uniform(2, 5), [draw.uniform(2, 5) for draw in one])
    np.testing.assert_array_equal(block.integer(3, 9), [draw.integer(3, 9) for draw in one])
    assert [draw.uniform() for draw in BlockRandom(keys)] == [RowRandom(int(key)).uniform() for key in keys]


def test_draws_are_evenly_distributed() -> None:
    values = BlockRandom(np.arange(100000, dtype=np.uint64)).uniform()
    assert 0 <= values.min() < values.max() < 1
    assert abs(np.histogram(values, 10, (0, 1))[0] - 10000).max() < 500  # five standard deviations
    assert sorted(RowRandom(1).order(9)) == list(range(9))
