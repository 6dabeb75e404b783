"""A network as one HTML page, which needs nothing else: a tree that can be folded and searched."""

from pathlib import Path

from msbridge.core.html.page import embed_json, render_page
from msbridge.networks.tree import Branch

__all__ = ["render"]

TEMPLATE = Path(__file__).with_name("graph_page.html")


def render(root: Branch) -> str:
    """Return the page of a network; names of files are shown as text, also if they hold HTML."""
    count = _count(root) - 1
    return render_page(TEMPLATE, root=root, count=count, data=embed_json(root.as_list()))


def _count(branch: Branch) -> int:
    return 1 + sum(map(_count, branch.parts))
