import numpy as np
import pytest

from msbridge.dataset import vision


@pytest.mark.parametrize("turn", [0.2, -0.45])
def test_the_hue_of_floats_is_refused(turn: float) -> None:
    """MindSpore turns it into numbers of 1e30."""
    with pytest.raises(RuntimeError, match="must be of uint8"):
        vision.AdjustHue(turn)(np.full((8, 10, 3), 200.5, np.float32))
