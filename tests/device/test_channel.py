"""The data channel. Judge: a plain loop over the source."""

import contextlib
import gc
import os
import signal
import threading
import traceback

import numpy as np
import pytest
import torch

from msbridge.device import channel as channel_file
from msbridge.device import ledger
from msbridge.device.channel import DataChannel, DirectChannel, open_channel

CPU = torch.device("cpu")


def batches(count: int):
    for number in range(count):
        yield [np.full((2,), number, np.float32)]


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "msbridge-channel"]


def test_batches_arrive_in_order():
    with DataChannel(batches(5), CPU, capacity=2) as channel:
        assert [batch[0].asnumpy()[0] for batch in channel] == [0, 1, 2, 3, 4]


def test_source_runs_ahead_no_further_than_capacity():
    made = []

    def source():
        for number in range(100):
            made.append(number)
            yield [np.zeros(1, np.float32)]

    with DataChannel(source(), CPU, capacity=3) as channel:
        channel.take()
        assert len(made) <= 3 + 2  # in the buffer, in the thread's hand, and the one taken


def test_large_batches_wait_in_pairs(monkeypatch):
    monkeypatch.setattr(channel_file, "_MAX_BYTES", 1000)
    made = []

    def source():
        for number in range(100):
            made.append(number)
            yield [np.zeros(200, np.float32)]

    with DataChannel(source(), CPU) as channel:
        channel.take()
        assert len(made) <= 2 + 2


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "f2", "f8", ">f4", "c8", "u2"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_what_is_borrowed_for_a_copy_is_what_is_copied(dtype, shape):
    array = np.arange(6).reshape(2, 3).astype(dtype).T.reshape(-1)[: int(np.prod(shape))].reshape(shape)
    borrowed, copied = channel_file._borrow(array), channel_file._host(array)
    assert borrowed.dtype is copied.dtype
    assert borrowed.tolist() == copied.tolist()


def test_error_of_source_reaches_consumer_with_its_traceback():
    def broken_reader():
        yield [np.zeros(1, np.float32)]
        raise KeyError("no such column")

    with DataChannel(broken_reader(), CPU) as channel:
        channel.take()
        with pytest.raises(KeyError, match="no such column") as caught:
            channel.take()
    assert "broken_reader" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]


def test_end_of_source_is_told_every_time():
    with DataChannel(batches(1), CPU) as channel:
        channel.take()
        for _ in range(2):
            with pytest.raises(StopIteration):
                channel.take()


def test_close_ends_the_thread_of_an_endless_source():
    def endless():
        while True:
            yield [np.zeros(1, np.float32)]

    channel = DataChannel(endless(), CPU)
    channel.take()
    channel.close()
    assert threads() == []
    assert channel.is_closed


def test_abandoned_channel_ends_its_thread():
    channel = DataChannel(batches(100), CPU)
    channel.take()
    del channel
    gc.collect()
    assert threads() == []


def test_closed_channel_refuses():
    channel = DataChannel(batches(3), CPU)
    channel.close()
    with pytest.raises(RuntimeError, match="closed"):
        channel.take()


def test_source_is_closed_in_the_thread_that_ran_it():
    closed_in = []

    def source():
        try:
            while True:
                yield [np.zeros(1, np.float32)]
        finally:
            closed_in.append(threading.current_thread().name)

    with DataChannel(source(), CPU) as channel:
        channel.take()
    assert closed_in == ["msbridge-channel"]


def test_batches_are_copied_in_a_stream_and_waited_for_in_the_consumer_s(devices, monkeypatch) -> None:
    """On a stand-in for an NPU's module; CUDA's is called alike."""
    npu = devices(npu=1).npu
    kind = type(npu)
    copying, current, ready = kind(), kind(), kind()
    npu.answers.update(Stream=copying, stream=contextlib.nullcontext(), Event=ready, current_stream=current)
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda data: data)
    monkeypatch.setattr(torch.Tensor, "record_stream", lambda data, stream: current.made.append(("holds", data)))
    monkeypatch.setattr(channel_file, "with_streams", lambda device: npu)
    with DataChannel(batches(1), CPU) as channel:
        (data,) = channel.take()
    assert ready.made == [("record", copying)]
    assert current.made == [("wait_event", ready), ("holds", data._data)]


@pytest.mark.needs(gpus=1)
def test_batches_arrive_on_cuda():
    with DataChannel(batches(5), torch.device("cuda", 0)) as channel:
        assert [batch[0].asnumpy()[0] for batch in channel] == [0, 1, 2, 3, 4]


def test_bytes_to_the_device_are_counted():
    ledger.reset()
    with DataChannel(batches(3), CPU) as channel:
        list(channel)
    assert ledger.bytes_to_device == 3 * 2 * 4


def test_on_the_cpu_no_thread_is_needed():
    channel = open_channel(batches(2), CPU)
    assert isinstance(channel, DirectChannel)
    assert [batch[0].asnumpy()[0] for batch in channel] == [0, 1]
    assert threads() == []


def test_direct_channel_closes_its_source():
    closed = []

    def source():
        try:
            while True:
                yield [np.zeros(1, np.float32)]
        finally:
            closed.append(True)

    with DirectChannel(source()) as channel:
        channel.take()
    assert closed == [True]


def test_a_source_that_would_end_the_consumer_fails_it():
    def source():
        yield [np.zeros(1, np.float32)]
        raise SystemExit(3)

    with DataChannel(source(), CPU) as channel:
        channel.take()
        with pytest.raises(RuntimeError, match="SystemExit"):
            channel.take()


@pytest.mark.process
def test_a_forked_process_is_refused():
    with DataChannel(batches(100), CPU) as channel:
        channel.take()
        child = os.fork()
        if not child:
            signal.alarm(120)
            try:
                channel.take()
            except RuntimeError as error:
                channel.close()
                os._exit(0 if "another in a forked one" in str(error) else 1)
            os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
