"""What strategies are allowed. Judge: the public documentation; on a CPU nothing runs it."""

from typing import Any

import pytest

from msbridge.distributed import Layout
from msbridge.distributed.sharding.strategies import degrees_of, parts_by_label


def parts(name: str, *strategy: tuple[int, ...], shapes: Any, devices: int = 4, **settings: Any) -> list[int]:
    return list(parts_by_label(name, strategy, shapes, settings, devices)[1].values())


def test_the_axes_of_a_product_are_rows_sum_and_columns() -> None:
    assert parts("MatMul", (2, 1), (1, 2), shapes=[(4, 8), (8, 6)]) == [2, 1, 2]
    assert parts("MatMul", (1, 2), (2, 1), shapes=[(4, 8), (8, 6)]) == [1, 2, 1]
    assert parts("MatMul", (1, 2), (2, 2), shapes=[(4, 8), (6, 8)], transpose_b=True) == [1, 2, 2]


def test_axes_that_are_broadcast_belong_together() -> None:
    assert parts("Add", (2, 2), (2,), shapes=[(4, 8), (8,)]) == [2, 2]
    assert parts("LayerNorm", (2, 2, 1), (1,), (1,), shapes=[(4, 6, 8), (8,), (8,)], begin_norm_axis=-1) == [2, 2, 1]


def test_parts_of_a_layout() -> None:
    layout = Layout((2, 4), ("a", "b"))
    assert degrees_of(layout("b", "None")) == (4, 1)
    assert degrees_of(layout(("a", "b"), "None")) == (8, 1)


@pytest.mark.parametrize(
    ("name", "strategy", "shapes", "settings", "says"),
    [
        ("MatMul", ((1, 2), (1, 1)), [(4, 8), (8, 6)], {}, "go together"),
        ("MatMul", ((2, 1),), [(4, 8), (8, 6)], {}, "1 inputs, and there are 2"),
        ("MatMul", ((2,), (1, 1)), [(4, 8), (8, 6)], {}, "1 axes"),
        ("MatMul", ((4, 1), (1, 2)), [(4, 8), (8, 6)], {}, "needs 8 devices"),
        ("MatMul", ((3, 1), (1, 1)), [(6, 8), (8, 6)], {}, "3 parts"),
        ("MatMul", ((4, 1), (1, 1)), [(6, 8), (8, 6)], {}, "length 6"),
        ("Add", ((2, 1), (1, 1)), [(4, 8), (4, 8)], {}, "go together"),
        ("Softmax", ((1, 2),), [(4, 8)], {"axis": -1}, "axis 1 of its input undivided"),
        ("LayerNorm", ((1, 2), (2,), (2,)), [(4, 8), (8,), (8,)], {"begin_norm_axis": -1}, "undivided"),
    ],
)
def test_what_cannot_be_carried_out_is_refused(
    name: str, strategy: Any, shapes: Any, settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(RuntimeError, match=f"For '{name}', the strategy .*{says}"):
        parts_by_label(name, strategy, shapes, settings, 4)


def test_a_number_of_parts_divides_that_of_the_devices() -> None:
    parts_by_label("ReLU", ((2, 4),), [(8, 8)], {}, 8)
    with pytest.raises(RuntimeError, match="needs 8 devices"):
        parts_by_label("ReLU", ((2, 4),), [(8, 8)], {}, 4)
