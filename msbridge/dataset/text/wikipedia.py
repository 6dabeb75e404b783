"""FilterWikipediaXML: plain text out of dumps of Wikipedia."""

import re

from msbridge.dataset.text.base import StringTransform

__all__ = ["FilterWikipediaXML"]

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
PLAIN = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
PLAIN |= {ord("0") + digit: f" {word} " for digit, word in enumerate(DIGITS)}
MARKUP = re.compile("<.*>")
MARKUP_OF_LINES = re.compile("<[^>]*>")
ENTITY = re.compile("&[^;]*;")
OTHERS = re.compile("[^a-z\n]+")
EMPTY_LINES = re.compile(r"\n\s*\n")


class FilterWikipediaXML(StringTransform):
    """Reduce a page of a Wikipedia dump to its words: lower-case letters a to z, digits spelled out, single spaces.

    Empty lines between words leave the letter n, as they do in MindSpore.

    Follows: mindspore.dataset.text.FilterWikipediaXML (2.10).
    """

    def change(self, text: str) -> str:
        text = ENTITY.sub(" ", MARKUP_OF_LINES.sub("", MARKUP.sub("", text)))
        text = OTHERS.sub(" ", text.translate(PLAIN)).replace("\n ", "").strip()
        return " ".join(EMPTY_LINES.sub("n", text).split())
