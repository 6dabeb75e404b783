"""One MindRecord file being written, page by page."""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from msbridge.converters.files.atomic_write import naming
from msbridge.dataset.mindrecord.format.header import BLOB, PAGE_LIMITS, RAW, Header, Page
from msbridge.dataset.mindrecord.format.row_encoding import StoredRow
from msbridge.dataset.mindrecord.writing.record_group import write_all

COPIED_BYTES = 1024**2  # at once


class ShardWriter:
    """Puts rows into the pages of one file.

    Blob parts go into the current blob page as they come, raw parts behind them, group by group: a group may be moved
    to a new raw page when it grows out of the old one.

    Args:
        path: what the file is to be called.
        file: open for reading and writing, without a buffer, which could fail when the file is closed.
        header: describes what is in the file; kept up to date here.
    """

    def __init__(self, path: Path, file: BinaryIO, header: Header) -> None:
        self.path = path
        self._file = file
        self.header = header
        self._blob = header.last(BLOB)
        self._raw = header.last(RAW)
        self._group_bytes = self._raw.used - self._raw.groups[-1][1] if self._raw else 0

    def write(self, rows: Iterable[StoredRow]) -> None:
        """Add rows.

        Raises:
            RuntimeError: a row is larger than a page; those before it are written.
            OSError: the file cannot be written, and is of no use any more; names it.
        """
        grown: list[bytes] = []  # raw parts for the group that is already there
        added: list[list[bytes]] = []  # and for new groups
        try:
            for row in rows:
                self._check_size("blob", row.blob)
                self._check_size("raw", row.raw)
                page = self._blob
                if page is None or self._is_full(page, row):
                    page = self._begin_blob_page()
                    added.append([])
                self._put(page, row.blob)
                page.end_row += 1
                self.header.saved_bytes += row.saved_bytes
                self._group_bytes += len(row.raw)
                (added[-1] if added else grown).append(row.raw)
        finally:  # the rows before one that cannot be stored are complete
            if grown and self._raw:
                self._grow_group(self._raw, b"".join(grown))
            for number, parts in enumerate(added, self._groups - len(added)):
                self._add_group(number, b"".join(parts))

    def finish(self, head: bytes) -> None:
        """Write the header's bytes."""
        self._write(0, head)

    def copy(self, source: BinaryIO) -> None:
        """Write what the header describes as it stands in another file."""
        for page in self.header.pages:
            start = self.header.position(page)
            for place in range(start, start + page.used, COPIED_BYTES):
                source.seek(place)
                self._write(place, source.read(min(COPIED_BYTES, start + page.used - place)))

    @property
    def _groups(self) -> int:
        return self._blob.kind_id + 1 if self._blob else 0

    def _is_full(self, page: Page, row: StoredRow) -> bool:
        size = self.header.page_size
        return page.used + len(row.blob) > size or self._group_bytes + len(row.raw) > size

    def _begin_blob_page(self) -> Page:
        end = self._blob.end_row if self._blob else 0
        self._blob = Page(len(self.header.pages), BLOB, self._groups, first_row=end, end_row=end)
        self.header.pages.append(self._blob)
        self._group_bytes = 0
        return self._blob

    def _grow_group(self, page: Page, data: bytes) -> None:
        if page.used + len(data) > self.header.page_size:
            number, offset = page.groups.pop()
            self._file.seek(self.header.position(page) + offset)
            data = self._file.read(page.used - offset) + data
            page.used = offset
            page = self._begin_raw_page(number)
        self._put(page, data)

    def _add_group(self, number: int, data: bytes) -> None:
        page = self._raw
        if page is None or page.used + len(data) > self.header.page_size:
            page = self._begin_raw_page(number)
        else:
            page.groups.append((number, page.used))
        self._put(page, data)

    def _begin_raw_page(self, group: int) -> Page:
        kind_id = self._raw.page_id + 1 if self._raw else 0  # so MindSpore numbers them
        self._raw = Page(len(self.header.pages), RAW, kind_id, groups=[(group, 0)])
        self.header.pages.append(self._raw)
        return self._raw

    def _put(self, page: Page, data: bytes) -> None:
        self._write(self.header.position(page) + page.used, data)
        page.used += len(data)

    def _write(self, place: int, data: bytes) -> None:
        with naming(self.path, always=True):
            self._file.seek(place)
            write_all(self._file.fileno(), data)

    def _check_size(self, kind: str, data: bytes) -> None:
        if len(data) > self.header.page_size:
            raise RuntimeError(
                f"Invalid data, Page size: {self.header.page_size} is too small to save a {kind} row of {len(data)} "
                f"bytes. Please call set_page_size with a larger value, in {list(PAGE_LIMITS)}."
            )
