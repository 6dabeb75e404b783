from msbridge import Tensor, nn
from msbridge.core.runtime import profiler_ranges


def test_outside_a_record_a_cell_s_call_is_its_own() -> None:
    own = nn.Cell.__call__
    profiler_ranges.begin()
    profiler_ranges.begin()
    assert nn.Cell.__call__ is not own
    profiler_ranges.end()
    assert nn.Cell.__call__ is not own
    profiler_ranges.end()
    assert nn.Cell.__call__ is own


def test_a_call_that_fails_leaves_its_place() -> None:
    class Failing(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            raise ValueError("no")

    profiler_ranges.begin()
    try:
        Failing()(Tensor([1.0]))
    except ValueError:
        assert profiler_ranges._place.calls == []
    finally:
        profiler_ranges.end()
