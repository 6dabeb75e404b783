"""What the oracle does not record of a schedule: values that are not numbers (it logs them, and continues)."""

import pytest

from msbridge.device.profiler import ProfilerAction, schedule


@pytest.mark.parametrize("wrong", [{"wait": -1}, {"wait": "a"}, {"active": 0}, {"warmup": 1.5}, {"repeat": True}])
def test_a_number_that_is_none_is_replaced(wrong: dict) -> None:
    name = next(iter(wrong))
    with pytest.warns(UserWarning, match=f"'schedule', {name} must be an int"):
        found = schedule(**{"wait": 1, "active": 1, **wrong})
    assert getattr(found, name) == (1 if name == "active" else 0)


def test_actions_by_value() -> None:
    assert ProfilerAction.get_by_value(2) is ProfilerAction.RECORD
    assert ProfilerAction.get_by_value(9) is None
