"""Chinese words by a dictionary and by a model of characters: cppjieba's two methods and their mixture.

The dictionary has a weight for each word, the logarithm of its frequency; of all ways to cut a sentence into its words
the heaviest is taken. The model is a hidden Markov model: each character begins, ends or continues a word, or is one.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import log
from pathlib import Path

MIN_LOG_PROBABILITY = -3.14e100
SEPARATORS = re.compile("([ \t\n，。])")
ASCII_WORD = re.compile(r"([A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f])")
STATES = BEGIN, END, MIDDLE, SINGLE = range(4)


class Dictionary:
    """Words with their weights, from a file with a word, its frequency and its kind on each line."""

    def __init__(self, path: str) -> None:
        rows = [line.split(" ") for line in Path(path).read_text(encoding="utf-8").split("\n") if line]
        counts = {row[0]: float(row[1]) for row in rows}
        self.total = sum(float(row[1]) for row in rows)
        weights = sorted(log(float(row[1]) / self.total) for row in rows)
        self.least, self.median = weights[0], weights[len(weights) // 2]
        self.weights = {word: log(count / self.total) for word, count in counts.items()}
        self.longest = _longest(counts)

    def with_words(self, words: Iterable[tuple[str, int]]) -> "Dictionary":
        """Return a dictionary with more words; a frequency of 0 means the middle one."""
        extended = object.__new__(Dictionary)
        extended.total, extended.least, extended.median = self.total, self.least, self.median
        added = {word: log(count / self.total) if count else self.median for word, count in words}
        extended.weights = {**self.weights, **added}
        extended.longest = {**self.longest}
        for first, length in _longest(added).items():
            extended.longest[first] = max(length, extended.longest.get(first, 0))
        return extended

    def cut(self, text: str) -> list[str]:
        """Cut a text into the words with the greatest sum of weights; unknown characters are words."""
        size, weights, longest, least = len(text), self.weights, self.longest, self.least
        sums = [0.0] * (size + 1)
        ends = [0] * size
        for start in range(size - 1, -1, -1):
            best, best_end = weights.get(text[start], least) + sums[start + 1], start + 1
            for end in range(start + 2, min(size, start + longest.get(text[start : start + 2], 1)) + 1):
                weight = weights.get(text[start:end])
                if weight is not None and weight + sums[end] > best:
                    best, best_end = weight + sums[end], end
            sums[start], ends[start] = best, best_end
        words, place = [], 0
        while place < size:
            words.append(text[place : ends[place]])
            place = ends[place]
        return words


class CharacterModel:
    """The hidden Markov model, from a file with its starting, changing and emitting probabilities (logarithms)."""

    def __init__(self, path: str) -> None:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        rows = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
        self.start = [float(number) for number in rows[0].split()]
        change = [[float(number) for number in row.split()] for row in rows[1:5]]
        # From where a state is reached. The rest is as good as impossible, and so is a character that a state lacks.
        self.reached = [
            [(old, change[old][new]) for old in STATES if change[old][new] > MIN_LOG_PROBABILITY] for new in STATES
        ]
        self.emit = [
            {character: float(number) for character, _, number in (pair.rpartition(":") for pair in row.split(","))}
            for row in rows[5:9]
        ]

    def cut(self, text: str) -> Iterator[str]:
        """Cut a text into words: words, numbers and punctuation of ASCII as they are, the rest by the model."""
        for number, part in enumerate(ASCII_WORD.split(text)):
            if part:
                yield from [part] if number % 2 or len(part) == 1 else self._cut(part)

    def _cut(self, text: str) -> Iterator[str]:
        begin = 0
        for place, state in enumerate(self._states(text), 1):
            if state in (END, SINGLE):
                yield text[begin:place]
                begin = place
        if begin < len(text):
            yield text[begin:]

    def _states(self, text: str) -> list[int]:
        """Return the likeliest states of the characters."""
        weights = [self.start[state] + self.emit[state].get(text[0], MIN_LOG_PROBABILITY) for state in STATES]
        paths: list[list[int]] = []
        for character in text[1:]:
            before, weights, path = weights, [], []
            for emit, reached in zip(self.emit, self.reached, strict=True):
                best, best_state = MIN_LOG_PROBABILITY, END
                if (emitted := emit.get(character)) is not None:
                    for previous, change in reached:
                        weight = before[previous] + change + emitted
                        if weight > best:
                            best, best_state = weight, previous
                weights.append(best)
                path.append(best_state)
            paths.append(path)
        states = [END if weights[END] >= weights[SINGLE] else SINGLE]
        for path in reversed(paths):
            states.append(path[states[-1]])
        return states[::-1]


def cut_mixed(dictionary: Dictionary, model: CharacterModel, text: str) -> list[str]:
    """Cut by the dictionary, and runs of single characters by the model."""
    words: list[str] = []
    single: list[str] = []
    for word in dictionary.cut(text):
        if len(word) == 1:
            single.append(word)
            continue
        if single:
            words += model.cut("".join(single))
            single = []
        words.append(word)
    return [*words, *model.cut("".join(single))] if single else words


def parts(text: str) -> list[str]:
    """Split a text at separators, which are parts, too."""
    return [part for part in SEPARATORS.split(text) if part]


@lru_cache(4)
def dictionary(path: str, changed: int) -> Dictionary:
    """Read a dictionary; `changed` distinguishes the file of today from what it was."""
    return Dictionary(path)


@lru_cache(4)
def character_model(path: str, changed: int) -> CharacterModel:
    """Read a model of characters; `changed` distinguishes the file of today from what it was."""
    return CharacterModel(path)


def _longest(words: Iterable[str]) -> dict[str, int]:
    """Return the length of the longest word for each two first characters."""
    longest: dict[str, int] = {}
    for word in words:
        if len(word) > longest.get(word[:2], 1):
            longest[word[:2]] = len(word)
    return longest
