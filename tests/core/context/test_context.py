import pytest
import torch

from msbridge.core.context import context


@pytest.mark.parametrize(("variable", "expected"), [("3", 3), ("", 0), ("abc", 0), ("-1", 0)])
def test_device_id_is_the_variable_s_until_a_script_sets_it(monkeypatch, variable: str, expected: int) -> None:
    """The oracle takes DEVICE_ID, and 0 where it is not a number."""
    monkeypatch.setenv("DEVICE_ID", variable)
    assert context.get_context("device_id") == expected
    context.set_device("CPU")
    assert context.get_current_device() == ("CPU", expected)
    context.set_device("CPU", 1)
    assert context.get_context("device_id") == 1


def test_the_current_device_has_names() -> None:
    context.set_device("Ascend", 2)
    found = context.get_current_device()
    assert (found.device_target, found.device_id, repr(found)) == ("Ascend", 2, "('Ascend', 2)")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("TPU",), ValueError),
        (("Davinci",), ValueError),
        ((3,), TypeError),
        (("CPU", "1"), TypeError),
        (("CPU", -1), ValueError),
    ],
)
def test_set_device_refuses(arguments: tuple[object, ...], error: type[Exception]) -> None:
    """Classes are the oracle's."""
    with pytest.raises(error, match="device_"):
        context.set_device(*arguments)


@pytest.mark.skipif(torch.cuda.is_available() or torch.backends.mps.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_the_cpu_and_said_so() -> None:
    context.set_device("GPU")
    with pytest.warns(UserWarning, match="torch finds no GPU: running on the CPU"):
        assert context.torch_device() == torch.device("cpu")
