"""The ring of losses. Judge: the last losses, in order."""

import numpy as np

from msbridge.core.tensor.tensor import Tensor
from msbridge.device.capture import LossRing


def test_ring_keeps_the_newest_losses():
    ring = LossRing(3)
    for value in range(5):
        ring.record(Tensor(np.float32(value)))
        ring.advance()
    assert ring.values().tolist() == [2, 3, 4]


def test_ring_takes_the_first_of_a_tuple_and_passes_over_vectors():
    ring = LossRing(3)
    for result in ((Tensor(np.float32(1)), Tensor(np.float32(9))), Tensor(np.ones(4, np.float32)), None):
        ring.record(result)
        ring.advance()
    assert ring.values().tolist() == [1]


def test_a_sink_shorter_than_the_ring_begins_at_its_first_place():
    ring = LossRing(3)
    for value in (1, 2):
        ring.record(Tensor(np.float32(value)))
        ring.advance()
    ring.clear()
    ring.record(Tensor(np.float32(7)))
    ring.advance()
    assert ring.values().tolist() == [7]
