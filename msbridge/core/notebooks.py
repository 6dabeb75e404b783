"""What notebooks show of an object: small tables of HTML."""

import re
from collections.abc import Sequence
from html import escape

__all__ = ["html_table"]

OBJECT = re.compile(r"<(?:\w+\.)*(\w+) object at 0x\w+>")
CELL = "text-align:left; padding:1px 8px"


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; texts may hold any signs."""
    head = "".join(f'<th style="{CELL}">{escape(one)}</th>' for one in headings)
    body = "".join(f"<tr>{''.join(_cell(one) for one in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str) -> str:
    text = OBJECT.sub(r"\1()", text)  # where an object lies tells a reader nothing
    inner = f'<pre style="margin:0">{escape(text)}</pre>' if "\n" in text else escape(text)
    return f'<td style="{CELL}">{inner}</td>'
