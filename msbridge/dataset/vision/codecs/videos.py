"""Videos: DecodeVideo, read_video, read_video_timestamps and VideoDecoder, by PyAV, which brings FFmpeg."""

import io
import os
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.runtime.path_mapping import resolve
from msbridge.dataset import config
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.source import check_file

__all__ = ["DecodeVideo", "VideoDecoder", "read_video", "read_video_timestamps"]

Time = int | float | Fraction
LAST = 2147483647.0
UNITS = ("pts", "sec")


class DecodeVideo:
    """Decode the bytes of a video file into its frames, uint8 (T, H, W, 3), and its sound, (C, L).

    Sound is float32, or int16 and the like where the file stores that; without any it is float32 (1, 0).

    Raises:
        TypeError: an eager call gets no array.
        RuntimeError: the bytes are not a uint8 array of one dimension, or no video.
        ImportError: PyAV is not installed.

    Follows: mindspore.dataset.vision.DecodeVideo (2.10).
    """

    def __call__(self, data: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not isinstance(data, np.ndarray):
            raise TypeError(f"The type of the encoded video should be <class 'numpy.ndarray'>, got {type(data)}.")
        if data.ndim != 1 or data.dtype != np.uint8 or not data.size:
            raise pipeline_error(
                f"DecodeVideo: the data should be a uint8 array of one dimension, got {data.dtype} {data.shape}."
            )
        with _open_container(io.BytesIO(data.tobytes()), "DecodeVideo") as container:
            frames, sound, _ = _contents(container, 0.0, LAST, "pts")
        return frames, sound


def read_video(
    filename: str, start_pts: Time = 0, end_pts: Time | None = None, pts_unit: str = "pts"
) -> tuple[np.ndarray, np.ndarray, dict[str, float | int]]:
    """Read frames and sound of a video file.

    Args:
        filename: the file.
        start_pts: the time of the first frame.
        end_pts: the time of the last frame; None is the end.
        pts_unit: "pts", the time base of the file, or "sec", seconds.

    Returns:
        The frames, uint8 (T, H, W, 3); the sound, (C, L), of the part of the time that the frames are; and
        `video_fps` and `audio_fps`, where there are frames and sound.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such file, or a time or a unit is not allowed.
        RuntimeError: the file is not a video.
        ImportError: PyAV is not installed.

    Follows: mindspore.dataset.vision.read_video (2.10).
    """
    _require_type(filename, "filename", (str,))
    end = LAST if end_pts is None else end_pts
    _require_type(start_pts, "start_pts", (float, Fraction, int))
    if start_pts < 0:
        raise ValueError(f"Not supported start_pts for {start_pts}. The start_pts should be >= 0.")
    _require_type(end, "end_pts", (float, Fraction, int))
    if end < start_pts:
        raise ValueError(f"Not supported end_pts for {end}. It should be >= start_pts = {start_pts}.")
    _require_type(pts_unit, "pts_unit", (str,))
    if pts_unit not in UNITS:
        raise ValueError(f"Not supported pts_unit for {pts_unit}; it is one of {list(UNITS)}.")
    path = resolve(filename)
    if not filename or not Path(path).is_file():
        raise ValueError(f"Invalid file path, {filename} does not exist or is not a regular file.")
    with _open_container(path, filename) as container:
        return _contents(container, float(start_pts), float(end), pts_unit)


def read_video_timestamps(filename: str, pts_unit: str = "pts") -> tuple[list[int] | list[float], float | None]:
    """Read the times of the frames of a video file.

    Args:
        filename: the file.
        pts_unit: "pts", the time base of the file, or "sec", seconds.

    Returns:
        The times, and frames per second; None where there are no frames.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: there is no such file, it is not a video, or a unit is not allowed.
        ImportError: PyAV is not installed.

    Follows: mindspore.dataset.vision.read_video_timestamps (2.10).
    """
    _require_type(filename, "filename", (str,))
    _require_type(pts_unit, "pts_unit", (str,))
    if pts_unit not in UNITS:
        raise RuntimeError(f"ReadVideoTimestamps: Not supported pts_unit for {pts_unit}; it is one of {list(UNITS)}.")
    path = resolve(filename)
    if not filename or not Path(path).is_file():
        raise RuntimeError(f"ReadVideoTimestamps: Invalid file path, {filename} is not a regular file.")
    with _open_container(path, filename) as container:
        if not container.streams.video:
            return [], None
        stream = container.streams.video[0]
        times = [time for _, time in _decode_container(container)[0]]
        rate = float(_rate(stream))
        return (times if pts_unit == "pts" else [time * float(stream.time_base) for time in times]), rate


class VideoDecoder:
    """A video file, what it says of itself, and its frames by their numbers.

    Args:
        source: the file.

    Raises:
        TypeError: `source` is not a string.
        ValueError: there is no such file.
        RuntimeError: it is not a video.
        ImportError: PyAV is not installed.

    Follows: mindspore.dataset.vision.VideoDecoder (2.10).
    """

    def __init__(self, source: str | os.PathLike[str]) -> None:
        self._path = os.fspath(check_file(source, "source"))
        self.source = source
        self._metadata = self.metadata

    @property
    def metadata(self) -> dict[str, float | int]:
        """`width`, `height`, `duration_seconds`, `num_frames` and `average_fps`."""
        with _open_container(self._path, self._path) as container:
            stream = container.streams.video[0]
            return {
                "width": stream.width,
                "height": stream.height,
                "duration_seconds": round(float(stream.duration * stream.time_base), 6),
                "num_frames": stream.frames,
                "average_fps": float(stream.average_rate),
            }

    def get_frames_at(self, indices: list[int]) -> np.ndarray:
        """Return the frames with some numbers, uint8 (T, H, W, 3), in that order.

        Raises:
            RuntimeError: `mindspore.dataset.config.set_video_backend` was not set to "Ascend".
            TypeError: `indices` is not a list of ints.
            ValueError: there is no frame of a number.

        Follows: mindspore.dataset.vision.VideoDecoder.get_frames_at (2.10).
        """
        if config.get_video_backend() != "Ascend":
            raise RuntimeError("Method get_frames_at is only supported on Ascend platform.")
        _require_type(indices, "indices", (list,))
        for index in indices:
            _require_type(index, "indices", (int,))
        if not indices:
            return np.empty(0, np.uint8)
        count = self._metadata["num_frames"]
        if outside := [index for index in indices if not 0 <= index < count]:
            raise ValueError(f"Invalid frame indices {outside}: they must be within [0, {count}).")
        wanted = set(indices)
        with _open_container(self._path, self._path) as container:
            frames = _decode_container(container)[0]
            found = {number: _pixels(frames[number][0]) for number in wanted}
        return np.stack([found[index] for index in indices])


def _open_container(source: Any, name: str) -> Any:
    try:
        import av
    except ImportError as error:
        raise ImportError('Reading videos needs the package av: pip install "msbridge[video]"') from error
    try:
        return av.open(source)
    except (av.FFmpegError, ValueError) as error:
        raise pipeline_error(f"Invalid video, {name} is not a video file that FFmpeg reads ({error}).") from error


def _contents(
    container: Any, start: float, end: float, unit: str
) -> tuple[np.ndarray, np.ndarray, dict[str, float | int]]:
    """Return frames and sound between two times, and what their rates are."""
    rates: dict[str, float | int] = {}
    frames, begin, share = np.empty((0, 1, 1, 3), np.uint8), 0.0, 1.0
    pictures, sound = _decode_container(container)
    if container.streams.video:
        stream = container.streams.video[0]
        scale = 1.0 if unit == "pts" else 1 / float(stream.time_base)
        first, last = floor(start * scale + 0.5), floor(end * scale + 0.5)
        kept = [place for place, (_, time) in enumerate(pictures) if first <= time <= last]
        frames = np.empty((0, stream.height, stream.width, 3), np.uint8)
        if kept:
            frames = np.stack([_pixels(pictures[place][0]) for place in kept])
        begin = kept[0] / len(pictures) if kept else 1.0
        share = len(kept) / max(len(pictures), 1)
        rates["video_fps"] = float(_rate(stream))
    if container.streams.audio:
        rates["audio_fps"] = container.streams.audio[0].rate
        at, count = round(begin * sound.shape[1]), round(share * sound.shape[1])
        sound = sound[:, at : at + count]
    return frames, sound, dict(sorted(rates.items()))


def _decode_container(container: Any) -> tuple[list[tuple[Any, int]], np.ndarray]:
    """Return the frames of a container with their times, in order, and its sound (C, L).

    A raw stream has no times: they are counted by its rate.
    """
    import av

    frames: list[Any] = []
    sounds: list[Any] = []
    streams = [*container.streams.video[:1], *container.streams.audio[:1]]
    try:
        for frame in container.decode(*streams):
            (frames if isinstance(frame, av.VideoFrame) else sounds).append(frame)
    except av.FFmpegError as error:
        raise pipeline_error(f"Invalid video, {container.name} is damaged ({error}).") from error
    if streams and not frames and not sounds:
        raise pipeline_error(f"Invalid video, {container.name} has no frames.")
    step = Fraction(1)
    if container.streams.video:
        step = 1 / (_rate(container.streams.video[0]) * container.streams.video[0].time_base)
    times = [int(number * step) if frame.pts is None else frame.pts for number, frame in enumerate(frames)]
    parts = [_channels(frame) for frame in sounds]
    return list(zip(frames, times, strict=True)), np.concatenate(parts or [np.empty((1, 0), np.float32)], axis=1)


def _rate(stream: Any) -> Fraction:
    """Return the frames per second of a video; of a raw stream what its codec says."""
    return Fraction(stream.guessed_rate if stream.duration is None else stream.average_rate)


def _channels(frame: Any) -> np.ndarray:
    data: np.ndarray = frame.to_ndarray()
    return data if frame.format.is_planar else data.reshape(-1, len(frame.layout.channels)).T


def _pixels(frame: Any) -> np.ndarray:
    """Return a frame as RGB, as MindSpore's FFmpeg does: a pixel takes the colour that is stored nearest."""
    from av.video.reformatter import Interpolation

    nearest = Interpolation.POINT | Interpolation.ACCURATE_RND
    return np.asarray(frame.reformat(format="rgb24", interpolation=nearest).to_ndarray())


def _require_type(value: Any, name: str, kinds: tuple[type, ...]) -> None:
    if not isinstance(value, kinds):
        raise TypeError(f"Input {name} is not of type {list(kinds)}, but got: {type(value)}.")
