"""Encrypted MindRecord files: both files of a pair, sealed when they are complete, and opened into files of their own.

    file = block …, length 0, mode (7 letters), "ENCRYPT"        block = length (4 bytes, big-endian), sealed content

A sealed content is a block of an encrypted checkpoint; it holds at most 64 MiB. What is opened lies in a folder of the
system's for temporary files, which only this user can enter, until nobody reads it any more.
"""

import contextlib
import os
import secrets
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from msbridge.converters.formats.encryption import BLOCK_BYTES, GCM_NONCE_BYTES, NONCE_BYTES, NUMBERS, TAG_BYTES
from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.mindrecord.errors import damage_error

__all__ = ["set_dec_mode", "set_enc_key", "set_enc_mode"]

END, OWN_MODE = b"ENCRYPT", b"UDF-ENC"
GCM = "AES-GCM"
LENGTH_BYTES = 4
TRAILER_BYTES = LENGTH_BYTES + len(OWN_MODE) + len(END)
HEAD_BYTES = 4 + TAG_BYTES + 4 + 4 + NONCE_BYTES + 4  # of a sealed content, in front of the ciphertext

Mode = str | Callable[[BinaryIO, int, BinaryIO, str], Any]

_settings: dict[str, Any] = {"key": None, "encrypts": GCM, "decrypts": None}


def set_enc_key(enc_key: str | None) -> None:
    """Set the key with which files are encrypted and decrypted; None leaves them as they are.

    Args:
        enc_key: 16, 24 or 32 characters.

    Raises:
        ValueError: it is not a string, or of another length.

    Follows: mindspore.mindrecord.set_enc_key (2.10).
    """
    if enc_key is not None and not isinstance(enc_key, str):
        raise ValueError(f"The input enc_key is not str, but {type(enc_key)}.")
    if enc_key is not None and len(enc_key) not in (16, 24, 32):
        raise ValueError(f"The length of input enc_key is not 16, 24, 32, but {len(enc_key)}.")
    _settings["key"] = enc_key


def set_enc_mode(enc_mode: Mode = GCM) -> None:
    """Set how files are encrypted.

    Args:
        enc_mode: "AES-GCM", or a function that takes a file to read, its size, a file to write, and the key.

    Raises:
        ValueError: it is neither.

    Follows: mindspore.mindrecord.set_enc_mode (2.10).
    """
    _settings["encrypts"] = _check_mode(enc_mode, "enc_mode")


def set_dec_mode(dec_mode: Mode | None = GCM) -> None:
    """Set how files are decrypted.

    Args:
        dec_mode: "AES-GCM", or a function that takes a file to read, its size without the last 7 bytes, a file to
            write, and the key; None is what `set_enc_mode` says.

    Raises:
        ValueError: it is neither.

    Follows: mindspore.mindrecord.set_dec_mode (2.10).
    """
    _settings["decrypts"] = None if dec_mode is None else _check_mode(dec_mode, "dec_mode")


def _check_mode(mode: Any, name: str) -> Mode:
    if not callable(mode) and not isinstance(mode, str):
        raise ValueError(f"The input {name} is not str.")
    if isinstance(mode, str) and mode != GCM:
        raise ValueError(f"The input {name} is invalid: it must be {GCM!r} or a function, got {mode!r}.")
    return mode


def has_key() -> bool:
    """Whether files are encrypted when they are written."""
    return _settings["key"] is not None


def encrypt(path: Path) -> None:
    """Encrypt a complete file in its place; without a key, leave it as it is.

    Raises:
        ImportError: the package `cryptography` is missing.
    """
    key, mode = _settings["key"], _settings["encrypts"]
    if key is None:
        return
    sealed = path.with_name(path.name + "~")
    try:
        with path.open("rb") as source, sealed.open("wb") as target:
            if callable(mode):
                mode(source, os.fstat(source.fileno()).st_size, target, key)
            else:
                while data := source.read(BLOCK_BYTES):
                    _write_block(target, _encrypt_block(data, key.encode()))
            _write_block(target, b"")
            target.write((OWN_MODE if callable(mode) else mode.encode()) + END)
        with sealed.open("rb") as source, path.open("wb") as target:  # into the very file that is being replaced
            shutil.copyfileobj(source, target)
    finally:
        sealed.unlink(missing_ok=True)


def is_encrypted(path: Path) -> bool:
    """Whether a file ends as encrypted ones do."""
    with contextlib.suppress(OSError), open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - len(END)))
        return size > TRAILER_BYTES and file.read() == END
    return False


