import pytest

from msbridge.core.context import context
from msbridge.device import ledger, limit_memory


@pytest.fixture(autouse=True)
def fresh_device():
    """Start with an empty ledger, and leave limits as they were."""
    ledger.reset()
    yield
    limit_memory(None)


@pytest.fixture
def ascend():
    context.set_context(device_target="Ascend", mode=context.GRAPH_MODE)
