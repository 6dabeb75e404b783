"""Plans of calls. Judge: how MindSpore 2.10 counts the calls and steps of a sink, and arithmetic."""

import pytest

from msbridge.core.context import context
from msbridge.train.data_sink.plan import SinkPlan, check_sink_size, plan_evaluation, plan_function, plan_sinks


class Sized:
    """A dataset that has nothing but a size."""

    def __init__(self, size, loop_size=None):
        self.size = size
        if loop_size is not None:
            self.__loop_size__ = loop_size

    def get_dataset_size(self):
        return self.size


@pytest.fixture
def graph():
    context.set_context(mode=context.GRAPH_MODE)


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(
    ("size", "sink_size", "call_steps", "calls", "epoch_steps"),
    [
        (8, -1, 8, 1, 8),
        (8, 4, 4, 1, 4),
        (8, 20, 20, 1, 20),
        (8, 3, 3, 1, 3),
        (8, "auto", 8, 1, 8),
        (100, "auto", 100, 1, 100),
        (101, "auto", 51, 2, 101),
        (250, "auto", 84, 3, 250),
        (1009, "auto", 92, 11, 1009),
    ],
)
def test_plan_of_graph_mode(size, sink_size, call_steps, calls, epoch_steps):
    plan = plan_sinks(Sized(size), sink_size)
    assert (plan.call_steps, plan.calls, plan.epoch_steps, plan.waits) == (call_steps, calls, epoch_steps, True)
    assert plan.sink_size == call_steps


@pytest.mark.parametrize(("sink_size", "epoch_steps"), [(-1, 8), (4, 4), (20, 20), ("auto", 8)])
def test_plan_of_pynative_mode_has_a_call_for_each_step(sink_size, epoch_steps):
    plan = plan_sinks(Sized(8), sink_size)
    assert plan == SinkPlan(8, epoch_steps, 1, epoch_steps, waits=False)
    assert plan.calls == epoch_steps


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(("loop_size", "calls", "epoch_steps"), [(2, 4, 8), (8, 1, 8), (12, 1, 12)])
def test_loop_size_divides_a_traversal(loop_size, calls, epoch_steps):
    plan = plan_sinks(Sized(8, loop_size), -1)
    assert (plan.call_steps, plan.calls, plan.epoch_steps) == (loop_size, calls, epoch_steps)


def test_loop_size_of_pynative_mode_is_told_and_no_more():
    assert plan_sinks(Sized(8, 2), -1) == SinkPlan(8, 2, 1, 8, waits=False)


@pytest.mark.usefixtures("graph")
def test_steps_of_calls_add_up_to_epochs():
    plan, position, steps = plan_sinks(Sized(250), "auto"), 0, []
    while position < 500:
        assert plan.call_at(position) == len(steps) % 3
        steps.append(plan.steps_from(position))
        position += steps[-1]
    assert steps == [84, 84, 82] * 2


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(
    ("sink_size", "position", "begin"), [(4, 0, 0), (4, 7, 4), (4, 8, 8), ("auto", 250, 250), ("auto", 400, 334)]
)
def test_calls_begin_where_the_last_one_ended(sink_size, position, begin):
    assert plan_sinks(Sized(250), sink_size).begin_of_call(position) == begin


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(
    ("size", "sink_size", "epochs", "traversals"), [(8, -1, 3, 3), (8, 4, 3, 2), (5, 3, 3, 2), (2, 3, 3, 5)]
)
def test_traversals_that_epochs_need(size, sink_size, epochs, traversals):
    assert plan_sinks(Sized(size), sink_size).traversals(epochs) == traversals


@pytest.mark.usefixtures("graph")
def test_evaluation_has_a_call_for_each_batch():
    assert plan_evaluation(Sized(8)) == SinkPlan(8, 1, 1, 8, waits=False)


def test_functions_have_the_same_plan_in_both_modes():
    assert plan_function(Sized(8), 3) == SinkPlan(8, 3, 3, 3, waits=True)
    assert plan_function(Sized(250), "auto") == SinkPlan(250, 84, 84, 250, waits=True)


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (lambda: plan_sinks(Sized(5, 2), -1), ValueError, "divisible"),
        (lambda: plan_sinks(Sized(0), -1), ValueError, "no valid data"),
        (lambda: check_sink_size(0, "not {}"), ValueError, "not 0"),
        (lambda: check_sink_size(-2, "not {}"), ValueError, "not -2"),
        (lambda: check_sink_size(True, ""), TypeError, "int"),
        (lambda: check_sink_size(1.0, ""), TypeError, "int"),
        (lambda: check_sink_size("all", ""), TypeError, "int"),
    ],
)
def test_bad_argument(action, error, words):
    with pytest.raises(error, match=words):
        action()
