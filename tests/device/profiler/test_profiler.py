import json

import numpy as np
import pytest

import msbridge as ms
import msbridge.dataset as ds
from msbridge import Tensor, nn, ops
from msbridge.device.profiler import Profiler, mstx, profile, schedule, tensorboard_trace_handler
from tests.processes import python

ONES = Tensor(np.ones((2, 2), np.float32))


def test_a_record_names_the_operators_that_ran(tmp_path) -> None:
    profiler = Profiler(output_path=tmp_path)
    ops.relu(ONES)
    profiler.analyse()
    events = json.loads((tmp_path / "profiler" / "trace.json").read_text())["traceEvents"]
    assert "aten::relu" in {event.get("name") for event in events}
    assert "aten::relu" in (tmp_path / "profiler" / "operators.txt").read_text()


def test_it_records_from_start_to_stop(tmp_path) -> None:
    profiler = Profiler(output_path=tmp_path, start_profile=False)
    ops.relu(ONES)
    profiler.start()
    ops.tanh(ONES)
    profiler.stop()
    profiler.analyse()
    table = (tmp_path / "profiler" / "operators.txt").read_text()
    assert "aten::tanh" in table
    assert "aten::relu" not in table


def test_what_is_about_ascend_is_said_to_have_no_effect(tmp_path) -> None:
    with pytest.warns(UserWarning, match="Profiler: is_detail=True has no effect in msbridge"):
        Profiler(output_path=tmp_path, start_profile=False, is_detail=True)


def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="'outputs' is not an argument"):
        Profiler(outputs="here")


@pytest.mark.parametrize("method", ["analyse", "stop", "step"])
def test_what_was_not_started_is_warned_of(tmp_path, method: str) -> None:
    """The oracle logs it, and the training continues."""
    profiler = Profiler(output_path=tmp_path, start_profile=False)
    with pytest.warns(UserWarning, match="before start|without a schedule"):
        getattr(profiler, method)()
    assert not list(tmp_path.iterdir())


def test_a_second_start_is_warned_of_and_changes_nothing(tmp_path) -> None:
    profiler = Profiler(output_path=tmp_path)
    with pytest.warns(UserWarning, match="start was called while it records already"):
        profiler.start()
    profiler.stop()


def test_one_profiler_records_several_times(tmp_path) -> None:
    """As callbacks do that record some steps of each epoch."""
    profiler = Profiler(output_path=tmp_path, start_profile=False)
    for operator in (ops.relu, ops.tanh):
        profiler.start()
        operator(ONES)
        profiler.stop()
        profiler.analyse()
    table = (tmp_path / "profiler" / "operators.txt").read_text()
    assert "aten::tanh" in table
    assert "aten::relu" not in table


def test_operators_are_asked_for_by_mindspore_s_names(tmp_path) -> None:
    with Profiler(output_path=tmp_path) as profiler:
        ops.relu(ONES)
        ops.relu(ONES)
    found = json.loads(profiler.op_analyse(["ReLU", "Conv2D"]))
    assert [(row["name"], row["calls"]) for row in found["ReLU"]] == [("aten::relu", 2)]
    assert found["Conv2D"] == []
    with pytest.raises(TypeError, match="op_name"):
        profiler.op_analyse(3)


def traces(folder) -> list[dict]:
    """The traces in a folder, oldest first, as TensorBoard's plugin finds them."""
    files = sorted(folder.glob("*.pt.trace.json"), key=lambda file: int(file.name.split(".")[-4]))
    return [json.loads(file.read_text()) for file in files]


def names(trace: dict) -> set[str]:
    return {event.get("name") for event in trace["traceEvents"]}


def test_each_cycle_of_a_schedule_has_a_trace_of_its_steps(tmp_path) -> None:
    steps = schedule(wait=1, warmup=1, active=2, repeat=2)
    handler = tensorboard_trace_handler(tmp_path, worker_name="here")
    with profile(schedule=steps, on_trace_ready=handler) as prof:
        for _ in range(10):
            ops.relu(ONES)
            prof.step()
    first, second = traces(tmp_path)
    assert {"ProfilerStep#2", "ProfilerStep#3", "aten::relu"} <= names(first)
    assert not {"ProfilerStep#1", "ProfilerStep#6"} & names(first)
    assert {"ProfilerStep#6", "ProfilerStep#7"} <= names(second)
    assert all(file.name.startswith("here.") for file in tmp_path.iterdir())


