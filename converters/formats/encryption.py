"""MindSpore's encrypted files: blocks of at most 64 MiB, each with a key of 16, 24 or 32 bytes (SM4: 16).

    block = mode (4 bytes), for AES-GCM a tag (16), length of the rest (4), length of the nonce (4), nonce,
            length of the ciphertext (4), ciphertext

Numbers are little-endian. The CBC modes pad as PKCS#7 does; GCM uses the first twelve bytes of the nonce. One block is
decrypted at a time, and none of the content reaches the disk.
"""

import bisect
import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, ClassVar

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.sink import Bytes, Sink
from msbridge.converters.files.source import CHUNK, Source

MODES = {0x7F3A5ED8: "AES-GCM", 0x7F3A5ED9: "AES-CBC", 0x7F3A5EDA: "SM4-CBC"}
NUMBERS = {mode: number for number, mode in MODES.items()}
BLOCK_BYTES = 64 << 20
NONCE_BYTES = TAG_BYTES = 16
GCM_NONCE_BYTES = 12  # of the 16 that are stored; the rest plays no part
CIPHER_BYTES = 16  # what AES and SM4 work on at a time
BLOCK_ENTRY_BYTES = 400  # what the place of a block takes in memory
MAX_CACHED_BLOCKS = 2  # decrypted blocks in memory, of all files together
FIRST_BYTE = 0x0A  # of every .ckpt


def check_key(key: bytes, mode: str) -> None:
    """Refuse a mode or a key that MindSpore would refuse.

    Raises:
        CheckpointError: the mode is unknown, or the key's length is not one of the cipher's.
    """
    if mode not in NUMBERS:
        raise CheckpointError(f"the mode of encryption must be one of {', '.join(NUMBERS)}, got {mode!r}.")
    lengths = (16,) if mode == "SM4-CBC" else (16, 24, 32)
    if not isinstance(key, bytes) or len(key) not in lengths:
        got = f"{len(key)} bytes" if isinstance(key, bytes) else f"{type(key).__name__}"
        raise CheckpointError(f"the key for {mode} must be {' or '.join(map(str, lengths))} bytes long, got {got}.")


def mode_of(source: Source) -> str:
    """Return the mode that the beginning of an encrypted file names; "" for another file."""
    return MODES.get(int.from_bytes(source.read(0, 4), "little"), "")


def decrypt(source: Source, key: bytes, mode: str) -> "DecryptedSource":
    """Return the content of an encrypted file, which is decrypted as it is read.

    Raises:
        CheckpointError: the key or the mode is wrong, or the file is damaged.
        ImportError: the package `cryptography` is missing.
    """
    check_key(key, mode)
    blocks: list[_Block] = []
    position = start = 0
    allowance = Allowance(source.path, source.size)
    while position < source.size and not _is_trailer(source, position):
        number = int.from_bytes(source.read(position, 4), "little")
        if MODES.get(number) != mode:
            found = MODES.get(number, "not encrypted")
            advice = "give that mode" if number in MODES else "it is cut short or damaged"
            raise CheckpointError(f"{source.path}: the block at offset {position} is {found}, not {mode}; {advice}.")
        allowance.spend(BLOCK_ENTRY_BYTES)
        block = _block(source, position, mode, start)
        if mode != "AES-GCM":
            block = replace(block, length=_content_length(source, block, key, mode))
        blocks.append(block)
        position, start = block.end, start + block.length
    plain = DecryptedSource(source, blocks, key, mode)
    if plain.read(0, 1) != bytes([FIRST_BYTE]):
        raise _does_not_open(source, 0)
    return plain


