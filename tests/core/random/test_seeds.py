"""The states of generators: given, set, and set again in another process."""

import random

import numpy as np
import pytest
import torch

from msbridge import ops
from msbridge.core.random.generators import manual_seed
from msbridge.core.random.seeds import (
    SameDraws,
    generator_states,
    get_rng_state,
    sequence,
    set_generator_states,
    set_rng_state,
)
from msbridge.core.tensor.tensor import Tensor

CPU = torch.device("cpu")


def test_a_state_repeats_what_was_drawn() -> None:
    state = get_rng_state()
    first = ops.dropout(ops.ones((50,)), 0.5).asnumpy()
    set_rng_state(state)
    assert np.array_equal(ops.dropout(ops.ones((50,)), 0.5).asnumpy(), first)
    assert (str(state.dtype), state.ndim) == ("UInt8", 1)


def test_a_seed_gives_a_state() -> None:
    states = []
    for _ in range(2):
        manual_seed(3)
        states.append(get_rng_state().asnumpy())
    assert np.array_equal(*states)


@pytest.mark.parametrize(
    "state", [3, None, np.zeros(5056, np.uint8), Tensor(np.zeros(4, np.uint8)), Tensor(np.zeros(5056, np.float32))]
)
def test_a_wrong_state_raises(state: object) -> None:
    with pytest.raises(RuntimeError, match="For 'set_rng_state'"):
        set_rng_state(state)  # type: ignore[arg-type]


def drawn() -> list[float]:
    return [float(torch.rand(())), float(np.random.rand()), random.random(), np.random.randn(), random.gauss(0, 1)]


def test_states_of_all_generators() -> None:
    drawn()  # a Gaussian number waits in numpy's and Python's
    states = generator_states()
    first = drawn()
    drawn()
    set_generator_states(states)
    assert drawn() == first


def test_a_sequence_is_set_when_it_begins() -> None:
    """As in a process that is started again: the sequence is made after the states were set."""
    begun = sequence(11, CPU)
    torch.rand(3, generator=begun)
    states = generator_states()
    expected = torch.rand(3, generator=begun)
    del begun
    set_generator_states(states)
    assert torch.equal(torch.rand(3, generator=sequence(11, CPU)), expected)
    assert torch.equal(torch.rand(3, generator=sequence(11, CPU)), torch.rand(3, generator=sequence(11, CPU)))


def test_a_sequence_that_runs_is_set() -> None:
    begun, other = sequence(12, CPU), sequence(12, CPU)
    torch.rand(3, generator=other)
    states = generator_states()
    expected = torch.rand(3, generator=begun), torch.rand(3, generator=other)
    set_generator_states(states)
    assert torch.equal(torch.rand(3, generator=begun), expected[0])
    assert torch.equal(torch.rand(3, generator=other), expected[1])


def test_primitives_with_a_seed_have_sequences() -> None:
    noise = ops.StandardNormal(seed=13)
    noise((2,))
    states = generator_states()
    expected = noise((2,)).asnumpy()
    set_generator_states(states)
    assert np.array_equal(noise((2,)).asnumpy(), expected)


def test_another_generator_of_numpy_is_left_out() -> None:
    own = np.random.get_bit_generator()
    np.random.set_bit_generator(np.random.PCG64(3))
    try:
        assert "numpy" not in generator_states()
    finally:
        np.random.set_bit_generator(own)


def test_a_block_draws_what_was_next_and_those_after_it_go_on():
    torch.manual_seed(3)
    block = SameDraws()
    first, second = torch.rand(4), torch.rand(4)
    torch.manual_seed(3)
    torch.rand(4)
    with block:
        assert torch.equal(torch.rand(4), first)
    assert torch.equal(torch.rand(4), second)
