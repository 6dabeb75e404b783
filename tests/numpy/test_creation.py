import numpy as np

import msbridge as ms
from msbridge import numpy as mnp


def test_arange_of_floats_is_counted_in_double_precision() -> None:
    assert (mnp.arange(0, 1, 0.1, dtype=ms.float64).asnumpy() == np.arange(0, 1, 0.1)).all()
