"""Random generators as objects: sequences of their own, and the one that functions draw from by default."""

import copy
import pickle

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


def test_the_default_generator_is_the_operators() -> None:
    ms.default_generator.manual_seed(7)
    first = mint.rand(3).tolist()
    assert ms.manual_seed(7) is ms.default_generator
    assert mint.rand(3).tolist() == first
    assert pickle.loads(pickle.dumps(ms.default_generator)) is ms.default_generator
