"""What notebooks show of an object: small tables of HTML."""

from collections.abc import Sequence
from html import escape

__all__ = ["html_table"]

CELL = "text-align:left; padding:1px 8px"


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; texts may hold any signs."""
    head = "".join(f'<th style="{CELL}">{escape(one)}</th>' for one in headings)
    body = "".join(f"<tr>{''.join(_cell(one) for one in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str) -> str:
    inner = f'<pre style="margin:0">{escape(text)}</pre>' if "\n" in text else escape(text)
    return f'<td style="{CELL}">{inner}</td>'
