"""The report of a comparison: one HTML file that needs nothing else, for light and dark screens."""

import json
import math
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from msbridge.verify.comparison import FAULTS, Comparison, Row
from msbridge.verify.metrics import PEAK_RATIO, RATIO, Difference

TEMPLATE = Path(__file__).with_name("report.html")
FLOOR = -9  # decades: what is smaller, or zero, is drawn here
WIDTH, HEIGHT, LEFT, BOTTOM = 960, 220, 44, 24


def write(found: Comparison, path: Path) -> None:
    """Write the report to a file; the target appears when it is complete."""
    part = path.with_name(path.name + ".part")
    part.write_text(render(found), encoding="utf-8")
    part.replace(path)


def render(found: Comparison) -> str:
    """Give the report's HTML."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    counts = {
        status: sum(row.status == status for row in found.rows)
        for status in dict.fromkeys(r.status for r in found.rows)
    }
    return template.render(
        found=found,
        counts=counts,
        faults=FAULTS,
        plot=Markup(plot(found.rows)),
        data=Markup(_embedded(_data(found))),
        when=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        ratio=RATIO,
        peak_ratio=PEAK_RATIO,
    )


def plot(rows: Sequence[Row]) -> str:
    """Draw the greatest difference of each row over the rows as SVG: free as a line, fed as dots."""
    shown = [row for row in rows if row.by]
    if not shown:
        return ""
    values = [
        (_decade(row.free), max(_decade(row.fed), _decade(row.arriving) if row.status == "input differs" else FLOOR))
        for row in shown
    ]
    top = max(0, math.ceil(max(max(pair) for pair in values)))
    step = (WIDTH - LEFT - 8) / max(len(shown), 1)

    def x(index: int) -> float:
        return round(LEFT + (index + 0.5) * step, 1)

    def y(value: float) -> float:
        return round(8 + (top - value) / (top - FLOOR) * (HEIGHT - BOTTOM - 8), 1)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="greatest difference of each layer">']
    for decade in range(FLOOR, top + 1):
        label = "0" if decade == FLOOR else f"1e{decade}"
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y(decade)}" y2="{y(decade)}"/>')
        if decade % 2 == 0 or decade == FLOOR:
            parts.append(f'<text class="axis" x="{LEFT - 6}" y="{y(decade) + 3}" text-anchor="end">{label}</text>')
    line = " ".join(f"{x(index)},{y(free)}" for index, (free, _) in enumerate(values))
    parts.append(f'<polyline class="free" points="{line}"/>')
    for index, (row, (free, fed)) in enumerate(zip(shown, values, strict=True)):
        name = f"{row.name}: free {_number(row.free)}, fed {_number(row.fed)}"
        kind, radius = ("bad", 4) if row.status in FAULTS else ("good", 2.6)
        title = f"<title>{_escape(name)}</title>"
        parts.append(f'<circle class="free" cx="{x(index)}" cy="{y(free)}" r="2.2">{title}</circle>')
        parts.append(f'<circle class="fed {kind}" cx="{x(index)}" cy="{y(fed)}" r="{radius}">{title}</circle>')
    parts.append(f'<text class="axis" x="{LEFT}" y="{HEIGHT - 4}">{_escape(shown[0].name)}</text>')
    parts.append(
        f'<text class="axis" x="{WIDTH - 8}" y="{HEIGHT - 4}" text-anchor="end">{_escape(shown[-1].name)}</text>'
    )
    return "".join([*parts, "</svg>"])


def _decade(one: Difference | None) -> float:
    if one is None or one.is_equal:
        return FLOOR
    if one.problem or not math.isfinite(one.max_abs):
        return 2.0
    return min(max(math.log10(one.max_abs), FLOOR), 6.0) if one.max_abs else FLOOR


def _number(one: Difference | None) -> str:
    if one is None:
        return "-"
    return one.problem or ("0" if one.is_equal else f"{one.max_abs:.3g}")


def _data(found: Comparison) -> dict[str, Any]:
    plain = found.as_dict()
    return {"rows": plain["rows"], "gradients": plain["gradients"], "training": plain["training"]}


def _embedded(data: Any) -> str:
    """Give JSON that may stand in a script element."""
    text = json.dumps(_rounded(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
