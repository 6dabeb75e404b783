import json

import numpy as np
import pytest

from msbridge import Tensor, ops
from msbridge.device.profiler import Profiler


def test_a_record_names_the_operators_that_ran(tmp_path) -> None:
    profiler = Profiler(output_path=tmp_path)
    ops.relu(Tensor(np.ones((2, 2), np.float32)))
    profiler.analyse()
    events = json.loads((tmp_path / "profiler" / "trace.json").read_text())["traceEvents"]
    assert "aten::relu" in {event.get("name") for event in events}
    assert "aten::relu" in (tmp_path / "profiler" / "operators.txt").read_text()


def test_it_records_from_start_to_stop(tmp_path) -> None:
    profiler = Profiler(output_path=tmp_path, start_profile=False)
    ops.relu(Tensor(np.ones((2, 2), np.float32)))
    profiler.start()
    ops.tanh(Tensor(np.ones((2, 2), np.float32)))
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


def test_nothing_to_analyse_is_an_error(tmp_path) -> None:
    with pytest.raises(RuntimeError, match="before start"):
        Profiler(output_path=tmp_path, start_profile=False).analyse()
