"""Where msbridge follows the documentation, it does; and the page says so."""

import divergences_page
import pytest

from tests.oracle import divergences

OF_TORCH = {expression: other for row in divergences.rows() for expression, other in row.of_torch.items()}
CASES = {expression: outcomes for row in divergences.rows() for expression, outcomes in row.cases.items()}


@pytest.mark.parametrize("expression", CASES)
def test_msbridge_gives_what_the_row_says(expression: str) -> None:
    build, here = CASES[expression]
    assert divergences.outcome(expression) in (here, OF_TORCH.get(expression))
    assert here != build


def test_the_page_is_that_of_the_table() -> None:
    assert divergences_page.PAGE.read_text(encoding="utf-8") == divergences_page.page(divergences.rows())
