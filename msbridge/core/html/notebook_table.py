"""Notebook tables of an object: small tables of HTML, in the notebook's own colours."""

import re
from collections.abc import Collection, Sequence
from html import escape

__all__ = ["html_table"]

OBJECT = re.compile(r"<(?:\w+\.)*(\w+) object at 0x\w+>")
SIDE = {False: "left", True: "right"}
# A large network has hundreds of rows: the table scrolls.
FRAME = "display:inline-block; max-width:100%; max-height:32em; overflow:auto"


def html_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    below: Sequence[str] = (),
    *,
    numbers: Collection[int] = (),
) -> str:
    """Return a table, which scrolls where it is long.

    Args:
        headings: of the columns.
        rows: the texts of each row; they may hold any characters. Columns without any text are left out.
        below: lines that are below the table.
        numbers: the columns that are set flush right.
    """
    used = [column for column in range(len(headings)) if any(row[column] for row in rows)]
    head = "".join(f'<th style="{_style(one in numbers)}">{escape(headings[one])}</th>' for one in used)
    body = "".join(f"<tr>{''.join(_cell(row[one], one in numbers) for one in used)}</tr>" for row in rows)
    table = f'<div style="{FRAME}"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    return table + (f'<div style="padding:4px 8px">{"<br>".join(map(escape, below))}</div>' if below else "")


def _style(is_number: bool) -> str:
    return f"text-align:{SIDE[is_number]}; padding:1px 8px"


def _cell(text: str, is_number: bool) -> str:
    text = OBJECT.sub(r"\1()", text)  # an address is of no use to a reader
    inner = f'<pre style="margin:0">{escape(text)}</pre>' if "\n" in text else escape(text)
    return f'<td style="{_style(is_number)}">{inner}</td>'
