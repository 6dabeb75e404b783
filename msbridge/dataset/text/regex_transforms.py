"""Transforms by regular expressions, in ICU's words: RegexReplace, RegexTokenizer."""

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.text.base import Spans, StringTransform, Tokenizer, in_bytes
from msbridge.dataset.text.icu import compile_pattern, expand_match

__all__ = ["RegexReplace", "RegexTokenizer"]


class RegexReplace(StringTransform):
    """Replace what matches a regular expression.

    Args:
        pattern: the regular expression.
        replace: what takes its place; $1 is a group.
        replace_all: all matches, or the first one.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: `pattern` is not a regular expression (at the first call).
        ImportError: the package regex is missing (at the first call).

    Follows: mindspore.dataset.text.RegexReplace (2.10).
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True) -> None:
        self.pattern, self.replace = require_type(pattern, "pattern", str), require_type(replace, "replace", str)
        self.replace_all = require_type(replace_all, "replace_all", bool)

    def change(self, text: str) -> str:
        pattern = compile_pattern(self.pattern, "RegexReplace")
        count = 0 if self.replace_all else 1
        changed: str = pattern.sub(lambda match: expand_match(match, self.replace), text, count)
        return changed


class RegexTokenizer(Tokenizer):
    """Split a string where a regular expression matches.

    Args:
        delim_pattern: the regular expression of what separates tokens.
        keep_delim_pattern: separators that match this one as a whole are tokens, too; an empty string keeps none.
        with_offsets: also return where each token starts and ends, in bytes: one column becomes three.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `delim_pattern` is None.
        RuntimeError: a pattern is not a regular expression (at the first call).
        ImportError: the package regex is missing (at the first call).

    Follows: mindspore.dataset.text.RegexTokenizer (2.10).
    """

    def __init__(self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False) -> None:
        super().__init__(with_offsets)
        if delim_pattern is None:
            raise ValueError("delim_pattern is not provided.")
        self.delim_pattern = require_type(delim_pattern, "delim_pattern", str)
        self.keep_delim_pattern = require_type(keep_delim_pattern, "keep_delim_pattern", str)

    def tokens(self, text: str) -> list[str]:
        return self._cut(text)[0]

    def spans(self, text: str) -> Spans:
        return in_bytes(*self._cut(text), text)

    def _cut(self, text: str) -> tuple[list[str], list[int]]:
        pattern = compile_pattern(self.delim_pattern, "RegexTokenizer")
        kept = compile_pattern(self.keep_delim_pattern, "RegexTokenizer") if self.keep_delim_pattern else None
        tokens: list[str] = []
        starts: list[int] = []
        place = 0
        for match in pattern.finditer(text):
            start, end = match.span()
            if start > place:
                tokens.append(text[place:start])
                starts.append(place)
            if kept is not None and end > start and kept.fullmatch(match[0]):
                tokens.append(match[0])
                starts.append(start)
            place = end
        if place < len(text):
            tokens.append(text[place:])
            starts.append(place)
        return tokens, starts
