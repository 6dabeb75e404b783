import json

import pytest

from msbridge.core.runtime.callback import RunContext
from msbridge.device.profiler import DynamicProfilerMonitor

RUN = RunContext({})


def train(monitor: DynamicProfilerMonitor, steps: int) -> None:
    for _ in range(steps):
        monitor.on_train_step_begin(RUN)
        monitor.on_train_step_end(RUN)
    monitor.on_train_end(RUN)


def test_a_file_that_is_not_there_is_written_and_records_nothing(tmp_path) -> None:
    train(DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "out")), 3)
    assert json.loads((tmp_path / "profiler_config.json").read_text()) == {"start_step": -1, "stop_step": -1}
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("start", "stop", "count"), [(2, 3, 1), (1, 9, 1), (5, 6, 0)])
def test_the_steps_that_the_file_names_are_recorded(tmp_path, start: int, stop: int, count: int) -> None:
    (tmp_path / "profiler_config.json").write_text(
        json.dumps({"start_step": start, "stop_step": stop, "rank_list": []})
    )
    train(DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "out")), 4)
    assert len(list((tmp_path / "out").glob("*.pt.trace.json"))) == count


def test_the_file_may_be_changed_meanwhile(tmp_path) -> None:
    monitor = DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "out"), poll_interval=0)
    train(monitor, 2)
    (tmp_path / "profiler_config.json").write_text(json.dumps({"start_step": 3, "stop_step": 3}))
    train(monitor, 2)
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_a_file_that_is_none_is_said_once_for_each_look(tmp_path) -> None:
    (tmp_path / "profiler_config.json").write_text("{")
    with pytest.warns(UserWarning, match="start_step and stop_step cannot be read"):
        train(DynamicProfilerMonitor(str(tmp_path)), 2)
