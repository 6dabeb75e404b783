"""Settings of the strategy search. Judge: MindSpore 2.10."""

import pytest

from msbridge import distributed


def test_settings_of_the_strategy_search_are_kept():
    """Judge: MindSpore 2.10."""
    assert distributed.get_algo_parameters("tensor_slice_align_size") == 16
    distributed.set_algo_parameters(elementwise_op_strategy_follow=True)
    assert distributed.get_algo_parameters("elementwise_op_strategy_follow") is True
    distributed.reset_algo_parameters()
    assert distributed.get_algo_parameters("elementwise_op_strategy_follow") is False


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"foo": 1}, ValueError),
        ({"fully_use_devices": 1}, TypeError),
        ({"algo_approxi_epsilon": 2.0}, RuntimeError),
        ({"tensor_slice_align_size": 0}, ValueError),
    ],
)
def test_wrong_settings_of_the_strategy_search(given, error):
    """Judge: MindSpore 2.10."""
    with pytest.raises(error, match=next(iter(given))):
        distributed.set_algo_parameters(**given)


def test_an_unknown_setting_of_the_strategy_search():
    with pytest.raises(ValueError, match="'x'"):
        distributed.get_algo_parameters("x")
