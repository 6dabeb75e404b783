"""Parallel settings. Judge: MindSpore 2.10."""

import pytest

from msbridge import distributed
from msbridge.core.context import context


def test_parallel_setting_by_default():
    assert distributed._get_parallel_mode() == "stand_alone"
    assert distributed._get_device_num() == 1
    assert distributed._get_global_rank() == 0
    assert distributed._get_stage_device_num() == 1
    assert distributed._get_gradients_mean() is False
    assert distributed._is_pynative_parallel() is False


def test_parallel_setting_as_set():
    context.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=8, global_rank=2)
    assert distributed._get_device_num() == 8
    assert distributed._get_global_rank() == 2
    assert distributed._get_gradients_mean() is True
    assert distributed._is_in_data_parallel_mode()


@pytest.mark.filterwarnings("ignore:set_auto_parallel_context")
def test_pynative_parallel():
    context.set_context(mode=context.PYNATIVE_MODE)
    context.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    assert distributed._is_pynative_parallel()
    context.set_context(mode=context.GRAPH_MODE)
    assert not distributed._is_pynative_parallel()
