"""Elements of SVG: attributes by their names, texts escaped once."""

from msbridge.core.html.svg import element, picture


def test_an_element_has_its_attributes() -> None:
    assert element("line", class_="grid", x1=3, y1=2.25, text_anchor="end") == (
        '<line class="grid" x1="3" y1="2.2" text-anchor="end"/>'
    )


def test_texts_are_escaped_and_elements_are_not() -> None:
    made = picture(10, 20, 'a "b"', [element("g", element("title", "<"), data_row=1)])
    assert made == (
        '<svg viewBox="0 0 10 20" role="img" aria-label="a &#34;b&#34;"><g data-row="1"><title>&lt;</title></g></svg>'
    )
