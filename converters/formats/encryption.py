"""MindSpore's encrypted files: blocks of at most 64 MiB, each with a key of 16, 24 or 32 bytes (SM4: 16).

    block = mode (4 bytes), for AES-GCM a tag (16), length of the rest (4), length of the nonce (4), nonce,
            length of the ciphertext (4), ciphertext

Numbers are little-endian. The CBC modes pad as PKCS#7 does; GCM uses the first twelve bytes of the nonce.
"""

import secrets
from dataclasses import dataclass
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files import Bytes, InnerSource, Sink, Source

MODES = {0x7F3A5ED8: "AES-GCM", 0x7F3A5ED9: "AES-CBC", 0x7F3A5EDA: "SM4-CBC"}
NUMBERS = {mode: number for number, mode in MODES.items()}
BLOCK_BYTES = 64 << 20
NONCE_BYTES = TAG_BYTES = 16
GCM_NONCE_BYTES = 12  # of the 16 that are stored; the rest plays no part


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


def decrypt(source: Source, key: bytes, mode: str) -> InnerSource:
    """Give the content of an encrypted file; it is held in memory.

    Raises:
        CheckpointError: the key or the mode is wrong, or the file is damaged.
        ImportError: the package `cryptography` is missing.
    """
    check_key(key, mode)
    plain = bytearray()
    position = 0
    while position < source.size and not _is_trailer(source, position):
        number = int.from_bytes(source.read(position, 4), "little")
        if MODES.get(number) != mode:
            found = MODES.get(number, "not encrypted")
            raise CheckpointError(f"{source.path}: the block at offset {position} is {found}, not {mode}.")
        block = _block(source, position, mode)
        plain += _open(source, block, key, mode)
        position = block.end
    return InnerSource(source.path, plain)


class EncryptingSink(Sink):
    """Cuts what it is given into blocks and hands them on encrypted."""

    def __init__(self, target: Sink, key: bytes, mode: str):
        check_key(key, mode)
        self._target = target
        self._key = key
        self._mode = mode
        self._pending = bytearray()

    def write(self, data: Bytes) -> None:
        view = memoryview(data)
        while len(view):
            taken = BLOCK_BYTES - len(self._pending)
            self._pending += view[:taken]
            view = view[taken:]
            if len(self._pending) == BLOCK_BYTES:
                self._seal()

    def flush(self) -> None:
        if self._pending:
            self._seal()

    def _seal(self) -> None:
        plain, self._pending = self._pending, bytearray()
        nonce = secrets.token_bytes(NONCE_BYTES)
        cipher = _cipher(self._key, self._mode, nonce).encryptor()
        text = cipher.update(_padded(plain, self._mode)) + cipher.finalize()
        rest = _number(NONCE_BYTES) + nonce + _number(len(text))
        tag = cipher.tag if self._mode == "AES-GCM" else b""
        self._target.write(_number(NUMBERS[self._mode]) + tag + _number(len(rest) + len(text)) + rest)
        self._target.write(text)


@dataclass(frozen=True, slots=True)
class _Block:
    tag: bytes
    nonce: bytes
    text: bytes
    offset: int
    end: int


def _block(source: Source, position: int, mode: str) -> _Block:
    """Read the block at `position`, every length checked against the file."""
    at = position + 4
    tag = source.read(at, TAG_BYTES) if mode == "AES-GCM" else b""
    at += len(tag)
    length, nonce_length = _numbers(source, at)
    nonce = source.read(at + 8, min(nonce_length, 64))
    (text_length,) = _numbers(source, at + 8 + nonce_length, 1)
    start, end = at + 12 + nonce_length, at + 4 + length
    if nonce_length > 64 or start + text_length != end or end > source.size or text_length > BLOCK_BYTES + 64:
        raise CheckpointError(f"{source.path}: the encrypted block at offset {position} is cut short or damaged.")
    return _Block(tag, nonce, source.read(start, text_length), position, end)


def _open(source: Source, block: _Block, key: bytes, mode: str) -> bytes:
    try:
        cipher = _cipher(key, mode, block.nonce, block.tag).decryptor()
        plain = cipher.update(block.text) + cipher.finalize()
        return plain if mode == "AES-GCM" else _unpadded(plain)
    except ImportError:
        raise
    except Exception as error:  # InvalidTag, or a ValueError about lengths or padding
        raise CheckpointError(
            f"{source.path}: the block at offset {block.offset} does not open: wrong key, or a damaged file."
        ) from error


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


def _padded(plain: bytes | bytearray, mode: str) -> bytes | bytearray:
    if mode == "AES-GCM":
        return plain
    missing = 16 - len(plain) % 16
    return plain + bytes([missing]) * missing


def _unpadded(plain: bytes) -> bytes:
    missing = plain[-1] if plain else 0
    if not 1 <= missing <= 16 or plain[-missing:] != bytes([missing]) * missing:
        raise ValueError("wrong padding")
    return plain[:-missing]


def _is_trailer(source: Source, position: int) -> bool:
    """Whether MindSpore's check sum, which it writes in the clear behind encrypted blocks, is all that is left."""
    return source.size - position == 17 and source.read(position, 7) == b"crc_num"


def _number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _numbers(source: Source, position: int, count: int = 2) -> tuple[int, ...]:
    data = source.read(position, 4 * count)
    return tuple(int.from_bytes(data[4 * i : 4 * i + 4], "little") for i in range(count))
