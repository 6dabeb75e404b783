"""Transforms of images, called with arrays, files and images of Pillow."""

import re
from typing import Any

from mindspore.dataset import transforms, vision  # noqa: F401
from mindspore.dataset.vision import Border, Inter  # noqa: F401

from tests.dataset.images import file  # noqa: F401
from tests.oracle.case import Case, words
from tests.oracle.cases.dataset._images import arrays, scope  # noqa: F401

EXACT = True
ROUNDED = re.compile(
    r"vision\.(Adjust(Contrast|Gamma|Saturation|Sharpness)|Random(Color|Sharpness|AdjustSharpness)|GaussianBlur|Affine"
    r"|Rotate|Perspective|RgbToHsv|HsvToRgb)\(.*(float32|unit)\)"
)
"""Floats that are sums in another order."""
REFUSED_THERE = "MindSpore refuses what has a plain meaning"
ACCEPTED = {
    "vision.Pad((1, 2, 3, 0), 7)(batch)",
    "arrays(transforms.Compose([vision.ToPIL(), vision.Solarize(100)])(rgba))",
    *(f"vision.Solarize({ends})({name})" for ends in ("100", "(50, 180)") for name in ("rgba", "batch", "int64")),
    "vision.Posterize(3)(batch)",
    *(f"vision.AdjustBrightness(1.7)({name})" for name in ("batch", "int64", "rgba")),
    "vision.Invert()(int64)",
    *(
        f"vision.{step}(int64)"
        for step in ("HWC2CHW()", "CenterCrop((4, 3))", "CenterCrop(5)", "HorizontalFlip()", "VerticalFlip()")
    ),
    "vision.Pad((1, 2, 3, 0), 7)(int64)",
}
BOXED = """
vision.RandomHorizontalFlipWithBBox(1.0)
vision.RandomVerticalFlipWithBBox(1.0)
vision.RandomHorizontalFlipWithBBox(0.0)
vision.ResizeWithBBox(5)
vision.ResizeWithBBox((5, 20), Inter.NEAREST)
vision.RandomCropWithBBox((9, 13))
vision.RandomResizedCropWithBBox((5, 6), (1.0, 1.0), (13 / 9, 13 / 9))
vision.BoundingBoxAugment(vision.Invert(), 1.0)
vision.BoundingBoxAugment(vision.Resize((2, 2)), 1.0)
vision.BoundingBoxAugment(vision.RandomRotation((90, 90), expand=True), 1.0)
"""


def level(image: Any) -> Any:
    """Numbers of which a tolerance of a thousandth is one level of 256, for `vision.AdjustHue`.

    OpenCV 4.11 cuts off where it converts 32 pixels of a row at once from HSV to RGB, and rounds the rest; OpenCV 5
    rounds all.
    """
    return str(image.dtype), image + 1000.0


def on(names: str, steps: str, form: str = "{step}({name})") -> list[Case]:
    """Every step, a line each, called with every one of the inputs."""
    stripped = [step.strip() for step in steps.strip().splitlines()]
    return [case(form.format(step=step, name=name)) for step in stripped for name in words(names)]


def case(text: str) -> Case:
    is_accepted = text in ACCEPTED or ("BICUBIC" in text and text.endswith("(five)"))
    tolerance = 1e-3 if text.startswith("level") else 1e-6 if ROUNDED.match(text) else None
    return Case(text, may_raise=True, tolerance=tolerance, xfail=REFUSED_THERE if is_accepted else "")


def calls(lines: str) -> list[Case]:
    return [case(line.strip()) for line in lines.strip().splitlines()]


