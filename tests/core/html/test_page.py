"""The frame of all reports: complete, escaped, with the style sheet inside."""

import json
from pathlib import Path

from msbridge.core.html.page import embed_json, mark_code, render_page

TEMPLATE = """{% extends "frame.html" %}
{% import "parts.html" as kit %}
{% block title %}{{ name }}{% endblock %}
{% block main %}
{% call kit.table(["a"], ["b\nc"]) %}<tr><td>{{ name }}</td><td class="num">{{ 1234|thousands }}</td></tr>{% endcall %}
{{ kit.bar(name, [("good", 100 / 3)]) }}
{{ "take `x < y`"|marked }}
{% endblock %}
"""
NAME = '<script>"&'


def test_a_page_is_complete_and_escaped(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(TEMPLATE)
    page = render_page(tmp_path / "report.html", name=NAME)
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert "color-scheme: light dark" in page
    assert "<script>" not in page
    assert '<th>a</th><th class="num">b\nc</th>' in page
    assert "<td>&lt;script&gt;&#34;&amp;</td>" in page
    assert '<td class="num">1,234</td>' in page
    assert 'aria-label="&lt;script&gt;&#34;&amp;"><i class="good" style="width:33.33%"></i>' in page
    assert "take <code>x &lt; y</code>" in page


def test_code_in_a_sentence_is_marked() -> None:
    assert mark_code("a `b` & `c`") == "a <code>b</code> &amp; <code>c</code>"


def test_data_do_not_end_their_script() -> None:
    written = embed_json({"a": "</script>&"})
    assert "<" not in written
    assert "&" not in written
    assert json.loads(written) == {"a": "</script>&"}
