"""Chinese words by a dictionary and by a model of characters: cppjieba's two methods and their mixture.

The dictionary has a weight for each word, the logarithm of its frequency; of all ways to cut a sentence into its words
the heaviest is taken. The model is a hidden Markov model: each character begins, ends or continues a word, or is one.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product, repeat
from math import log
from operator import add
from pathlib import Path

MIN_LOG_PROBABILITY = -3.14e100
SEPARATORS = re.compile("([ \t\n，。])")
ASCII_WORD = re.compile(r"([A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f])")
STATES = BEGIN, END, MIDDLE, SINGLE = range(4)
NAMES = ("a beginning", "an end", "a middle", "a single character")
FOLLOWING = {BEGIN: (END, MIDDLE), END: (BEGIN, SINGLE), MIDDLE: (END, MIDDLE), SINGLE: (BEGIN, SINGLE)}


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
        size, weights = len(text), self.weights
        pairs = [*map(add, text, text[1:]), ""]
        characters = map(weights.get, text[::-1], repeat(self.least))
        words_of_two = map(
            weights.get, reversed(pairs)
        )  # None where two characters are no word, or begin no longer one
        lengths = map(self.longest.get, reversed(pairs))
        sums, ends = [0.0] * (size + 2), list(range(1, size + 1))
        best, start = 0.0, size
        for character, of_two, length in zip(characters, words_of_two, lengths, strict=True):
            start -= 1
            best += character
            if of_two is not None and of_two + sums[start + 2] > best:
                best, ends[start] = of_two + sums[start + 2], start + 2
            if length is not None:
                for end in range(start + 3, min(size, start + length) + 1):
                    weight = weights.get(text[start:end])
                    if weight is not None and weight + sums[end] > best:
                        best, ends[start] = weight + sums[end], end
            sums[start] = best
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
        self.change = [[float(number) for number in row.split()] for row in rows[1:5]]
        for old, new in product(STATES, STATES):
            if self.change[old][new] > MIN_LOG_PROBABILITY and new not in FOLLOWING[old]:
                raise ValueError(f"{path}: after {NAMES[old]} comes no {NAMES[new]} in a word.")
        emit = [
            {character: float(number) for character, _, number in (pair.rpartition(":") for pair in row.split(","))}
            for row in rows[5:9]
        ]
        # That a state lacks a character is as good as impossible.
        self.emit = {
            character: tuple(numbers.get(character, MIN_LOG_PROBABILITY) for numbers in emit)
            for character in set().union(*emit)
        }

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
        """Return the likeliest states of the characters (Viterbi's algorithm, for the two states before each).

        What is not above `MIN_LOG_PROBABILITY` is as good as impossible, and then the state before is END.
        """
        begin_end, begin_middle = self.change[BEGIN][END], self.change[BEGIN][MIDDLE]
        end_begin, end_single = self.change[END][BEGIN], self.change[END][SINGLE]
        middle_end, middle_middle = self.change[MIDDLE][END], self.change[MIDDLE][MIDDLE]
        single_begin, single_single = self.change[SINGLE][BEGIN], self.change[SINGLE][SINGLE]
        first, *others = map(self.emit.get, text, repeat((MIN_LOG_PROBABILITY,) * len(STATES)))
        begin, end, middle, single = map(add, self.start, first)
        paths: list[tuple[int, ...]] = []
        for to_begin, to_end, to_middle, to_single in others:
            old_begin, old_end, old_middle, old_single = begin, end, middle, single
            begin, other = old_end + end_begin + to_begin, old_single + single_begin + to_begin
            before_begin = END
            if other > begin:
                begin, before_begin = other, SINGLE
            single, other = old_end + end_single + to_single, old_single + single_single + to_single
            before_single = END
            if other > single:
                single, before_single = other, SINGLE
            end, other = old_begin + begin_end + to_end, old_middle + middle_end + to_end
            before_end = BEGIN
            if other > end:
                end, before_end = other, MIDDLE
            middle, other = old_begin + begin_middle + to_middle, old_middle + middle_middle + to_middle
            before_middle = BEGIN
            if other > middle:
                middle, before_middle = other, MIDDLE
            if begin <= MIN_LOG_PROBABILITY:
                begin, before_begin = MIN_LOG_PROBABILITY, END
            if end <= MIN_LOG_PROBABILITY:
                end, before_end = MIN_LOG_PROBABILITY, END
            if middle <= MIN_LOG_PROBABILITY:
                middle, before_middle = MIN_LOG_PROBABILITY, END
            if single <= MIN_LOG_PROBABILITY:
                single, before_single = MIN_LOG_PROBABILITY, END
            paths.append((before_begin, before_end, before_middle, before_single))
        states = [END if end >= single else SINGLE]
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
    """Return the length of the longest word for each two first characters that more may follow."""
    longest: dict[str, int] = {}
    for word in words:
        if len(word) > longest.get(word[:2], 2):
            longest[word[:2]] = len(word)
    return longest