class DecryptedSource(Source):
    """The content of an encrypted file, read like a file."""

    is_mapped = False
    _kept: ClassVar[OrderedDict[tuple[int, int], memoryview]] = OrderedDict()  # (file, block), the last used at the end
    _lock = Lock()

    def __init__(self, source: Source, blocks: "list[_Block]", key: bytes, mode: str):
        self.path = source.path
        self.size = blocks[-1].plain + blocks[-1].length if blocks else 0
        self._fd = -1
        self._source = source
        self._blocks = blocks
        self._starts = [block.plain for block in blocks]
        self._key = key
        self._mode = mode

    @property
    def mapping(self) -> Any:
        """The content by position, which is all that a reader of headers needs."""
        return self

    def __getitem__(self, at: int | slice) -> int | bytes:
        if isinstance(at, slice):
            return self.read(at.start, at.stop - at.start)
        start, data = self._block(at)
        return data[at - start]

    def read_into(self, offset: int, target: memoryview) -> None:
        done = 0
        while done < len(target):
            start, data = self._block(offset + done)
            piece = data[offset + done - start :][: len(target) - done]
            target[done : done + len(piece)] = piece
            done += len(piece)

    def close(self) -> None:
        self._source.close()
        with self._lock:
            for kept in [kept for kept in self._kept if kept[0] == id(self)]:
                del self._kept[kept]

    def _block(self, at: int) -> tuple[int, memoryview]:
        """Decrypt the block that holds a position; return where it begins, and its bytes."""
        number = bisect.bisect_right(self._starts, at) - 1
        key = (id(self), number)
        with self._lock:
            if key not in self._kept:
                while len(self._kept) >= MAX_CACHED_BLOCKS:
                    self._kept.popitem(last=False)
                self._kept[key] = _decrypt_block(self._source, self._blocks[number], self._key, self._mode)
            self._kept.move_to_end(key)
            return self._starts[number], self._kept[key]

    def __del__(self) -> None:
        self.close()  # or another file with the same id would get its blocks


class EncryptingSink(Sink):
    """Cuts what it is given into blocks and hands them on encrypted."""

    def __init__(self, target: Sink, key: bytes, mode: str):
        check_key(key, mode)
        self._target = target
        self._key = key
        self._mode = mode
        self._text = bytearray()  # what is encrypted of the current block
        self._filled = self._taken = 0  # its bytes, and those of the content in it
        self._nonce = b""
        self._cipher: Any = None

    def write(self, data: Bytes) -> None:
        view = memoryview(data)
        while len(view):
            if self._cipher is None:
                self._begin()
            piece = view[: min(CHUNK, BLOCK_BYTES - self._taken)]
            self._encrypt(piece)
            self._taken += len(piece)
            view = view[len(piece) :]
            if self._taken == BLOCK_BYTES:
                self._seal()

    def flush(self) -> None:
        if self._cipher is not None:
            self._seal()

    def _begin(self) -> None:
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._cipher = _cipher(self._key, self._mode, self._nonce).encryptor()
        self._filled = self._taken = 0

    def _encrypt(self, piece: Bytes) -> None:
        missing = self._filled + len(piece) + CIPHER_BYTES - len(self._text)
        if missing > 0:
            self._text += bytes(missing)
        with memoryview(self._text) as text:
            self._filled += self._cipher.update_into(piece, text[self._filled :])

    def _seal(self) -> None:
        if self._mode != "AES-GCM":
            missing = CIPHER_BYTES - self._taken % CIPHER_BYTES
            self._encrypt(bytes([missing]) * missing)
        self._cipher.finalize()
        tag = self._cipher.tag if self._mode == "AES-GCM" else b""
        rest = _number(NONCE_BYTES) + self._nonce + _number(self._filled)
        self._target.write(_number(NUMBERS[self._mode]) + tag + _number(len(rest) + self._filled) + rest)
        with memoryview(self._text) as text:
            self._target.write(text[: self._filled])
        self._cipher = None