class Decrypted:
    """The files of a pair, decrypted into a folder of their own, which is removed with this."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="msbridge-"))
        self._finished: dict[Path, Path] = {}
        weakref.finalize(self, shutil.rmtree, self._folder, True)

    def locate(self, path: Path) -> Path:
        """Return the path of a file's content.

        Raises:
            RuntimeError: the file is not encrypted, or the key or the mode is another one.
        """
        if path not in self._finished:
            if not path.is_file():
                return path
            target = self._folder / f"{len(self._finished)}"
            _decrypt(path, target)
            self._finished[path] = target
        return self._finished[path]


def decrypt_files(path: Path) -> Decrypted | None:
    """Return the decrypted content of a file and its index; None where no key is set.

    Raises:
        RuntimeError: the file is encrypted, but no key is set.
    """
    if has_key():
        return Decrypted()
    if is_encrypted(path):
        raise RuntimeError(
            f"The mindrecord file {path} is encrypted. You need to configure 'mindspore.mindrecord.set_enc_key(...)' "
            "and 'mindspore.mindrecord.set_enc_mode(...)' for decryption."
        )
    return None


def _decrypt(path: Path, target: Path) -> None:
    if not is_encrypted(path):
        raise RuntimeError(
            f"The mindrecord file {path} is not encrypted. You can set 'mindspore.mindrecord.set_enc_key(None)' to "
            "disable the decryption."
        )
    key, mode = _settings["key"], _settings["decrypts"] or _settings["encrypts"]
    if _settings["decrypts"] is None and callable(mode):
        raise RuntimeError("You use custom encryption, so you must also define custom decryption: call set_dec_mode.")
    with open_file(path) as source, target.open("xb") as content:
        size = os.fstat(source.fileno()).st_size
        source.seek(size - len(END) - len(OWN_MODE))
        if source.read(len(OWN_MODE)) != (OWN_MODE if callable(mode) else mode.encode()):
            raise _does_not_open(path)
        source.seek(0)
        if callable(mode):
            mode(source, size - len(END), content, key)
            return
        for block in _blocks(source, path, size - TRAILER_BYTES):
            content.write(_decrypt_block(block, key.encode(), path))


def _blocks(source: BinaryIO, path: Path, size: int) -> Iterator[bytes]:
    place = 0
    while place < size:
        length = int.from_bytes(source.read(LENGTH_BYTES), "big", signed=True)
        place += LENGTH_BYTES + length
        if not HEAD_BYTES <= length <= BLOCK_BYTES + HEAD_BYTES or place > size:
            raise damage_error(path, f"an encrypted block of {length} bytes ends at byte {place} of {size}")
        yield source.read(length)


def _write_block(target: BinaryIO, data: bytes) -> None:
    target.write(len(data).to_bytes(LENGTH_BYTES, "big", signed=True) + data)


def _encrypt_block(data: bytes, key: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE_BYTES)
    found = _cipher(key).encrypt(nonce[:GCM_NONCE_BYTES], data, None)
    text, tag = found[:-TAG_BYTES], found[-TAG_BYTES:]
    return _head(tag, nonce, len(text)) + text


def _head(tag: bytes, nonce: bytes, length: int) -> bytes:
    rest = _number(NONCE_BYTES) + nonce + _number(length)
    return _number(NUMBERS[GCM]) + tag + _number(len(rest) + length) + rest


def _decrypt_block(block: bytes, key: bytes, path: Path) -> bytes:
    tag, text = block[4 : 4 + TAG_BYTES], block[HEAD_BYTES:]
    nonce = block[HEAD_BYTES - 4 - NONCE_BYTES : HEAD_BYTES - 4]
    if block[:HEAD_BYTES] != _head(tag, nonce, len(text)):
        raise damage_error(path, "the head of an encrypted block is wrong")
    cipher = _cipher(key)
    try:
        opened: bytes = cipher.decrypt(nonce[:GCM_NONCE_BYTES], text + tag, None)
    except Exception as error:  # InvalidTag, or a ValueError about lengths
        raise _does_not_open(path) from error
    return opened


def _cipher(key: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise ImportError(
            'Encrypted MindRecord files need the package cryptography: pip install "msbridge[crypto]".'
        ) from error
    return AESGCM(key)


def _number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _does_not_open(path: Path) -> RuntimeError:
    return RuntimeError(
        f"Failed to decrypt data, please check if enc_key and enc_mode / dec_mode is valid: {path} does not open."
    )
