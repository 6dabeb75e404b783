"""The table of docs/distributed.md."""

from pathlib import Path

import scale_page

from msbridge.distributed.communication_volume import Divided, Machines, efficiency

PAGE = Path(__file__).parents[2] / "docs" / "distributed.md"


def test_the_page_is_up_to_date():
    page = PAGE.read_text(encoding="utf-8")
    assert scale_page.fill(page) == page


def test_more_devices_and_slower_links_compute_a_smaller_share():
    flops = 6 * scale_page.WEIGHTS * scale_page.TOKENS
    shares = [efficiency(scale_page.STEP, Divided(data), flops) for data in (1, 64, 4096, 10_000)]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert efficiency(scale_page.STEP, Divided(4096), flops, Machines(between=1e9)) < shares[2]
