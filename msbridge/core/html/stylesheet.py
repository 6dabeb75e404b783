"""What the HTML reports of all rooms look like: one style, for light and dark screens, and for paper."""

from pathlib import Path

__all__ = ["style"]


def style() -> str:
    """Return the style sheet that every report begins with."""
    return Path(__file__).with_name("stylesheet.css").read_text(encoding="utf-8").strip()
