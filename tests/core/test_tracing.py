from msbridge import Tensor, nn
from msbridge.core import tracing


def test_outside_a_record_a_cell_s_call_is_its_own() -> None:
    own = nn.Cell.__call__
    tracing.begin()
    tracing.begin()
    assert nn.Cell.__call__ is not own
    tracing.end()
    assert nn.Cell.__call__ is not own
    tracing.end()
    assert nn.Cell.__call__ is own


def test_a_call_that_fails_leaves_its_place() -> None:
    class Failing(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            raise ValueError("no")

    tracing.begin()
    try:
        Failing()(Tensor([1.0]))
    except ValueError:
        assert tracing._place.calls == []
    finally:
        tracing.end()
