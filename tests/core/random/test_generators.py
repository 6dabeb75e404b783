"""Random generators as objects: sequences of their own, and the one that functions draw from by default."""

import copy
import pickle

import torch

import msbridge as ms
from msbridge import mint


def test_a_generator_draws_a_sequence_of_its_own() -> None:
    generator = ms.Generator().manual_seed(5)
    first = mint.rand(3, generator=generator).tolist()
    mint.rand(3)
    second = mint.rand(3, generator=generator).tolist()
    generator.manual_seed(5)
    assert [mint.rand(3, generator=generator).tolist() for _ in range(2)] == [first, second]


def test_a_copy_goes_on_where_its_original_stands() -> None:
    generator = ms.Generator().manual_seed(5)
    mint.rand(3, generator=generator)
    copies = [copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))]
    drawn = [mint.rand(3, generator=one).tolist() for one in (generator, *copies)]
    assert drawn[0] == drawn[1] == drawn[2]


def test_a_state_restores_the_numbers_behind_it() -> None:
    generator, other = ms.Generator().manual_seed(5), ms.Generator()
    mint.rand(3, generator=generator)
    state = generator.get_state()
    assert state.shape == (16,)
    expected = [mint.randn(4, generator=generator).tolist() for _ in range(3)]
    other.set_state(ms.Tensor(state.asnumpy().copy()))
    assert other.initial_seed() == 5
    assert [mint.randn(4, generator=other).tolist() for _ in range(3)] == expected
    assert len({tuple(row) for row in expected}) == 3


def test_the_first_call_draws_what_torch_draws() -> None:
    mine = mint.rand(3, generator=ms.Generator().manual_seed(7)).tolist()
    assert mine == torch.rand(3, generator=torch.Generator().manual_seed(7)).tolist()


def test_the_default_generator_is_the_operators() -> None:
    ms.default_generator.manual_seed(7)
    first = mint.rand(3).tolist()
    assert ms.manual_seed(7) is ms.default_generator
    assert mint.rand(3).tolist() == first
    assert pickle.loads(pickle.dumps(ms.default_generator)) is ms.default_generator
