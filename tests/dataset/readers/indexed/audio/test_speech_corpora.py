"""Readers of transcripts. Judge: what MindSpore 2.10 answered."""

from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from tests.dataset.pipelines import column


def talk(tmp_path: Path, utterances: str, form: str = "01", head: bytes = b"NIST_1A\n   1024\n") -> ds.TedliumDataset:
    for kind in ("sph", "stm"):
        (tmp_path / "data" / kind).mkdir(parents=True, exist_ok=True)
    fields = f"sample_rate -i 16000\nsample_byte_format -s2 {form}\nsample_count -i 400\nend_head\n".encode()
    samples = np.arange(400).astype("<i2" if form == "01" else ">i2").tobytes()
    (tmp_path / "data/sph/t.sph").write_bytes((head + fields).ljust(1024) + samples)
    (tmp_path / "data/stm/t.stm").write_text(utterances)
    return ds.TedliumDataset(str(tmp_path), "release3", shuffle=False)


@pytest.mark.parametrize("form", ["01", "10"])
def test_utterances_are_stretches_of_a_talk(form: str, tmp_path: Path) -> None:
    """MindSpore 2.10 returns as many zeros."""
    data = talk(tmp_path, "t 1 s 0.01 0.0105 <o> one two\n", form)
    np.testing.assert_array_equal(column(data, "waveform")[0], np.arange(160, 168)[None] / 32768)


@pytest.mark.parametrize("utterance", ["t 1 s 0.0 9.0 <o> x", "t 1 s 0.5 0.1 <o> x", "t 1 s", "t 1 s a b <o> x", ""])
def test_a_wrong_stretch_names_its_file(utterance: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"t\.s"):
        column(talk(tmp_path, utterance + "\n"), "waveform")


@pytest.mark.parametrize("head", [b"RIFF", b"NIST_1A\n9999999\n", b"NIST_1A\n   abc\n"])
def test_what_is_no_sphere_file_is_named(head: bytes, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"t\.sph cannot be read as a SPHERE file"):
        column(talk(tmp_path, "t 1 s 0.0 0.01 <o> x\n", head=head), "waveform")
