"""Plots in HTML pages, as SVG that takes its colours from the page's style sheet."""

from collections.abc import Iterable

from markupsafe import Markup, escape

__all__ = ["element", "picture"]


def element(name: str, *content: object, **attributes: object) -> Markup:
    """Return an element of SVG: text in it, and in its attributes, is escaped; elements in it are not.

    Args:
        name: of the element.
        *content: texts and elements.
        **attributes: `class_` means `class`, `text_anchor` means `text-anchor`; a float has one decimal.
    """
    written = Markup("").join(Markup(' {}="{}"').format(*_attribute(*each)) for each in attributes.items())
    if not content:
        return Markup("<{}{}/>").format(name, written)
    return Markup("<{}{}>{}</{}>").format(name, written, Markup("").join(map(escape, content)), name)


def picture(width: int, height: int, label: str, parts: Iterable[object]) -> Markup:
    """Return a picture of a page.

    Args:
        width: of its coordinates; it is as wide as the page lets it.
        height: of its coordinates.
        label: what it shows, for those who do not see it.
        parts: its elements.
    """
    return element("svg", *parts, viewBox=f"0 0 {width} {height}", role="img", aria_label=label)


def _attribute(name: str, value: object) -> tuple[str, object]:
    return name.rstrip("_").replace("_", "-"), f"{value:.1f}" if isinstance(value, float) else value
