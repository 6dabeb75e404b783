"""Steps of MindSpore's compiler that have no kernel there: environments of gradients; branches on functions."""

import pytest

from msbridge import Parameter, Tensor, ops
from msbridge.contrib.ops.internal import compiling
from msbridge.contrib.ops.internal.graph_steps import RefToEmbed
from msbridge.core.jit import mutable

ONE, TWO = (Parameter(Tensor([1.0, 2.0]), name=name) for name in "ab")


def test_an_environment_keeps_values_by_parameter() -> None:
    empty, key = ops.environ_create(), ops.ref_to_embed(ONE)
    filled = ops.environ_set(empty, key, Tensor([5.0]))
    assert ops.environ_get(empty, key, None) is None
    assert ops.environ_get(filled, RefToEmbed()(ONE), None).asnumpy().tolist() == [5.0]
    assert ops.environ_get(filled, ops.embed(TWO), 3) == 3
    assert ops.env_get(filled, TWO).asnumpy().tolist() == [0.0, 0.0]


def test_environments_are_added() -> None:
    one = ops.environ_set(ops.environ_create(), ops.embed(ONE), Tensor([1.0]))
    two = ops.environ_set(ops.environ_set(one, ops.embed(ONE), Tensor([2.0])), ops.embed(TWO), Tensor([7.0]))
    both = ops.environ_add(one, two)
    assert ops.env_get(both, ONE).asnumpy().tolist() == [3.0]
    assert ops.env_get(both, TWO).asnumpy().tolist() == [7.0]
    with pytest.raises(TypeError, match="parameter"):
        ops.ref_to_embed(3)


def test_functions_are_chosen_by_a_condition() -> None:
    assert ops.switch(Tensor(True), max, min)(3, 4) == 4
    assert ops.switch(False, max, min)(3, 4) == 3
    with pytest.raises(TypeError, match="condition"):
        ops.switch("a", 1, 2)


def test_a_number_is_taken_out_of_a_tensor() -> None:
    assert ops.array_to_scalar(Tensor(2.5)) == 2.5


def test_elements_of_lengths_that_change_are_known() -> None:
    assert not ops.is_dynamic_sequence_element_unknown(mutable((1, 2), True))


def test_what_cannot_be_gone_through_is_refused() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        compiling.iter_converter(3)
