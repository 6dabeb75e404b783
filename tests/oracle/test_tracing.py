"""Every recorded operator is one graph for torch's compiler, or the place where its graph ends is named."""

import pytest

from tests.oracle.tracing import trace_family


@pytest.mark.compiles
@pytest.mark.long
@pytest.mark.parametrize("family", ["activation", "elementwise", "gathering", "linalg", "functional"])
def test_operators_trace_or_break_the_graph_in_a_named_place(family: str) -> None:
    found = list(trace_family(family))
    assert sum(not one.breaks for one in found) > len(found) // 2
    assert [one for one in found if not one.is_explained] == []
