"""What is known about the rows of a node."""

import numpy as np
from pipelines import generated


def test_output_shapes_may_look_at_all_rows() -> None:
    data = generated([(np.zeros((2, size)),) for size in (3, 4)])
    assert (data.output_shapes(), data.output_shapes(estimate=True)) == ([[2, 3]], [[2, None]])