def test_without_a_schedule_there_is_one_trace_when_it_stops(tmp_path) -> None:
    prof = profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)))
    ops.relu(ONES)
    prof.stop()
    assert len(traces(tmp_path)) == 1


def test_a_function_of_one_s_own_gets_the_profiler() -> None:
    seen = []
    with profile(on_trace_ready=seen.append) as prof:
        pass
    assert seen == [prof]


def test_traces_go_to_data_when_nothing_is_said(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with profile():
        ops.relu(ONES)
    assert len(traces(tmp_path / "data")) == 1


def test_traces_show_layers_shapes_memory_and_ranges(tmp_path) -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())
    with profile(record_shapes=True, profile_memory=True, on_trace_ready=tensorboard_trace_handler(tmp_path)):
        number = mstx.range_start("forward", domain="mine")
        net(ONES)
        mstx.range_end(number, "mine")
        mstx.mark("done")
    (trace,) = traces(tmp_path)
    place = "Default/network-SequentialCell"
    assert {place, f"{place}/0-Dense", f"{place}/1-ReLU", "mine: forward", "done", "[memory]"} <= names(trace)
    shapes = [event["args"].get("Input Dims") for event in trace["traceEvents"] if event.get("name") == "aten::relu"]
    assert shapes == [[[2, 3]]]


def test_metadata_are_in_the_trace(tmp_path) -> None:
    with profile(on_trace_ready=tensorboard_trace_handler(tmp_path)) as prof:
        prof.add_metadata("model", 'Le"Net')
        prof.add_metadata_json("sizes", "[1, 2]")
        with pytest.warns(UserWarning, match="left out"):
            prof.add_metadata("batch", 3)
        with pytest.warns(UserWarning, match="are not JSON"):
            prof.add_metadata_json("batch", "{")
    (trace,) = traces(tmp_path)
    assert (trace["model"], trace["sizes"]) == ('Le"Net', [1, 2])
    assert "batch" not in trace


@pytest.mark.parametrize(
    "wrong",
    [
        {"with_stack": 3},
        {"record_shapes": 1},
        {"schedule": 3},
        {"on_trace_ready": 3},
        {"activities": 3},
        {"activities": ["CPU"]},
        {"experimental_config": 3},
    ],
)
def test_arguments_of_another_type_are_refused(wrong: dict) -> None:
    with pytest.raises(TypeError, match=f"{next(iter(wrong))}"):
        profile(**wrong)


def test_a_callback_that_records_some_steps(tmp_path) -> None:
    """The habit of public scripts: start and stop in the callback's steps, analyse at the end."""

    class StopAtStep(ms.Callback):
        def __init__(self, start_step: int, stop_step: int) -> None:
            self.start_step, self.stop_step = start_step, stop_step
            self.profiler = ms.Profiler(start_profile=False, output_path=str(tmp_path))

        def on_train_step_begin(self, run_context: ms.RunContext) -> None:
            if run_context.original_args().cur_step_num == self.start_step:
                self.profiler.start()

        def on_train_step_end(self, run_context: ms.RunContext) -> None:
            if run_context.original_args().cur_step_num == self.stop_step:
                self.profiler.stop()

        def on_train_end(self, run_context: ms.RunContext) -> None:
            self.profiler.analyse()

    net = nn.Dense(2, 1)
    model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    rows = [(np.ones(2, np.float32), np.ones(1, np.float32))] * 4
    data = ds.GeneratorDataset(rows, ["data", "label"]).batch(1)
    model.train(1, data, callbacks=[StopAtStep(2, 3)], dataset_sink_mode=False)
    events = json.loads((tmp_path / "profiler" / "trace.json").read_text())["traceEvents"]
    assert sum(event.get("name", "").endswith("_backbone-Dense") for event in events) == 2


@pytest.mark.process
def test_a_program_that_ends_meanwhile_leaves_its_trace(tmp_path) -> None:
    program = (
        "import msbridge; msbridge.install()\n"
        "import mindspore as ms\n"
        "prof = ms.profiler.profile(on_trace_ready=ms.profiler.tensorboard_trace_handler('.'))\n"
        "ms.ops.relu(ms.Tensor([1.0]))\n"
    )
    python("-c", program, cwd=tmp_path)
    assert "aten::relu" in names(traces(tmp_path)[0])
