"""Texts as 2.0 reads them: by Unicode 13."""

from itertools import chain

from msbridge.core.releases.overrides import Part
from msbridge.dataset.text.regex_transforms import RegexTokenizer

_LATER_IDEOGRAPHS = (
    *(range(0x9FFD, 0xA000), range(0x2A6DE, 0x2A6E0), range(0x2B739, 0x2B73A)),
    *(range(0x2EBF0, 0x2EE5E), range(0x31350, 0x323B0)),
)
_UNASSIGNED = dict.fromkeys(chain.from_iterable(_LATER_IDEOGRAPHS), "\u0378")
"""By ideograph of Unicode 14 and 15, a character that no version of Unicode has assigned."""
_today_cut = RegexTokenizer._cut


def _cut(self: RegexTokenizer, text: str) -> tuple[list[str], list[int]]:
    """Return the tokens and where each starts; ideographs that came later are no letters."""
    names_places = "\\x" in self.delim_pattern  # it has characters by their number
    tokens, starts = _today_cut(self, text if names_places else text.translate(_UNASSIGNED))
    return [text[start : start + len(token)] for token, start in zip(tokens, starts, strict=True)], starts


OVERRIDES = {"dataset.text.RegexTokenizer": Part(RegexTokenizer, "_cut", _cut)}
