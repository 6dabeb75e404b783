"""What the stand-in takes from its environment; what it shares with a card is in tests/on_device/test_device.py."""

import pytest

from tests.standin.processes import run

COUNT = "import torch; print(torch.cuda.is_available(), torch.cuda.device_count())"


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize(("devices", "printed"), [("0,1", "True 2"), ("1", "True 1"), ("", "False 0")])
def test_environment_hides_devices(devices: str, printed: str) -> None:
    assert run("-c", COUNT, CUDA_VISIBLE_DEVICES=devices).strip() == printed