CASES = [
    *[
        one
        for way in ("NEAREST", "BILINEAR", "BICUBIC", "AREA")
        for size in ("5", "(32, 32)", "(14, 14)", "(4, 5)", "(17, 3)")
        for one in on(
            "grey plane rgb rgba batch bools" + " float32 float64 int16" * (way != "AREA"),
            f"vision.Resize({size}, Inter.{way})",
        )
    ],
    *on(
        "grey plane rgb rgba batch float32 float64 int16 int32 int64 bools vector",
        """
        vision.Rescale(1 / 255.0, 0.0)
        vision.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081)
        vision.Rescale(2, 1)
        vision.Normalize([0.1307 * 255], [0.3081 * 255])
        vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])
        vision.Normalize([120.0, 110.0, 100.0], [50.0, 60.0, 70.0], is_hwc=False)
        vision.ToTensor()
        vision.HWC2CHW()
        vision.CenterCrop((4, 3))
        vision.CenterCrop(5)
        vision.HorizontalFlip()
        vision.VerticalFlip()
        vision.Pad((1, 2, 3, 0), 7)
        """,
    ),
    *[
        one
        for mode in ("CONSTANT", "EDGE", "REFLECT", "SYMMETRIC")
        for sides in ("2, 0", "(1, 3), 9", "(1, 2, 3, 4), (10, 20, 30)")
        for one in on("rgb plane grey", f"vision.Pad({sides}, Border.{mode})")
    ],
    *on(
        "rgb plane rgba five float32 int16 bools batch int64",
        """
        vision.Rotate(30.5, Inter.BILINEAR)
        vision.Rotate(-70, Inter.NEAREST, True, None, (9, 8, 7))
        vision.Rotate(400, Inter.BICUBIC, False, (1, 2), 5)
        vision.Affine(15, [0.1, 0.2], 1.1, [5, 7], Inter.BILINEAR)
        vision.Affine(-33, (0.0, 0.3), 0.7, 6.0, Inter.NEAREST, (9, 8, 7))
        vision.Affine(-20, [-0.1, 0.15], 0.8, [3, -4], Inter.BICUBIC)
        vision.RandomRotation((-40, -40), Inter.BILINEAR, True, None, (9, 8, 7))
        vision.RandomRotation((70, 70), Inter.BILINEAR, False, (2, 3), 7)
        vision.RandomAffine((-12, -12), None, (0.9, 0.9), (4, 4, -6, -6))
        vision.RandomAffine((30, 30), (0.1, 0.1, 0.2, 0.2), resample=Inter.BILINEAR, fill_value=(9, 8, 7))
        vision.Perspective([(0, 0), (9, 0), (9, 5), (0, 5)], [(1, 1), (7, 0), (9, 6), (0, 4)], Inter.BILINEAR)
        vision.Perspective([(0, 0), (9, 0), (9, 5), (0, 5)], [(1, 1), (7, 0), (9, 6), (0, 4)], Inter.NEAREST)
        vision.Perspective([(0, 0), (9, 0), (9, 5), (0, 5)], [(1, 1), (7, 0), (9, 6), (0, 4)], Inter.BICUBIC)
        """,
    ),
    *on(
        "rgb plane rgba float32 bools batch int64 unit",
        """
        vision.AdjustGamma(0.7)
        vision.AdjustGamma(1.3, 0.8)
        """,
    ),
    *on(
        "rgb plane rgba float32 int16 bools batch int64 unit",
        """
        vision.AdjustSharpness(2.0)
        vision.RandomSharpness((0.5, 0.5))
        vision.RandomAdjustSharpness(1.5, 1.0)
        vision.GaussianBlur(3)
        vision.GaussianBlur((3, 7), (0.7, 1.9))
        vision.RandomColor((0.5, 0.5))
        vision.RandomLighting(0.0)
        vision.Erase(1, 2, 3, 2, (5, 6, 7))
        vision.SlicePatches(2, 3, vision.SliceMode.PAD, 9)
        vision.SlicePatches(3, 2, vision.SliceMode.DROP)
        vision.NormalizePad([120.0], [50.0])
        vision.Invert()
        vision.Solarize((50, 180))
        vision.Solarize(100)
        vision.Posterize(3)
        vision.AdjustBrightness(1.7)
        vision.AdjustContrast(1.8)
        vision.AdjustSaturation(0.4)
        """,
    ),
    *on(
        "rgb plane rgba",
        """
        vision.RandomRotation((-40, -40), Inter.BILINEAR, True, None, (9, 8, 7))
        vision.RandomRotation((90, 90), Inter.ANTIALIAS)
        vision.RandomAffine((-12, -12), None, (0.9, 0.9), (4, 4, -6, -6), Inter.BILINEAR)
        vision.Perspective([(0, 0), (9, 0), (9, 5), (0, 5)], [(1, 1), (7, 0), (9, 6), (0, 4)], Inter.BICUBIC)
        vision.RandomSharpness((1.7, 1.7))
        vision.RandomColor((0.4, 0.4))
        vision.AdjustGamma(0.7, 1.2)
        vision.RandomLighting(0.0)
        vision.FiveCrop((4, 3))
        vision.TenCrop(5, True)
        vision.RandomGrayscale(1.0)
        vision.RandomResizedCrop((5, 6), (1, 1), (13 / 9, 13 / 9))
        vision.CenterCrop((30, 2))
        vision.HorizontalFlip()
        vision.Crop((1, 2), 3)
        vision.Posterize(3)
        vision.Solarize(100)
        """,
        "arrays(transforms.Compose([vision.ToPIL(), {step}])({name}))",
    ),
    *on(
        "rgb grey",
        """
        vision.Resize(6)
        vision.Resize((20, 21))
        vision.Resize((6, 7), Inter.BICUBIC)
        vision.Resize((6, 7), Inter.NEAREST)
        vision.Resize((6, 7), Inter.ANTIALIAS)
        vision.CenterCrop((4, 3))
        vision.CenterCrop((7, 8))
        vision.RandomHorizontalFlip(1.0)
        vision.RandomVerticalFlip(1.0)
        vision.Pad((1, 2, 3, 4), 5)
        vision.Pad(2, 0, Border.REFLECT)
        vision.Grayscale()
        vision.Grayscale(3)
        """,
        "transforms.Compose([vision.ToPIL(), {step}, vision.ToNumpy()])({name})",
    ),
    *on("rgb, float32,", BOXED, "{step}({name} boxes)"),
    *on("outside doubles row", "\n".join(BOXED.strip().splitlines()[:4]), "{step}(rgb, {name})"),
    *on(
        "rgb plane grey rgba batch float32 row",
        """
        vision.get_image_size
        vision.get_image_num_channels
        vision.encode_jpeg
        """,
    ),
    *on(
        "plane rgba batch",
        """
        vision.AutoAugment()
        vision.RandAugment()
        vision.TrivialAugmentWide()
        """,
    ),
    *on("unit rgb flat plane bools", "vision.RgbToHsv(True)\nvision.HsvToRgb(True)"),
    *on("unit_chw nchw", "vision.RgbToHsv(False)\nvision.HsvToRgb(False)"),
    *on("rgb plane", "vision.AdjustHue(0.2)\nvision.AdjustHue(-0.45)"),
    *calls(
        """
        vision.Resize((6, 7), Inter.PILCUBIC)(rgb)
        vision.Resize((6, 7), Inter.PILCUBIC)(grey)
        vision.Resize((6, 7), Inter.ANTIALIAS)(rgb)
        vision.Normalize([120.0, 110.0, 100.0], [50.0, 60.0, 70.0], is_hwc=False)(chw)
        vision.NormalizePad([120.0, 110.0, 100.0], [50.0, 60.0, 70.0])(rgb)
        vision.NormalizePad([120.0, 110.0, 100.0], [50.0, 60.0, 70.0], 'float16')(rgb)
        vision.NormalizePad([120.0, 110.0, 100.0], [50.0, 60.0, 70.0], is_hwc=False)(chw)
        vision.ToTensor(np.float64)(rgb)
        vision.ToTensor(np.uint8)(rgb)
        vision.ToTensor(ms.float16)(grey)
        vision.ToType(np.float32)(rgb)
        vision.ToType(ms.int32)(vector)
        vision.CenterCrop((10, 20))(rgb)
        vision.CenterCrop((10, 20))(plane)
        vision.CenterCrop((10, 20))(grey)
        vision.CenterCrop((20, 4))(rgb)
        vision.CenterCrop((20, 4))(plane)
        vision.CenterCrop((12, 14))(rgb)
        vision.CenterCrop((12, 14))(plane)
        vision.CenterCrop((12, 14))(float32)
        vision.PadToSize((20, 25))(rgb)
        vision.PadToSize((20, 25))(plane)
        vision.PadToSize((20, 25), (1, 2), 9)(rgb)
        vision.PadToSize(30, 1, (1, 2, 3), Border.CONSTANT)(rgb)
        vision.PadToSize((5, 5))(rgb)
        vision.Crop((1, 2), (4, 5))(rgb)
        vision.Crop((1, 2), 3)(plane)
        vision.Crop((8, 12), 3)(rgb)
        vision.ResizedCrop(1, 2, 5, 6, (7, 8))(rgb)
        vision.ResizedCrop(1, 2, 5, 6, 7, Inter.BICUBIC)(rgb)
        vision.ResizedCrop(1, 2, 5, 6, 7, Inter.NEAREST)(plane)
        vision.RandomHorizontalFlip(1.0)(rgb)
        vision.RandomHorizontalFlip(0.0)(rgb)
        vision.RandomVerticalFlip(1.0)(plane)
        vision.RandomCrop((28, 28))(grey)
        vision.RandomCrop((30, 30), 1)(grey)
        vision.RandomCrop(100)(grey)
        vision.Decode()(file("smooth.jpg"))
        vision.Decode()(file("smooth_grey.jpg"))
        vision.Decode()(file("smooth.png"))
        vision.Decode()(file("alpha.png"))
        vision.Decode()(row)
        arrays(vision.Decode(to_pil=True)(file("smooth.jpg")))
        arrays(vision.Decode(to_pil=True)(file("alpha.png")))
        arrays(vision.ToPIL()(rgb))
        arrays(vision.ToPIL()(grey))
        arrays(vision.ToPIL()(float32))
        arrays(vision.ToPIL()(batch))
        transforms.Compose([vision.ToPIL(), vision.ToTensor()])(rgb)
        vision.Grayscale()(rgb)
        vision.RandomCropWithBBox((50, 5))(rgb, boxes)
        vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 0.0)(batch, onehot)
        vision.CutMixBatch(vision.ImageBatchFormat.NCHW, 1.0, 0.0)(nchw, onehot)
        vision.CutMixBatch(vision.ImageBatchFormat.NCHW)(batch, onehot)
        vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(rgb, onehot)
        vision.MixUpBatch()(rgb, onehot)
        vision.MixUpBatch()(batch, row)
        vision.MixUp(2, 1.0, False)(batch, onehot)
        level(vision.AdjustHue(0.2)(wide))
        level(vision.AdjustHue(-0.45)(wide))
        vision.Rotate(123.4, Inter.BICUBIC)(wide)
        vision.Rotate(123.4, Inter.BICUBIC)(uint16)
        vision.Perspective([(0, 0)] * 4, [(1, 1)] * 4)(rgb)
        vision.RandomColor((3.3, 3.3))(wide)
        vision.AdjustBrightness(0.33)(bools)
        vision.LinearTransformation(np.arange(36.0).reshape(6, 6), np.ones(6))(six)
        vision.LinearTransformation(np.arange(36.0).reshape(6, 6), np.ones(6))(row)
        vision.RandomErasing(0.0)(chw)
        vision.RandomErasing(1.0, (0.5, 0.5), (50, 50))(chw)
        vision.RandomPerspective(0.5, 0.0)(rgb)
        vision.FiveCrop(3)(rgb)
        vision.RandAugment(0)(rgb)
        vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0), (vision.HorizontalFlip(), 0.0)]])(rgb)
        vision.UniformAugment([vision.RandomHorizontalFlip(0.0)], 1)(rgb)
        vision.RandomSolarize((100, 100))(rgb)
        vision.RandomResizedCrop((5, 6), (1, 1), (13 / 9, 13 / 9))(plane)
        vision.RandomResizedCrop(7, (1, 1), (0.2, 0.2), Inter.BICUBIC)(rgba)
        """
    ),
]
