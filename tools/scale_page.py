"""The table of docs/distributed.md: what a step sends on 1 to 10,000 devices, and how much of its time they compute.

python tools/scale_page.py                     prints it
python tools/scale_page.py docs/distributed.md writes it between the page's marks
"""

import re
import sys
from pathlib import Path

from msbridge.converters.files.atomic_write import write_text
from msbridge.distributed.communication_volume import Divided, Step, efficiency, ring_bytes, volume_of_step

TABLE = re.compile(r"(<!-- volume -->\n).*?(<!-- end of volume -->)", re.DOTALL)
# A Transformer of 7 billion weights: 32 blocks of width 4096, 4 million tokens in a step, 16 bits each number.
WEIGHTS, TOKENS, WIDTH, BLOCKS, MICRO_BATCHES = 7e9, 4e6, 4096, 32, 32
STEP = Step(2 * WEIGHTS, 2 * TOKENS * WIDTH, BLOCKS, MICRO_BATCHES)
WAYS: tuple[tuple[str, Divided], ...] = (
    *(("data parallel", Divided(data)) for data in (8, 64, 512, 4096)),
    *(("data parallel, level2", Divided(data, level=2)) for data in (8, 512)),
    *(("operators", Divided(1, operators)) for operators in (8, 64)),
    *(("operators, data", Divided(data, 8)) for data in (8, 64, 512)),
    *(("operators, stages, data", Divided(data, 8, 8)) for data in (8, 64, 156)),
)


def fill(page: str) -> str:
    """Return a page with the table as the model makes it."""
    return TABLE.sub(lambda found: f"{found[1]}{table()}{found[2]}", page)


def table() -> str:
    """Return the table, as Markdown."""
    rows = [
        "| divided by | devices | data × operators × stages | GB sent by each in a step | computing |",
        "|---|--:|---|--:|--:|",
    ]
    for name, by in WAYS:
        share = efficiency(STEP, by, 6 * WEIGHTS * TOKENS)
        parts = f"{by.data} × {by.operators} × {by.stages}"
        rows.append(
            f"| {name} | {by.processes:,} | {parts} | {_sent(by) / 1e9:,.1f} | {share:.0%} |".replace("%", " %")
        )
    return "\n".join(rows) + "\n"


def _sent(by: Divided) -> float:
    of_data = volume_of_step(STEP, Divided(by.data, level=by.level))
    shares = by.operators * by.stages
    sent = sum(ring_bytes(kind, size / shares, by.data) for kind, size in of_data.items())
    of_operators = volume_of_step(STEP, Divided(1, by.operators)).get("all_reduce", 0.0) / by.data / by.stages
    stages = volume_of_step(STEP, Divided(1, 1, by.stages)).get("send", 0.0) / by.data
    return sent + ring_bytes("all_reduce", of_operators, by.operators) + stages


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.stdout.write(table())
    for name in sys.argv[1:]:
        place = Path(name)
        write_text(place, fill(place.read_text(encoding="utf-8")))
