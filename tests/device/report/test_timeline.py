"""The timeline keeps sums when it puts spans together."""

from itertools import pairwise

from msbridge.device.report.timeline import Timeline, merge_spans


def test_a_long_run_keeps_its_sums_in_few_spans() -> None:
    timeline = Timeline(capacity=16)
    for number in range(1000):
        timeline.open(float(number))
        timeline.add("steps", 2)
        timeline.add("data_s", 0.25)
        timeline.close(number + 0.5)
        timeline.add("unplanned", 1)  # a read behind the step belongs to it
    spans = timeline.spans(1000.0)
    assert len(spans) <= 17
    assert sum(span.steps for span in spans) == 2000
    assert sum(span.data_s for span in spans) == 250
    assert sum(span.unplanned for span in spans) == 1000
    assert (spans[0].begin_s, spans[-1].end_s) == (0.0, 999.5)
    assert all(left.end_s <= right.begin_s for left, right in pairwise(spans))


def test_a_span_that_is_open_ends_now() -> None:
    timeline = Timeline()
    timeline.add("steps", 1)  # before the first span
    timeline.open(1.0)
    timeline.open(2.0)  # it is open
    assert [(span.begin_s, span.end_s, span.steps) for span in timeline.spans(3.0)] == [(1.0, 3.0, 0)]


def test_neighbours_are_joined() -> None:
    timeline = Timeline()
    for begin in (0.0, 2.0, 4.0):
        timeline.open(begin)
        timeline.close(begin + 1)
    assert [(span.begin_s, span.end_s) for span in merge_spans(timeline.spans(9.0), 2)] == [(0.0, 3.0), (4.0, 5.0)]
