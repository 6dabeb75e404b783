import gc
import threading

import pytest

from msbridge.core.context import context
from msbridge.device import ledger
from msbridge.train.checkpoint.loading import load_checkpoint
from msbridge.train.checkpoint.saving import save_checkpoint
from tests.train.helpers_checkpoint import Net


@pytest.fixture(autouse=True)
def fresh_run():
    """Start with an empty ledger, on the CPU."""
    ledger.reset()
    context.set_context(device_target="CPU", mode=context.PYNATIVE_MODE)


@pytest.fixture
def ascend():
    context.set_context(device_target="Ascend", mode=context.GRAPH_MODE)


@pytest.fixture
def ascend_pynative():
    context.set_context(device_target="Ascend", mode=context.PYNATIVE_MODE)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def saved(here):
    save_checkpoint(Net(), "a.ckpt")
    return load_checkpoint("a.ckpt")


def no_threads():
    """Whether all threads of datasets and channels end; they were told to, and may need a moment."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("msbridge-")]
    for thread in threads:
        thread.join(timeout=120)
    return not any(thread.is_alive() for thread in threads)


@pytest.fixture
def all_threads_end():
    yield
    gc.collect()
    assert no_threads()
