"""Frames, sound, timestamps and metadata of videos."""

# ruff: noqa: E501, F401

import pathlib

import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import vision

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import VIDEOS as videos
from tests.oracle.cases.dataset._files import case_context, rows, tries, write

NAMES = [
    "aac.mp4",
    "f25.mp4",
    "h264.mp4",
    "h265.mp4",
    "m4.avi",
    "odd.avi",
    "pcm.avi",
    "raw.264",
    "sound.wav",
    "wmv.wmv",
]


def P(name):
    return str(videos / name)


def B(name):
    return np.fromfile(P(name), np.uint8)


def rv(name, *arguments):
    return vision.read_video(P(name), *arguments)


def refused(reader):
    write("x.txt", "no video")
    write("empty.mp4", b"")
    wrong = (3, "nope", ".", "", None, "x.txt", "empty.mp4", pathlib.Path(P("m4.avi")))
    return tries(*(lambda path=path: reader(path) for path in wrong))


def decoded(column, *names):
    rows_of = [(B(name),) for name in ("m4.avi", "pcm.avi")]
    return rows(ds.GeneratorDataset(rows_of, "d", shuffle=False).map(vision.DecodeVideo(), "d", column))


NEEDS = "av"


CASES = each(
    r"""
vision.read_video_timestamps(P("aac.mp4"))
vision.read_video_timestamps(P("aac.mp4"), "sec")
vision.VideoDecoder(P("aac.mp4")).metadata
rv("f25.mp4")
vision.DecodeVideo()(B("f25.mp4"))
vision.read_video_timestamps(P("f25.mp4"))
vision.read_video_timestamps(P("f25.mp4"), "sec")
vision.VideoDecoder(P("f25.mp4")).metadata
rv("h264.mp4")
vision.DecodeVideo()(B("h264.mp4"))
vision.read_video_timestamps(P("h264.mp4"))
vision.read_video_timestamps(P("h264.mp4"), "sec")
vision.VideoDecoder(P("h264.mp4")).metadata
rv("h265.mp4")
vision.DecodeVideo()(B("h265.mp4"))
vision.read_video_timestamps(P("h265.mp4"))
vision.read_video_timestamps(P("h265.mp4"), "sec")
vision.VideoDecoder(P("h265.mp4")).metadata
rv("m4.avi")
vision.DecodeVideo()(B("m4.avi"))
vision.read_video_timestamps(P("m4.avi"))
vision.read_video_timestamps(P("m4.avi"), "sec")
vision.VideoDecoder(P("m4.avi")).metadata
rv("odd.avi")
vision.DecodeVideo()(B("odd.avi"))
vision.read_video_timestamps(P("odd.avi"))
vision.read_video_timestamps(P("odd.avi"), "sec")
vision.VideoDecoder(P("odd.avi")).metadata
rv("pcm.avi")
vision.DecodeVideo()(B("pcm.avi"))
vision.read_video_timestamps(P("pcm.avi"))
vision.read_video_timestamps(P("pcm.avi"), "sec")
vision.VideoDecoder(P("pcm.avi")).metadata
rv("raw.264")
vision.DecodeVideo()(B("raw.264"))
vision.read_video_timestamps(P("raw.264"))
vision.read_video_timestamps(P("raw.264"), "sec")
rv("sound.wav")
vision.DecodeVideo()(B("sound.wav"))
vision.read_video_timestamps(P("sound.wav"))
vision.read_video_timestamps(P("sound.wav"), "sec")
rv("wmv.wmv")
vision.DecodeVideo()(B("wmv.wmv"))
vision.read_video_timestamps(P("wmv.wmv"))
vision.read_video_timestamps(P("wmv.wmv"), "sec")
rv("h264.mp4", 2)
rv("h264.mp4", 2048)
rv("h264.mp4", 2048, 6000)
rv("h264.mp4", 0, 0)
rv("h264.mp4", 1024, 1024)
rv("h264.mp4", 0.3, 0.5, "sec")
rv("h264.mp4", 0.3, None, "sec")
rv("h264.mp4", 0.35, 0.5, "sec")
rv("h264.mp4", 50, None, "sec")
rv("pcm.avi", 0.2, 0.5, "sec")
rv("pcm.avi", 2, 5)
rv("m4.avi", 2, 5)
rv("m4.avi", 2.5, 5.5)
rv("m4.avi", 5, 2)
rv("m4.avi", -1)
rv("m4.avi", "1")
rv("m4.avi", 0, "1")
rv("m4.avi", 0, -1)
rv("m4.avi", 0, None, "s")
rv("m4.avi", 0, None, 3)
rv("m4.avi", None)
rv("m4.avi", __import__("fractions").Fraction(1, 2), 2, "sec")
rv("f25.mp4", 10000, 11000)
rv("m4.mp4", 0, 2.5)
refused(vision.read_video)
refused(vision.read_video_timestamps)
tries(lambda: vision.read_video_timestamps(P("m4.avi"), "s"), lambda: vision.read_video_timestamps(P("m4.avi"), 3))
tries(lambda: vision.DecodeVideo()(3), lambda: vision.DecodeVideo()(np.array([], np.uint8)), lambda: vision.DecodeVideo()(np.zeros((2, 2), np.uint8)), lambda: vision.DecodeVideo()(np.zeros(5, np.int32)), lambda: vision.DecodeVideo()(np.zeros(500, np.uint8)))
tries(lambda: vision.DecodeVideo()(B("m4.avi").tobytes()), lambda: vision.DecodeVideo()(list(B("m4.avi"))), lambda: vision.DecodeVideo()("x"), lambda: vision.DecodeVideo()(B("m4.avi")[:500]), lambda: vision.DecodeVideo()(B("m4.avi")[:3000]), lambda: vision.DecodeVideo(1))
decoded(["v", "a"])
decoded("d")
tries(lambda: vision.VideoDecoder("nope"), lambda: vision.VideoDecoder(3), lambda: vision.VideoDecoder("."), lambda: vision.VideoDecoder(P("h264.mp4")).get_frames_at([0]))
""",
    may_raise=True,
)