@dataclass(frozen=True, slots=True)
class _Block:
    """The place of a block."""

    offset: int  # where it begins in the file
    end: int  # where it ends
    tag: bytes  # GCM's proof that nothing was changed
    nonce: bytes  # what it was encrypted with besides the key
    text: int  # where its ciphertext begins
    text_length: int  # bytes of the ciphertext
    plain: int  # where its content begins in the whole content
    length: int  # bytes of its content


def _block(source: Source, position: int, mode: str, plain: int) -> _Block:
    """Look at the block at `position`, every length checked against the file."""
    at = position + 4
    tag = source.read(at, TAG_BYTES) if mode == "AES-GCM" else b""
    at += len(tag)
    length, nonce_length = _numbers(source, at)
    nonce = source.read(at + 8, min(nonce_length, 64))
    (text_length,) = _numbers(source, at + 8 + nonce_length, 1)
    text, end = at + 12 + nonce_length, at + 4 + length
    if nonce_length > 64 or text + text_length != end or end > source.size or text_length > BLOCK_BYTES + 64:
        raise CheckpointError(f"{source.path}: the encrypted block at offset {position} is cut short or damaged.")
    return _Block(position, end, tag, nonce, text, text_length, plain, text_length)


def _decrypt_block(source: Source, block: _Block, key: bytes, mode: str) -> memoryview:
    """Decrypt a block; with GCM, nothing is given out before the tag has proved it."""
    plain = memoryview(bytearray(block.text_length + CIPHER_BYTES))
    try:
        cipher = _cipher(key, mode, block.nonce, block.tag).decryptor()
        done = 0
        for piece in source.chunks(block.text, block.text_length):
            done += cipher.update_into(piece, plain[done:])
        cipher.finalize()
    except (ImportError, CheckpointError):
        raise
    except Exception as error:  # InvalidTag, or a ValueError about lengths
        raise _does_not_open(source, block.offset) from error
    return plain[: block.length].toreadonly()


def _content_length(source: Source, block: _Block, key: bytes, mode: str) -> int:
    """Return the bytes of the content of a CBC block; for that, its end is decrypted."""
    try:
        last = block.text + block.text_length - CIPHER_BYTES
        before = block.nonce if last == block.text else source.read(last - CIPHER_BYTES, CIPHER_BYTES)
        cipher = _cipher(key, mode, before).decryptor()
        end = cipher.update(source.read(last, CIPHER_BYTES)) + cipher.finalize()
    except ImportError:
        raise
    except Exception as error:  # a ValueError about lengths
        raise _does_not_open(source, block.offset) from error
    missing = end[-1] if end else 0
    if block.text_length % CIPHER_BYTES or not 1 <= missing <= CIPHER_BYTES:
        raise _does_not_open(source, block.offset)
    if end[-missing:] != bytes([missing]) * missing:
        raise _does_not_open(source, block.offset)
    return block.text_length - missing


def _does_not_open(source: Source, offset: int) -> CheckpointError:
    return CheckpointError(f"{source.path}: the block at offset {offset} does not open: wrong key, or a damaged file.")


def _cipher(key: bytes, mode: str, nonce: bytes, tag: bytes | None = None) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError as error:
        raise ImportError(
            "Encrypted checkpoints need the package cryptography: pip install 'msbridge[crypto]'."
        ) from error
    if mode == "AES-GCM":
        return Cipher(algorithms.AES(key), modes.GCM(nonce[:GCM_NONCE_BYTES], tag or None))
    return Cipher((algorithms.SM4 if mode == "SM4-CBC" else algorithms.AES)(key), modes.CBC(nonce))


def _is_trailer(source: Source, position: int) -> bool:
    """Whether MindSpore's checksum, which it writes in the clear behind encrypted blocks, is all that is left."""
    return source.size - position == 17 and source.read(position, 7) == b"crc_num"


def _number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _numbers(source: Source, position: int, count: int = 2) -> tuple[int, ...]:
    data = source.read(position, 4 * count)
    return tuple(int.from_bytes(data[4 * i : 4 * i + 4], "little") for i in range(count))
