"""Tools beside pipelines: lines of a file by number, and images with what was detected in them."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type

__all__ = ["LineReader", "imshow_det_bbox"]


class LineReader:
    """The lines of a text file, numbered from 1; where they begin is looked up once.

    Args:
        filename: the path of the file.

    Raises:
        TypeError: it is not a string.
        RuntimeError: there is no such file.

    Follows: mindspore.dataset.utils.LineReader (2.10).
    """

    def __init__(self, filename: str) -> None:
        path = Path(require_type(filename, "filename", str)).resolve()
        if not path.is_file():
            raise RuntimeError(f"LineReader: there is no file {filename}.")
        self.filename = str(path)
        with path.open("rb") as file:
            self.offsets = [0]
            while file.readline():
                self.offsets.append(file.tell())
        self.offsets.pop()
        self._file: Any = None

    def __len__(self) -> int:
        return len(self.offsets)

    def __getitem__(self, line: int) -> str:
        return self.readline(line)

    def __del__(self) -> None:
        self.close()

    def len(self) -> int:
        """Return the number of lines.

        Follows: mindspore.dataset.utils.LineReader.len (2.10).
        """
        return len(self.offsets)

    def readline(self, line: int) -> str:
        """Return a line without its end.

        Args:
            line: its number, from 1.

        Raises:
            TypeError: it is not an int.
            ValueError: there is no such line.

        Follows: mindspore.dataset.utils.LineReader.readline (2.10).
        """
        int_within(line, "line", 1, len(self.offsets))
        if self._file is None:
            self._file = Path(self.filename).open(encoding="utf-8")  # noqa: SIM115  # closed by close
        self._file.seek(self.offsets[line - 1])
        return str(self._file.readline()).rstrip("\n")

    def close(self) -> None:
        """Close the file; it is opened again when it is read.

        Follows: mindspore.dataset.utils.LineReader.close (2.10).
        """
        file = self.__dict__.pop("_file", None)
        self._file = None
        if file is not None:
            file.close()


def imshow_det_bbox(
    image: np.ndarray,
    bboxes: np.ndarray | None,
    labels: np.ndarray | None,
    segm: np.ndarray | None = None,
    class_names: Sequence[str] | Mapping[int, str] | None = None,
    score_threshold: float = 0,
    bbox_color: tuple[int, ...] = (0, 255, 0),
    text_color: tuple[int, ...] = (203, 192, 255),
    mask_color: tuple[int, ...] = (128, 0, 128),
    thickness: int = 2,
    font_size: float = 0.8,
    show: bool = True,
    win_name: str = "win",
    wait_time: int = 2000,
    out_file: str | None = None,
) -> np.ndarray:
    """Draw boxes, labels and masks on an image; show it, save it, and return it.

    Args:
        image: RGB, shape (h, w, 3) or (3, h, w).
        bboxes: shape (n, 4): x, y, width and height, or (n, 5) with a score; or None.
        labels: the classes of the boxes, shape (n, 1).
        segm: masks, shape (m, h, w).
        class_names: the names of the classes: list, tuple or dict.
        score_threshold: boxes with less are left out.
        bbox_color: blue, green and red of the boxes.
        text_color: that of the texts.
        mask_color: that of the masks.
        thickness: of the lines, in pixels.
        font_size: of the texts.
        show: show the image in a window; Escape ends the program.
        win_name: the window's title.
        wait_time: how long, in milliseconds.
        out_file: where to save the image; needed without `show`.

    Returns:
        The image in BGR, shape (h, w, 3).

    Raises:
        AssertionError: an argument is of another type, or a shape does not fit.
        ImportError: cv2 is not installed.

    Follows: mindspore.dataset.utils.imshow_det_bbox (2.10).
    """
    try:
        import cv2
    except ImportError as error:
        raise ImportError("images are drawn with OpenCV: pip install 'msbridge[vision]', or opencv-python") from error
    _check(image, bboxes, labels, segm, class_names)
    colours = {"bbox_color": bbox_color, "text_color": text_color, "mask_color": mask_color}
    for name, colour in colours.items():
        _demand(isinstance(colour, tuple) and len(colour) == 3, f"{name} must be a tuple of blue, green and red")
    _demand(isinstance(thickness, int) and thickness >= 0, "thickness must be an int of 0 or more")
    _demand(isinstance(font_size, int | float) and font_size >= 0, "font_size must be a number of 0 or more")
    _demand(isinstance(show, bool), "show must be a bool")
    _demand(isinstance(win_name, str), "win_name must be a text")
    _demand(isinstance(wait_time, int) and wait_time >= 0, "wait_time must be an int of 0 or more")
    _demand(out_file is None or isinstance(out_file, str), "out_file must be a text")
    _demand(show or out_file is not None, "out_file must be given where nothing is shown")
    _demand(score_threshold <= 0 or (bboxes is not None and bboxes.shape[1] == 5), "bboxes must have scores")
    drawn = cv2.cvtColor(image.transpose(1, 2, 0) if image.shape[0] == 3 else image, cv2.COLOR_RGB2BGR)
    shown = range(0 if segm is None else len(segm)) if bboxes is None else range(len(bboxes))
    for number in shown:
        if bboxes is not None and labels is not None:
            box = bboxes[number]
            if len(box) > 4 and box[4] < score_threshold:
                continue
            left, top, right, bottom = (int(one) for one in (box[0], box[1], box[0] + box[2], box[1] + box[3]))
            cv2.rectangle(drawn, (left, top), (right, bottom), bbox_color, thickness)
            text = _name(class_names, labels[number][0]) + (f"|{box[4]:.02f}" if len(box) > 4 else "")
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(drawn, text, (left, bottom), font, font_size, text_color, thickness)
        if segm is not None:
            mask = segm[number].astype(bool)
            drawn[mask] = drawn[mask] * 0.5 + np.array(mask_color) * 0.5
    if show:
        cv2.imshow(win_name, drawn)
        if cv2.waitKey(wait_time) == 27:
            sys.exit()
    if out_file:
        cv2.imwrite(out_file, drawn)
    return np.asarray(drawn)


def _check(image: Any, bboxes: Any, labels: Any, segm: Any, class_names: Any) -> None:
    is_image = isinstance(image, np.ndarray) and image.ndim == 3 and 3 in (image.shape[0], image.shape[2])
    _demand(is_image, "image must be an array of shape (h, w, 3) or (3, h, w)")
    if bboxes is not None:
        is_boxes = isinstance(bboxes, np.ndarray) and bboxes.ndim == 2 and bboxes.shape[1] in (4, 5)
        _demand(is_boxes, "bboxes must be an array of shape (n, 4) or (n, 5)")
        is_labels = isinstance(labels, np.ndarray) and labels.shape == (len(bboxes), 1)
        _demand(is_labels, f"labels must be an array of shape ({len(bboxes)}, 1)")
    if segm is not None:
        size = image.shape[:2] if image.shape[2] == 3 else image.shape[1:]
        is_masks = isinstance(segm, np.ndarray) and segm.ndim == 3 and segm.shape[1:] == size
        _demand(is_masks, f"segm must be an array of shape (m, {size[0]}, {size[1]})")
        _demand(bboxes is None or len(bboxes) <= len(segm), "segm must have a mask for each box")
    _demand(isinstance(class_names, tuple | list | dict), "class_names must be a list, a tuple or a dict")


def _demand(is_so: bool, words: str) -> None:
    if not is_so:
        raise AssertionError(f"imshow_det_bbox: {words}.")


def _name(names: Any, label: Any) -> str:
    try:
        return str(names[label])
    except (IndexError, KeyError):
        return f"class {label}"
