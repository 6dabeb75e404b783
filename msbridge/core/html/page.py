"""HTML reports of all rooms: one file that needs nothing else, for light and dark screens, and for paper.

A report's template extends `frame.html`, which has the head, the style sheet and the blocks `title`, `style`, `main`
and `script`; tables and bars are macros of `parts.html`. What a script calls its things is escaped, by default.
"""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

__all__ = ["embed_json", "mark_code", "render_page"]

KIT = Path(__file__).parent


def render_page(template: Path, **values: Any) -> str:
    """Return the HTML of a report.

    Args:
        template: extends `frame.html`.
        **values: what it shows; it has `when`, the present time, as well.
    """
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    return _environment(template.parent).get_template(template.name).render(when=when, **values)


def mark_code(text: str) -> Markup:
    """Return a sentence whose `code` is in code elements."""
    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def embed_json(data: Any) -> Markup:
    """Return JSON that may be in a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def _environment(folder: Path) -> Environment:
    made = Environment(loader=FileSystemLoader([folder, KIT]), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters.update(marked=mark_code, thousands="{:,}".format)
    return made
