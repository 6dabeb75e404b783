"""BLEU: the similarity of translations to references."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import in_range, instance
from msbridge.train.metrics.metric import Metric, rearrange_inputs


class BleuScore(Metric):
    """The BLEU score of a corpus (Papineni et al. 2002).

    Args:
        n_gram: longest sequence of words that is compared, 1 to 4.
        smooth: add one to the counts (Lin et al. 2004).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `n_gram` is out of range.

    Follows: mindspore.train.BleuScore (2.10).
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        super().__init__()
        instance(n_gram, "n_gram", None, int)
        in_range(n_gram, "n_gram", "BleuScore", 1, 4, "[]")
        self.n_gram = n_gram
        self.smooth = instance(smooth, "smooth", None, bool)
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._matches = np.zeros(self.n_gram)
        self._totals = np.zeros(self.n_gram)
        self._length = 0
        self._reference_length = 0
        self._is_updated = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add translations (lists of words) and, for each, a list of references.

        Raises:
            ValueError: there are not two inputs, or they differ in length.
        """
        if len(inputs) != 2:
            raise ValueError(
                f"For 'BleuScore.update', it needs 2 inputs (translations, references), got {len(inputs)}."
            )
        translations, references = inputs
        if len(translations) != len(references):
            raise ValueError(
                "For 'BleuScore.update', 'translate_corpus' (inputs[0]) and 'reference_corpus' (inputs[1]) should be "
                f"equal in length, but got {len(translations)}, {len(references)}"
            )
        for words, choices in zip(translations, references, strict=True):
            self._length += len(words)
            self._reference_length += min(map(len, choices), key=lambda length: abs(length - len(words)))
            counts = _n_grams(words, self.n_gram)
            allowed: Counter[tuple[str, ...]] = Counter()
            for choice in choices:
                allowed |= _n_grams(choice, self.n_gram)
            for n_gram, count in (counts & allowed).items():
                self._matches[len(n_gram) - 1] += count
            for n_gram, count in counts.items():
                self._totals[len(n_gram) - 1] += count
        self._is_updated = True

    def eval(self) -> float | np.ndarray:
        """Return the score, in [0, 1].

        Returns:
            A float, or an array () of numpy.

        Raises:
            RuntimeError: there were no translations.
        """
        if not self._is_updated:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        if not self._matches.min():
            return np.array(0.0)
        added = 1 if self.smooth else 0
        shares = (self._matches + added) / (self._totals + added)
        brevity = 1.0 if self._length > self._reference_length else np.exp(1 - self._reference_length / self._length)
        return np.float64(brevity * np.exp(np.log(shares).mean()))


def _n_grams(words: Sequence[str], longest: int) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(words[start : start + length])
        for length in range(1, longest + 1)
        for start in range(len(words) - length + 1)
    )
