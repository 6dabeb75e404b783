"""Writes in a thread: one at a time, whoever asks for them; none is lost, and no failure."""

import os
import signal
import threading

import pytest

from msbridge.train.checkpoint import background_saving


def failing():
    raise ValueError("no")


def test_writes_of_several_threads_come_one_after_the_other():
    active, most, written, pause = [], [], [], threading.Event()

    def save(name):
        def write():
            active.append(name)
            most.append(len(active))
            pause.wait(0.001)
            active.remove(name)

        background_saving.perform(name, write, in_thread=True, then=lambda: written.append(name))

    callers = [
        threading.Thread(target=lambda caller=caller: [save(f"{caller}-{i}") for i in range(5)]) for caller in range(4)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    background_saving.wait()
    assert max(most) == 1
    assert len(written) == 20


def test_failures_are_raised_once_each():
    for name in ("a", "b"):
        background_saving.perform(name, failing, in_thread=True)
    background_saving.wait()
    for name in ("a", "b"):
        with pytest.raises(ValueError, match="no") as caught:
            background_saving.raise_failure()
        assert f"/{name} from being written" in caught.value.__notes__[0]
    background_saving.raise_failure()


def test_nothing_comes_after_a_failure():
    background_saving.perform("a", failing, in_thread=True, then=lambda: pytest.fail("it was not written"))
    background_saving.wait()
    with pytest.raises(ValueError, match="no"):
        background_saving.raise_failure()


def test_links_to_the_file_count_as_the_file(tmp_path):
    gate, order = threading.Event(), []
    (tmp_path / "link").symlink_to("x")

    def slow():
        assert gate.wait(120)
        order.append("thread")

    background_saving.perform(str(tmp_path / "x"), slow, in_thread=True)
    threading.Timer(0.01, gate.set).start()
    background_saving.perform(str(tmp_path / "link"), lambda: order.append("now"), in_thread=False)
    assert order == ["thread", "now"]


@pytest.mark.process
def test_a_fork_writes_whatever_its_parent_was_doing(tmp_path):
    background_saving._failures.append(("a", ValueError("the parent's")))
    with background_saving._turn:
        child = os.fork()
        if not child:
            signal.alarm(120)  # instead of a wait without end
            try:
                background_saving.perform("x", (tmp_path / "x").touch, in_thread=True)
                background_saving.wait()
                background_saving.raise_failure()
                os._exit(0)
            finally:
                os._exit(1)
    background_saving._failures.clear()
    assert os.waitpid(child, 0)[1] == 0
    assert (tmp_path / "x").exists()
