"""Which weights with a kernel of height one go back to torch as Conv1d, and on what evidence."""

import pytest

from msbridge.converters.names.by_guess.convolutions import conv1d, doubtful

CASES = {
    "a name": ({"a.conv1d": (8, 4, 1, 3), "b": (8, 4, 3, 3)}, {"a.conv1d": "its name says so"}),
    "one channel": ({"eca": (1, 1, 1, 3), "b": (8, 4, 3, 3)}, {"eca": "one channel and a wide kernel"}),
    "the whole file": ({"a": (8, 4, 1, 3), "b": (8, 8, 1, 1)}, {"a": "of the file have", "b": "of the file have"}),
    "a part of the network": (
        {"audio.a": (8, 4, 1, 3), "audio.b": (8, 4, 1, 5), "audio.c": (8, 4, 1, 1), "video.a": (8, 4, 3, 3)},
        dict.fromkeys(("audio.a", "audio.b", "audio.c"), "all kernels of 'audio' have height one"),
    ),
    "a pair is one square kernel": ({"x.a": (8, 8, 1, 7), "x.b": (8, 8, 1, 7), "y.a": (8, 8, 7, 1)}, {}),
    "a name, though there is a pair": ({"conv1d": (8, 8, 1, 7), "b": (8, 8, 7, 1)}, {"conv1d": "its name says so"}),
    "one alone beside higher ones": ({"x.a": (8, 8, 1, 7), "y.a": (8, 8, 3, 3)}, {}),
    "only 1×1": ({"a": (8, 8, 1, 1)}, {}),
    "nothing": ({}, {}),
}


@pytest.mark.parametrize("name", CASES)
def test_evidence(name):
    kernels, expected = CASES[name]
    found = conv1d(kernels)
    assert found.keys() == expected.keys()
    assert all(expected[path] in why for path, why in found.items())


def test_what_stays_without_evidence_is_doubtful():
    assert doubtful({"a": (8, 8, 1, 7), "b": (8, 8, 3, 3)}) == {"a": "a kernel of 1×7 beside higher ones"}
    assert doubtful({"a": (8, 8, 1, 1)}) == {"a": "all kernels of the file are 1×1"}
    assert doubtful({"a": (8, 8, 1, 1), "b": (8, 8, 3, 3)}) == {}
