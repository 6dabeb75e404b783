"""Reports: which node everything waits for."""

import re

import pytest

from msbridge.dataset.engine.execution import pipeline_report
from msbridge.dataset.engine.execution.pipeline_report import Meter, NodeReport, PipelineReport
from tests.dataset.pipelines import counting


def node(name: str, workers: int, used: int, busy_s: float) -> NodeReport:
    return NodeReport(name, workers, used, "threads", 100, busy_s, None)


SOURCE, MAP = node("Source", 1, 1, 4.0), node("Map", 8, 8, 24.0)


@pytest.mark.parametrize(
    ("nodes", "waited_s", "slowest", "says"),
    [
        (
            (SOURCE, MAP),
            9.0,
            SOURCE,
            "90% of the time.*Source is the slowest: give it more than 1 num",
        ),
        ((node("Source", 1, 1, 2.0), MAP), 9.0, MAP, "give it more than 8"),
        ((node("Map", 8, 2, 19.0),), 9.0, node("Map", 8, 2, 19.0), "it may have 8 workers, and 2 keep up"),
        ((SOURCE, MAP), 0.5, None, "keeps up"),
        ((), 9.0, None, "keeps up"),
    ],
)
def test_the_slowest_node_is_named(
    nodes: tuple[NodeReport, ...], waited_s: float, slowest: NodeReport | None, says: str
) -> None:
    found = PipelineReport(nodes, 10.0, 100, waited_s, 0.5)
    assert found.slowest == slowest
    assert re.search(says, found.advice)


def test_a_table_has_a_line_for_each_node() -> None:
    text = str(PipelineReport((SOURCE, MAP), 10.0, 100, 9.0, 0.25))
    assert "100 rows in 10.00 s, 10 rows/s" in text
    lines = [line.replace("│", " ").split() for line in text.splitlines()]
    assert ["Source", "1", "of", "1", "threads", "100", "10", "40%"] in lines
    assert ["Map", "8", "of", "8", "threads", "100", "10", "30%"] in lines
    assert ["rows", "that", "wait", "25%"] in lines


def test_a_meter_counts() -> None:
    meter = Meter()
    meter.take(0.5, 1.0)
    meter.take(0.25, 0.0)
    found = meter.report(())
    assert (found.rows, found.waited_s, found.fill) == (2, 0.75, 0.5)


def test_an_iterator_tells_where_its_time_went() -> None:
    iterator = counting(20).map(lambda a: a, "a").batch(4).create_tuple_iterator(num_epochs=1)
    assert iterator.report() is None
    next(iterator)
    assert iterator.report().rows == 1
    list(iterator)
    found = pipeline_report.ENDED[-1]
    assert found.rows == 5
    assert [(part.name, part.rows) for part in found.nodes] == [
        ("MapDataset(<lambda>)", 20),
        ("BatchDataset", 5),
        ("rows", 5),
    ]
    assert "MapDataset(<lambda>)" in pipeline_report.summary()
