"""Replaces torchvision/transforms/_presets.py: what goes with published weights."""

from enum import Enum


class InterpolationMode(Enum):
    NEAREST = "nearest"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"


class ImageClassification:
    pass


class ObjectDetection:
    pass


class OpticalFlow:
    pass


class SemanticSegmentation:
    pass


class VideoClassification:
    pass
