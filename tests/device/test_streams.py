"""Streams and events on a stand-in for torch.cuda; what the CPU does is recorded (tests/oracle/cases/devices.py)."""

from typing import Any

import pytest

from msbridge.core.context import context
from msbridge.device import streams
from msbridge.device.streams import Event, Stream, StreamCtx


@pytest.fixture
def cuda(devices: Any) -> Any:
    module = devices(cuda=2).cuda
    module.answers.update(current_stream="current", default_stream="default")
    context.set_device("GPU", 1)
    context.torch_device()
    module.made.clear()
    return module


def test_a_stream_is_made_on_the_chosen_device(cuda: Any) -> None:
    stream = Stream(priority=-1)
    assert cuda.made == [("Stream", ("device", context.torch_device()), ("priority", -1))]
    assert (stream.device_name, stream.device_id) == ("GPU", 1)


def test_the_current_and_the_default_stream_are_torch_s(cuda: Any) -> None:
    device = context.torch_device()
    assert streams.current_stream() == Stream(stream="current")
    assert streams.default_stream() != streams.current_stream()
    assert cuda.made[0] == ("current_stream", device)


def test_a_block_goes_to_its_stream_and_back(cuda: Any) -> None:
    with StreamCtx(Stream(stream="own")):
        pass
    assert [call for call in cuda.made if call[0] == "set_stream"] == [("set_stream", "own"), ("set_stream", "current")]


def test_an_event_is_made_when_it_is_recorded(cuda: Any) -> None:
    event = Event(enable_timing=True)
    assert cuda.made == []
    cuda.answers["Event"] = mark = type(cuda)()
    event.record(Stream(stream="own"))
    assert cuda.made == [("Event", ("enable_timing", True), ("blocking", False))]
    event.wait()
    assert mark.made == [("record", "own"), ("wait",)]


def test_events_on_mps_have_no_blocking(devices: Any) -> None:
    module = devices(mps=1).mps
    context.set_device("GPU")
    module.answers["Event"] = type(module)()
    Event().record()
    assert module.made == [("Event", ("enable_timing", False))]
