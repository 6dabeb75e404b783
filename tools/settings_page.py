"""Write docs/settings.md, the settings that are accepted without effect, from mappings/without_effect.toml.

python tools/settings_page.py
"""

from collections.abc import Iterable
from pathlib import Path

from msbridge.core.checks.no_effect_warnings import Setting, settings

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
HEAD = """# Settings without effect

Some MindSpore settings have nothing to act on in msbridge: settings of its compiler, of an Ascend's memory, or of
parallelism that msbridge lacks. Scripts may keep them. If the difference can be observed, the first use in a process
shows a warning at the script's line:

```text
train.py:7: WithoutEffectWarning: set_context: save_graphs=2 has no effect in msbridge: there is no compiled graph …
```

A default value causes no warning. Filter these warnings like any other, by
`msbridge.core.checks.no_effect_warnings.WithoutEffectWarning` or by text:
`python -W "ignore:set_context" train.py`. This page is written by `python tools/settings_page.py` from
`mappings/without_effect.toml`.
"""


def page(rows: Iterable[Setting]) -> str:
    """Return the page: what is said to a script, then what is not, each by function."""
    said = [row for row in rows if row.notice]
    silent = [row for row in rows if not row.notice]
    lines = [
        HEAD,
        "## With a warning",
        *_section(said),
        "",
        "## Without a warning: at most the speed on an Ascend differs",
    ]
    return "\n".join([*lines, *_section(silent)]) + "\n"


def _section(rows: Iterable[Setting]) -> list[str]:
    lines = ["", "| Setting | What it is for | In msbridge |", "|---|---|---|"]
    for row in rows:
        owner, _, name = row.name.removeprefix("mindspore.").rpartition(".")
        lines.append(f"| `{owner}`: `{name}` | {row.purpose} | {row.because} |")
    return lines


if __name__ == "__main__":
    PAGE.write_text(page(settings().values()), encoding="utf-8")
