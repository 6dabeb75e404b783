"""Settings of servers that are not here. The judge of classes and defaults is MindSpore 2.0 and 2.10."""

import warnings

import pytest

from msbridge.core.checks.no_effect_warnings import WithoutEffectWarning
from msbridge.core.context import context, server_settings


@pytest.fixture(autouse=True)
def forgotten():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WithoutEffectWarning)
        yield
    server_settings._ps.clear()
    server_settings._fl.clear()
    server_settings._offload.clear()


def test_settings_of_a_parameter_server_are_kept_and_reset() -> None:
    assert context.get_ps_context("server_mode") == "PARAMETER_SERVER"
    context.set_ps_context(worker_num=3, enable_ps=False)
    assert (context.get_ps_context("worker_num"), context.get_ps_context("enable_ps")) == (3, False)
    context.reset_ps_context()
    assert context.get_ps_context("worker_num") == 0


def test_an_unknown_setting_of_a_server_is_refused() -> None:
    with pytest.raises(ValueError, match="enable_fl is not recognized"):
        context.set_ps_context(enable_fl=True)
    with pytest.raises(ValueError, match="enable_fl is not recognized"):
        context.get_ps_context("enable_fl")


def test_servers_cannot_be_switched_on() -> None:
    with pytest.raises(RuntimeError, match="no parameter server"):
        context.set_ps_context(enable_ps=True)
    with pytest.raises(RuntimeError, match="federated learning"):
        context.set_fl_context(enable_fl=True, worker_num=1)


def test_settings_of_federated_learning_are_kept_while_it_is_off() -> None:
    context.set_fl_context(enable_fl=False, client_epoch_num=2)
    assert (context.get_fl_context("client_epoch_num"), context.get_fl_context("enable_fl")) == (2, False)
    context.reset_fl_context()
    assert context.get_fl_context("client_epoch_num") == 25
    with pytest.raises(ValueError, match="epochs is not recognized"):
        context.get_fl_context("epochs")


def test_settings_of_offloading_are_kept() -> None:
    assert context.get_offload_context()["offload_path"] == "./offload"
    context.set_offload_context({"offload_param": "CPU", "enable_offload": True})
    found = context.get_offload_context()
    assert (found["offload_param"], found["enable_offload"], found["aio_queue_depth"]) == ("cpu", True, 0)


@pytest.mark.parametrize(
    ("config", "error"),
    [
        (3, TypeError),
        ({"offload_params": "cpu"}, ValueError),
        ({"offload_param": "gpu"}, ValueError),
        ({"offload_param": 3}, AttributeError),
        ({"offload_path": 1}, TypeError),
        ({"offload_ddr_size": "1"}, TypeError),
        ({"offload_ddr_size": 0}, ValueError),
        ({"enable_offload": 1}, TypeError),
    ],
)
def test_settings_of_offloading_are_checked(config: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        context.set_offload_context(config)
