"""Checkpoints as MindSpore writes them, byte for byte. Encrypted ones hold random nonces: they are only read."""

import stat
from pathlib import Path
from unittest import mock

import mindspore as ms
import numpy as np

from tests.converters.checkpoint_cases import (  # noqa: F401
    APPENDED,
    DTYPES,
    KEYS,
    LARGE,
    SLICE_KIB,
    SMALL,
    numbers,
)
from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context  # noqa: F401

PLAIN = [case for case in DTYPES if case[1] not in ("bfloat16", "complex128")]


def tensors(case: list) -> list[dict]:
    made = []
    for name, dtype, shape in case:
        width = "complex128" if dtype.startswith("complex") else "float64"
        values = np.array(numbers(dtype, shape), width if dtype != "bool_" else bool).reshape(shape)
        narrow = values if dtype == "bfloat16" else values.astype(dtype.rstrip("_"))
        data = ms.Tensor(narrow.astype(np.float32), ms.bfloat16) if dtype == "bfloat16" else ms.Tensor(narrow)
        made.append({"name": name, "data": data})
    return made


def saved(name: str, case: list, **options: object) -> bytes:
    ms.save_checkpoint(tensors(case), name, **options)
    assert stat.S_IMODE(Path(name).stat().st_mode) == 0o400
    return Path(name).read_bytes()


def sliced(name: str, case: list) -> bytes:
    with mock.patch.object(ms.train.serialization, "SLICE_SIZE", SLICE_KIB):
        return saved(name, case)


CASES = each("""
    saved("dtypes.ckpt", DTYPES)
    saved("small.ckpt", SMALL)
    saved("crc.ckpt", SMALL, crc_check=True)
    saved("appended.ckpt", SMALL, append_dict=dict(APPENDED))
    saved("AES-GCM.ckpt", SMALL, enc_key=KEYS["AES-GCM"], enc_mode="AES-GCM")
    saved("AES-CBC.ckpt", SMALL, enc_key=KEYS["AES-CBC"], enc_mode="AES-CBC")
    saved("SM4-CBC.ckpt", SMALL, enc_key=KEYS["SM4-CBC"], enc_mode="SM4-CBC")
    saved("dtypes.safetensors", PLAIN, format="safetensors")
    saved("crc.safetensors", SMALL, format="safetensors", crc_check=True)
    sliced("sliced.ckpt", LARGE)
""")
