"""Rows of comma-separated values: cells in quotes may hold separators, line ends and doubled quotes.

A quote elsewhere, or something behind a closing one, is an error, as in MindSpore; so is a quote that never closes.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.streamed.lines import BLOCK_BYTES, decode_text, open_text

Row = list[str]


def csv_rows(path: Path, delimiter: str, width: int, skips_first: bool, check: bool = True) -> Iterator[list[Row]]:
    """Yield the rows of a file, some at a time; empty lines are left out.

    Args:
        path: the file.
        delimiter: one character.
        width: how many cells a row has.
        skips_first: leave out the first line, which holds names.
        check: raise for rows that are not of this width.

    Raises:
        RuntimeError: the file is missing or no UTF-8, a quote is where none may be, or a row has another width.
    """
    number = 0
    for rows in _blocks(path, delimiter, skips_first):
        for place, row in enumerate(rows):
            if check and len(row) != width:
                raise csv_error(path, number + place + 1, f"it has {len(row)} cells, there are {width} columns")
        number += len(rows)
        yield rows


def header(path: Path, delimiter: str) -> list[str]:
    """Return the names in the first line; quotes belong to them."""
    with open_text(path) as file:
        line = decode_text(file.readline(), path).rstrip("\n").rstrip("\r")
    names = line.split(delimiter)
    return names if names[-1] else names[:-1]


def csv_error(path: Path, line: int, what: str) -> RuntimeError:
    """Return the error for a row that cannot be read."""
    return pipeline_error(f"Invalid file, failed to parse csv file: {path} at line {line}: {what}.")


def _blocks(path: Path, delimiter: str, skips_first: bool) -> Iterator[list[Row]]:
    number, rest, size = 0, "", BLOCK_BYTES
    with open_text(path) as file:
        if skips_first:
            file.readline()
        while data := file.read(size):
            text = rest + decode_text(data + file.readline(), path)
            if '"' in text:
                rows, rest = _quote(text, delimiter, path, number)
            else:
                rows, rest = [line.split(delimiter) for line in re.split("[\r\n]+", text) if line], ""
            size = max(BLOCK_BYTES, len(rest))  # a cell that does not end is not read again and again
            number += len(rows)
            yield rows
    if rest:
        raise csv_error(path, number + 1, "a quote is not closed")


@cache
def _cell(delimiter: str) -> re.Pattern[str]:
    plain = re.escape(delimiter)
    return re.compile(rf'(?:"((?:[^"]|"")*+)"|([^"{plain}\r\n]*+))(?=([{plain}\r\n])|\Z)')


def _quote(text: str, delimiter: str, path: Path, number: int) -> tuple[list[Row], str]:
    """Split text with quotes; return its rows, and what is from the beginning of a row that does not end."""
    match = _cell(delimiter).match
    rows: list[Row] = []
    row: Row = []
    place = begin = 0
    while place < len(text):
        cells = match(text, place)
        if cells is None:
            if text[place] == '"' and _is_open(text, place):
                return rows, text[begin:]
            raise csv_error(path, number + len(rows) + 1, "a quote is in a cell, or something behind a closing one")
        quoted, plain, end = cells.groups()
        row.append(plain if quoted is None else quoted.replace('""', '"'))
        place = cells.end() + 1
        if end != delimiter:
            if len(row) > 1 or quoted is not None or plain:
                rows.append(row)
            row, begin = [], place
        elif place == len(text):
            row.append("")
    if row:
        rows.append(row)
    return rows, ""


def _is_open(text: str, place: int) -> bool:
    """Whether the cell in quotes that begins at `place` does not end."""
    while (place := text.find('"', place + 1)) != -1:
        if text[place + 1 : place + 2] != '"':
            return False
        place += 1
    return True
