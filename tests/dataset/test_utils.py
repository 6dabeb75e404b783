"""Tools beside pipelines. Judge: MindSpore 2.10 (classes of errors), and the pixels that are to be drawn."""

import numpy as np
import pytest

from msbridge.dataset.utils import LineReader, imshow_det_bbox

IMAGE = np.zeros((40, 60, 3), np.uint8)
BOXES, LABELS = np.array([[10.0, 5, 20, 30, 0.9], [0, 0, 5, 5, 0.1]]), np.array([[1], [7]])


def test_lines_by_number(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("one\r\ntwo\n\nfour ü".encode())
    reader = LineReader(str(path))
    assert len(reader) == reader.len() == 4
    assert [reader[4], reader.readline(1), reader[3], reader[2]] == ["four ü", "one", "", "two"]
    reader.close()
    assert reader[2] == "two"
    with pytest.raises(ValueError, match="line"):
        reader[5]
    with pytest.raises(TypeError, match="line"):
        reader["a"]
    reader.close()


def test_files_that_are_none(tmp_path):
    with pytest.raises(RuntimeError, match="no file"):
        LineReader(str(tmp_path))
    with pytest.raises(TypeError, match="filename"):
        LineReader(1)


@pytest.mark.needs(package="cv2")
def test_boxes_and_masks_are_drawn(tmp_path):
    masks = np.zeros((2, 40, 60), np.uint8)
    masks[0, 20:25, 15:20] = 1
    path = tmp_path / "out.png"
    settings = {"thickness": 1, "font_size": 0, "show": False, "out_file": str(path), "score_threshold": 0.5}
    drawn = imshow_det_bbox(IMAGE, BOXES, LABELS, masks, ["a", "b"], **settings)
    assert drawn[5, 10].tolist() == drawn[35, 30].tolist() == [0, 255, 0]
    assert drawn[0:5, 0:5].sum() == 0
    assert drawn[22, 17].tolist() == [64, 0, 64]
    assert path.exists()
    assert IMAGE.sum() == 0
    other = imshow_det_bbox(IMAGE.transpose(2, 0, 1), None, None, masks, {}, show=False, out_file=str(path))
    assert other.shape == (40, 60, 3)


@pytest.mark.needs(package="cv2")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((IMAGE[:, :, :2], BOXES, LABELS), "image"),
        ((IMAGE, BOXES[:, :3], LABELS), "bboxes"),
        ((IMAGE, BOXES, LABELS[:1]), "labels"),
        ((IMAGE, BOXES, LABELS, np.zeros((2, 3, 3))), "segm"),
        ((IMAGE, BOXES, LABELS), "class_names"),
        ((IMAGE, BOXES, LABELS, None, ["a"], 0, (1, 2)), "bbox_color"),
    ],
)
def test_bad_argument(arguments, words):
    with pytest.raises(AssertionError, match=words):
        imshow_det_bbox(*arguments, show=False, out_file="a.png")
